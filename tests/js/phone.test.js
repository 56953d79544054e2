import assert from "node:assert/strict";
import {afterEach, beforeEach, mock, test} from "node:test";
import {JSDOM} from "jsdom";

const QUESTION = {
  round: 1, open: true, question: "<b>Have you</b> cheated?", options: ["Yes", "No", "<i>Maybe</i>"],
  promise: "Your phone may lie for you.", weight: 1908_000_000_000_000, answered: false,
};
let page, sent, replies, number = 0;

const settle = async () => { for (let turn = 0; turn < 20; turn++) await null; };
const text = () => page.window.document.getElementById("class").textContent;
const find = (selector) => page.window.document.querySelector(selector);

// The random numbers, of which the phone reads the higher 21 bits of the first and the second.
const drawOf = (high) => mock.method(crypto, "getRandomValues", (array) => array.fill(0).fill(high, 0, 1));

async function open(first) {
  replies.push(first);
  await import(`../../pages/framework/browser/phone.js?${number++}`);
  await settle();
}

beforeEach(() => {
  page = new JSDOM('<main id="class"></main>', {url: "https://dp.example.org/class/8501-abc", pretendToBeVisual: true});
  Object.assign(globalThis, {document: page.window.document, location: page.window.location, FormData: page.window.FormData});
  mock.timers.enable({apis: ["setTimeout"]});
  sent = [];
  replies = [];
  globalThis.fetch = async (address, options) => {
    sent.push([address, options.method ?? "GET", options.body]);
    const reply = replies.shift();
    if (reply === undefined) throw new Error("no network");
    return typeof reply === "number" ? {status: reply, ok: reply < 300} : {status: 200, ok: true, json: async () => reply};
  };
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

async function answer(position) {
  find(`input[value="${position}"]`).checked = true;
  find("form").dispatchEvent(new page.window.Event("submit", {cancelable: true}));
  await settle();
}

test("the question, its options and the promise are shown as text, never as markup", async () => {
  await open(QUESTION);
  assert.match(text(), /<b>Have you<\/b> cheated\?.*<i>Maybe<\/i>.*Your phone may lie for you\./s);
  assert.equal(page.window.document.querySelectorAll("b, i").length, 0);
  assert.deepEqual(sent[0].slice(0, 2), ["/class/8501-abc/question", "GET"]);
});

test("what is sent depends on the draw, and the answer is not sent", async () => {
  for (const [high, report] of [[0, 0], [0x40000000, 1], [0xffffffff, 2]]) {
    const random = drawOf(high);
    await open(QUESTION);
    replies.push(204);
    await answer(2);
    assert.deepEqual(sent.at(-1), ["/class/8501-abc/report", "POST", `1 ${report}`]);
    assert.match(text(), /Your phone sent “/);
    random.mock.restore();
  }
});

test("a report that did not arrive is sent again as it was, not drawn anew", async () => {
  const random = drawOf(0);
  await open(QUESTION);
  await answer(2);
  assert.match(text(), /It did not arrive/);
  assert.ok(find("input").disabled);
  random.mock.mockImplementation((array) => array.fill(0xffffffff));
  replies.push(204);
  find("form").dispatchEvent(new page.window.Event("submit", {cancelable: true}));
  await settle();
  assert.deepEqual(sent.filter(([, method]) => method === "POST").map(([, , body]) => body), ["1 0", "1 0"]);
  assert.equal(random.mock.callCount(), 1);
});

for (const [status, words] of [[409, "answered this question already"], [410, "is over"], [503, "is full"], [404, "is closed"]]) {
  test(`a refusal with ${status} is said in a sentence`, async () => {
    await open(QUESTION);
    replies.push(status);
    await answer(0);
    assert.match(text(), new RegExp(words));
  });
}

test("the phone waits for a question, shows the next one, and says when the room is gone", async () => {
  await open({round: 0, open: false});
  assert.equal(text(), "Wait for the question.");
  replies.push(QUESTION);
  mock.timers.tick(6001);
  await settle();
  assert.match(text(), /cheated/);
  find("input").checked = true;
  replies.push(QUESTION);
  mock.timers.tick(6001);
  await settle();
  assert.ok(find("input").checked, "a look at the same question leaves the choice");
  replies.push(404);
  mock.timers.tick(6001);
  await settle();
  assert.match(text(), /This room is closed/);
});

test("a phone that has answered does not get the question again after a reload", async () => {
  await open({...QUESTION, answered: true});
  assert.match(text(), /answered this question already/);
});

test("without a choice a sentence says so and nothing is sent", async () => {
  await open(QUESTION);
  find("form").dispatchEvent(new page.window.Event("submit", {cancelable: true}));
  await settle();
  assert.match(text(), /Choose an answer first\./);
  assert.ok(sent.every(([, method]) => method === "GET"));
});
