import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost, until, wait} from "./fake_host.js";

const layout = {title: {text: ""}, shapes: [], annotations: [], xaxis: {}, yaxis: {}};
const chart = (name) => ({kind: "chart", name, title: name, subtitle: "", alt: name, picks: [], marks: [], figure: {data: [], layout}});
const words = {kind: "words", html: "<p>Words</p>"};

async function namesOfLead(parts) {
  const host = await new FakeHost().open();
  host.respond({stage: {parts}});
  return [...document.querySelectorAll(".dp-first figure")].map((frame) => frame.dataset.chart);
}

test("the first chart, or a row that begins with one, stands beside the parameters; what else comes first does not", async () => {
  assert.deepEqual(await namesOfLead([chart("error"), chart("values")]), ["error"]);
  assert.deepEqual(await namesOfLead([{kind: "side-by-side", parts: [words, chart("error")]}]), []);
  assert.deepEqual(await namesOfLead([{kind: "side-by-side", parts: [chart("error"), chart("values")]}, words]), ["error", "values"]);
  const heights = [...document.querySelectorAll(".dp-first .dp-plot > div:first-child")].map((plot) => plot.style.height);
  assert.match(heights[0], /^\d+px$/);
  assert.equal(heights[1], heights[0]);
});

test("a picture with one scale for x and y is no higher than its width needs", async () => {
  const heights = [];
  let drawn = 0;
  for (const meta of [undefined, {heightOfWidth: 0.5}]) {
    const host = await new FakeHost().open();
    Object.defineProperty(host.window.HTMLElement.prototype, "clientWidth", {configurable: true, value: 600});
    globalThis.Plotly.react = (plot) => {
      plot.on = () => {};
      drawn += 1;
    };
    host.respond({stage: {parts: [{...chart("people"), figure: {data: [], layout: {...layout, meta}}}]}});
    await until(() => drawn > heights.length);
    heights.push(parseInt(document.querySelector(".dp-first .dp-plot > div:first-child").style.height));
  }
  assert.equal(heights[1], 300);
  assert.ok(heights[0] > 300);
});

test("a chart that takes long to draw waits until the answer is painted, another does not", async () => {
  for (const [drawTime, isDelayed] of [[0, false], [50, true]]) {
    const host = await new FakeHost().open(), frames = [];
    let count = 0;
    Object.defineProperty(host.window.HTMLElement.prototype, "clientWidth", {configurable: true, value: 600});
    globalThis.Plotly.react = (plot) => {
      plot.on = () => {};
      count += 1;
      for (const end = performance.now() + drawTime; performance.now() < end;);
    };
    const show = (size) => host.respond({stage: {parts: [{...chart("error"), figure: {data: [{x: [size]}], layout: {...layout}}}]}});
    show(1);
    await until(() => count === 1);
    await wait(150);
    globalThis.requestAnimationFrame = (act) => frames.push(act);
    show(2);
    await until(() => (isDelayed ? frames.length === 1 : count === 2));
    assert.equal(count, isDelayed ? 1 : 2);
    assert.equal(frames.length, isDelayed ? 1 : 0);
    frames.forEach((act) => act());
    await until(() => count === 2);
  }
});

test("a fold stands closed under its name, and what the user opened stays open", async () => {
  const host = await new FakeHost().open(), fold = {kind: "fold", name: "Compare", parts: [words, {kind: "table", name: "noises", html: "<table></table>"}]};
  host.respond({stage: {parts: [fold]}});
  const details = document.querySelector(".dp-fold details");
  assert.deepEqual([details.open, details.querySelector("summary").textContent], [false, "Compare"]);
  assert.equal(details.querySelectorAll("table").length, 1);
  details.open = true;
  host.respond({stage: {parts: [words, fold]}});
  assert.equal(document.querySelector(".dp-fold details"), details);
  assert.equal(details.open, true);
});

