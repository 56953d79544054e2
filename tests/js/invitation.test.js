import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost, until, wait} from "./fake_host.js";

const layout = {title: {text: ""}, shapes: [], annotations: [], xaxis: {}, yaxis: {}};
const chart = {kind: "chart", name: "error", title: "error", subtitle: "", alt: "", picks: [], marks: [], figure: {data: [], layout}};
const noVotes = {question: "", words: ""};
const invitation = (state = [1, true, 0], link = "class/8501-abc", actions = [["close", "Close the round"]], votes = noVotes) =>
  ({kind: "invitation", html: "<p>Words</p>", note: "<p>Note</p>", actions, link, state, votes});
const stage = (...parts) => ({stage: {parts: [{kind: "side-by-side", parts: [chart, ...parts]}]}});

async function open(part, told) {
  const host = await new FakeHost().open(), asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    const {status = 200, ...content} = told();
    return {status, ok: status === 200, json: async () => content};
  };
  host.respond({link: "./Gaussian_bounds?epsilon=2", view: "first", ...stage(part)});
  return {host, asked};
}

const looks = (host) => host.requests.filter((request) => request.act === undefined && request.qr === undefined);

test("the invitation has its words, buttons that send their keys, a code and a link that says where it leads", async () => {
  const {host} = await open(invitation(), () => ({round: 1, open: true, reports: 0}));
  assert.equal(document.querySelector(".dp-invitation-words").textContent, "Words");
  const link = document.querySelector(".dp-invitation-link a");
  assert.equal(link.href, "http://localhost/class/8501-abc");
  await until(() => host.lastRequest?.qr === "http://localhost/class/8501-abc");
  host.answer({link: "./Gaussian_bounds?epsilon=2", ...stage(invitation()), bodies: [[["qr"], "<svg></svg>"]]});
  assert.ok(document.querySelector(".dp-invitation-code svg"));
  assert.match(document.querySelector(".dp-invitation-link").textContent, /Phones cannot open this address/);
  document.querySelector(".dp-invitation-code").click();
  assert.ok(document.querySelector(".dp-invitation-link.dp-large"));
  document.querySelector(".dp-invitation-actions button").click();
  await until(() => host.lastRequest?.act === "close");
});

test("the page is requested when more have reported than it shows, and not before", async () => {
  let reports = 0;
  const {host, asked} = await open(invitation(), () => ({round: 1, open: true, reports}));
  await until(() => host.lastRequest?.qr);
  host.answer({link: "./Gaussian_bounds?epsilon=2", ...stage(invitation())});
  const before = looks(host).length;
  await until(() => asked.length >= 2);
  assert.equal(asked[0], "./class/8501-abc/question");
  assert.equal(looks(host).length, before);
  reports = 3;
  await until(() => looks(host).length === before + 1);
  host.answer({link: "./Gaussian_bounds?epsilon=3", ...stage(invitation([1, true, 3]))});
  const then = asked.length;
  await until(() => asked.length > then);
  assert.equal(looks(host).length, before + 1);
});

test("a room that has ended is looked for no more once the page says so", async () => {
  const {host, asked} = await open(invitation(), () => ({status: 404}));
  await until(() => host.lastRequest?.qr);
  host.answer({link: "./Gaussian_bounds?epsilon=2", ...stage(invitation())});
  await until(() => looks(host).length);
  host.answer({link: "./Gaussian_bounds?epsilon=3", ...stage(invitation([0, false, 0], "", [["ask", "Open"]]))});
  assert.equal(document.querySelector(".dp-invitation-link").children.length, 0);
  const then = asked.length;
  await wait(1300);
  assert.ok(asked.length <= then + 1);
  assert.equal(document.querySelector(".dp-invitation-actions").textContent, "Open");
});

test("what phones have sent is told to the other tabs, also to one that comes later, and nothing before the first report", async () => {
  const other = new BroadcastChannel("dp_room_votes"), heard = [];
  other.onmessage = ({data}) => data && heard.push(data);
  const {host} = await open(invitation(), () => ({round: 1, open: true, reports: 0}));
  await until(() => host.lastRequest?.qr);
  const votes = {question: "Enough?", words: "The class, 1 phone: “Yes” 1; “No” 0."};
  const parts = stage(invitation([1, true, 1], undefined, undefined, votes));
  host.answer({link: "./Gaussian_bounds?epsilon=2", ...parts});
  await until(() => heard.length);
  other.postMessage(null);
  await until(() => heard.length === 2);
  assert.deepEqual(heard, [votes, votes]);
  host.answer({link: "./Gaussian_bounds?epsilon=3", ...stage(invitation([0, false, 0], "", [["ask", "Open"]]))});
  await until(() => heard.length === 3);
  assert.deepEqual(heard[2], noVotes);
  other.close();
});