test("a fold with charts is asked for when it is opened, and again at each setting while it is open", async () => {
  const host = await new FakeHost().open(), table = {kind: "table", name: "noises", html: "<table></table>"};
  const fold = {kind: "fold", name: "Compare", isLate: true, parts: []}, full = {...fold, parts: [table]};
  host.respond({section: "noise", stage: {parts: [words, fold]}});
  const details = document.querySelector(".dp-fold details"), sent = host.requests.length;
  details.open = true;
  await until(() => host.requests.length === sent + 1);
  assert.deepEqual(host.lastRequest.folds, ["Gaussian_bounds", "noise", "Compare"]);
  host.answer({section: "noise", stage: {parts: [words, full]}});
  assert.equal(details.querySelectorAll("table").length, 1);
  details.open = false;
  await wait(20);
  details.open = true; // its content is still there
  await wait(20);
  assert.equal(host.requests.length, sent + 1);
  const {send} = await host.module("browser/transport.js");
  send({set: {epsilon: "2"}});
  await until(() => host.requests.length === sent + 2);
  assert.deepEqual(host.lastRequest.folds, ["Gaussian_bounds", "noise", "Compare"]);
  host.answer({section: "noise", stage: {parts: [words, full]}});
  details.open = false;
  await wait(500); // until the run is over
  send({set: {epsilon: "4"}});
  await until(() => host.requests.length === sent + 3);
  assert.equal("folds" in host.lastRequest, false);
});

test("an answer can be added to the report once there is one", async () => {
  const host = await new FakeHost().open(), adder = () => [...document.querySelectorAll("button")].find(({textContent}) => textContent === "Add to report");
  host.respond({stage: {parts: [words], isAsking: true}});
  assert.equal(adder().hidden, true);
  host.respond({stage: {parts: [words]}});
  assert.equal(adder().hidden, false);
});

test("a stage that is drawn already is not drawn again, but in another theme or at another step", async () => {
  const host = await new FakeHost().open();
  const options = {often: "Once", rarely: "Twice"}, field = {label: "Releases", caption: "Releases", symbol: "", used: "often", options};
  const stage = {
    parts: [{kind: "files", name: "files", names: ["report.html"], missing: ""}], fields: {releases: field}, controls: [],
    conditions: {lead: "If", items: [{key: "releases", words: "once", state: "confirmed"}]},
  };
  const button = () => document.querySelector(".dp-files button"), select = () => document.querySelector(".dp-condition select");
  host.respond({stage});
  const first = button();
  select().value = "rarely";
  host.respond({stage});
  assert.equal(button(), first);
  assert.equal(select().value, "often"); // what Python uses
  for (const head of [{dark: true}, {present: true}]) {
    const last = button();
    host.respond({stage, ...head});
    assert.notEqual(button(), last);
  }
});

test("the menu of a condition opens by a click on its words, which may stand on two lines", async () => {
  const host = await new FakeHost().open(), opened = [];
  const fields = {releases: {label: "Releases", caption: "Releases", symbol: "", used: "often", options: {often: "Once", rarely: "Twice"}}};
  host.respond({stage: {fields, controls: [], conditions: {lead: "If", items: [{key: "releases", words: "once", state: "confirmed"}]}}});
  const label = document.querySelector(".dp-condition"), select = label.querySelector("select");
  select.showPicker = () => opened.push(true);
  label.querySelector("span").click();
  assert.equal(opened.length, 1);
  select.click(); // which opens by itself
  assert.equal(opened.length, 1);
});

test("a command stands as it is, whatever is in it, with a button that copies it", async () => {
  const host = await new FakeHost().open(), text = "python release.py 'e^(x) <b>=v' 5 %", copied = [];
  Object.defineProperty(globalThis, "navigator", {configurable: true, value: {clipboard: {writeText: async (line) => void copied.push(line)}}});
  host.respond({stage: {controls: [], fields: {}, parts: [{kind: "call", text}]}});
  const node = document.querySelector(".dp-call");
  assert.equal(node.querySelector("pre code").textContent, text);
  node.querySelector("button").click();
  await until(() => node.querySelector("[role=status]").textContent === "The command is copied.");
  assert.deepEqual(copied, [text]);
});
