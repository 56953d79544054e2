import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost, pack, stageBytes, until, wait} from "./fake_host.js";

const SCHEME = {label: "Scheme", symbol: "scheme", options: {add: "Add or remove", replace: "Replace"}, used: "add", value: 0};
const COUNTS = {label: "Counts", symbol: "counts", lines: true, used: "1, 2", value: 0};
const EPSILON = {label: "Privacy loss", caption: "ε", symbol: "ε", help: "What it means", steps: ["0.5", "1", "2", "4"], used: "1", value: 1};

async function openFields(fields = {epsilon: EPSILON}) {
  const host = await new FakeHost().open();
  const stage = {controls: Object.keys(fields), fields};
  host.respond({stage});
  const find = (selector) => document.querySelector(`.dp-controls ${selector}`);
  return {host, stage, find};
}

const press = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));

test("a box sends its text at Enter, once, and shows it until Python answers", async () => {
  const {host, find} = await openFields();
  const box = find(".dp-entry");
  assert.equal(box.value, "1");
  box.focus();
  box.value = "2";
  press(box, "Enter");
  press(box, "Enter");
  assert.equal(host.requests.length, 1);
  assert.deepEqual(host.lastRequest.set, {epsilon: "2"});
  assert.equal(box.value, "2");
  host.answer();
  assert.equal(box.value, "2");
});

test("a text that is no step stays until Python answers, so a return to the old text at once is sent too", async () => {
  const {host, stage, find} = await openFields();
  const box = find(".dp-entry");
  box.focus();
  box.value = "0.3";
  press(box, "Enter");
  assert.equal(box.value, "0.3");
  box.value = "1";
  press(box, "Enter");
  host.respond({n: host.lastRequest.n, stage: {...stage, fields: {epsilon: {...EPSILON, used: "0.3", value: 0.3}}}});
  assert.equal(box.value, "1");
  await until(() => host.requests.length === 2);
  assert.deepEqual(host.requests.map(({set}) => set), [{epsilon: "0.3"}, {epsilon: "1"}]);
});

test("an option stays chosen until Python answers, so a return to the old one at once is sent too", async () => {
  const {host, find} = await openFields({scheme: SCHEME});
  find("input[value=replace]").click();
  assert.equal(find("input:checked").value, "replace");
  find("input[value=add]").click();
  host.answer();
  await until(() => host.requests.length === 2);
  assert.deepEqual(host.lastRequest.set, {scheme: "add"});
});

test("Escape takes a text back that was not sent", async () => {
  const {host, find} = await openFields();
  const box = find(".dp-entry");
  box.value = "7";
  press(box, "Escape");
  assert.equal(box.value, "1");
  assert.deepEqual(host.requests, []);
});

test("a response does not overwrite what is being typed", async () => {
  const {host, stage, find} = await openFields();
  const box = find(".dp-entry");
  box.focus();
  box.value = "0.3";
  host.respond({stage: {...stage, fields: {epsilon: {...EPSILON, used: "2", value: 2}}}});
  assert.equal(box.value, "0.3");
  box.blur();
  host.respond({stage: {...stage, fields: {epsilon: {...EPSILON, used: "2", value: 2}}}});
  assert.equal(box.value, "2");
});

test("a text that can't be used stays in its box with the sentence that says why", async () => {
  const {host, stage, find} = await openFields();
  host.respond({stage, entered: {epsilon: ["-1", "It must be positive."]}});
  assert.equal(find(".dp-entry").value, "-1");
  assert.equal(find(".dp-entry").getAttribute("aria-invalid"), "true");
  assert.equal(find(".dp-problem").textContent, "It must be positive.");
  host.respond({stage});
  assert.equal(find(".dp-entry").hasAttribute("aria-invalid"), false);
  assert.ok(find(".dp-problem").hidden);
});

test("a slider moves by its keys and shows its text at once", async () => {
  const {host, find} = await openFields();
  const slider = find(".dp-range");
  assert.equal(slider.value, "1");
  press(slider, "ArrowRight");
  assert.equal(slider.getAttribute("aria-valuetext"), "2");
  assert.equal(find(".dp-entry").value, "2");
  press(slider, "End");
  assert.equal(slider.getAttribute("aria-valuetext"), "4");
  assert.deepEqual(host.requests.map(({set, how}) => [set, how]), [[{epsilon: "2"}, "push"]]);
});

test("a slider that is pointed at has the steps beside it fetched, nearest first", async () => {
  const {host, find} = await openFields();
  find(".dp-range").dispatchEvent(new MouseEvent("pointerenter"));
  assert.deepEqual(host.lastRequest.prefetch, [{epsilon: "2"}, {epsilon: "0.5"}, {epsilon: "4"}]);
});

test("a step that was not ready in time is requested again, alone, and no others of a setting that takes so long", async () => {
  const {host, find} = await openFields();
  find(".dp-range").dispatchEvent(new MouseEvent("pointerenter"));
  host.answer();
  await until(() => host.requests.length === 2);
  assert.deepEqual(host.lastRequest.prefetch, [{epsilon: "2"}]);
  host.answer({bodies: [[["prefetched", {epsilon: "2"}], stageBytes({}, "./Gaussian_bounds?epsilon=2")]]});
  await wait(700);
  assert.equal(host.requests.length, 2);
});

test("a step that a busy server did not render is not requested again", async () => {
  const {host, find} = await openFields();
  find(".dp-range").dispatchEvent(new MouseEvent("pointerenter"));
  host.answer({busy: true});
  await wait(700);
  assert.equal(host.requests.length, 1);
});

test("a step that was fetched is drawn at once", async () => {
  const {host, find} = await openFields();
  find(".dp-range").dispatchEvent(new MouseEvent("pointerenter"));
  host.answer({bodies: [[["prefetched", {epsilon: "2"}], stageBytes({}, "./Gaussian_bounds?epsilon=2")]]});
  press(find(".dp-range"), "ArrowRight");
  assert.equal(document.querySelector(".dp-answer-text").textContent, "At ε = 2");
});

test("a value between two steps stands between them on the slider", async () => {
  const {find} = await openFields({epsilon: {...EPSILON, used: "3", value: 3}});
  assert.equal(find(".dp-range").getAttribute("step"), "any");
  assert.equal(find(".dp-range").value, "2.5");
});

test("options are radio buttons where they are short, and a list where they are not", async () => {
  const {host, find} = await openFields({scheme: SCHEME});
  assert.equal(find("input:checked").value, "add");
  find("input[value=replace]").click();
  assert.deepEqual(host.lastRequest.set, {scheme: "replace"});
  const options = {...SCHEME.options, other: "A name that takes more room than there is in one row"};
  const long = await openFields({scheme: {...SCHEME, options}});
  assert.equal(long.find("select").value, "add");
});

test("a field of several lines is sent when it is left, not at Enter", async () => {
  const {host, find} = await openFields({counts: COUNTS});
  const box = find("textarea");
  box.value = "1, 2, 3";
  press(box, "Enter");
  assert.deepEqual(host.requests, []);
  box.dispatchEvent(new Event("change"));
  assert.deepEqual(host.lastRequest.set, {counts: "1, 2, 3"});
});

test("an option that needs own data opens their fields, unless the session has them, and a link opens them always", async () => {
  const link = {label: "Use my own table", key: "box", option: "own", slot: "table"};
  const table = {label: "Table", symbol: "table", options: {sample: "A sample", own: "My own"}, used: "sample", value: 0, link};
  const {host, stage, find} = await openFields({table});
  const box = document.createElement("details");
  box.className = "st-key-box";
  box.innerHTML = "<details><summary></summary></details>";
  let openings = 0;
  box.querySelector("summary").addEventListener("click", () => (openings += 1));
  document.body.append(box);
  box.scrollIntoView = () => {};
  const choose = (option) => find(`input[value=${option}]`).dispatchEvent(new Event("change"));
  choose("own");
  assert.equal(openings, 1);
  assert.deepEqual(host.lastRequest.set, {table: "own"});
  host.respond({stage, data: {table: "token"}});
  choose("own");
  assert.equal(openings, 1);
  box.querySelector("details").open = false;
  find(".dp-field-link").click();
  assert.equal(openings, 2);
});

test("fields that are unfolded stay so where they hold others that are folded", async () => {
  const {unfold} = await new FakeHost().module("browser/streamlit_host.js");
  document.body.innerHTML = `<div class="st-key-box"><details open><summary>A</summary><details><summary>B</summary></details></details></div>`;
  const clicks = [];
  document.addEventListener("click", (event) => clicks.push(event.target.textContent));
  unfold("box");
  assert.deepEqual(clicks, []);
  document.querySelector("details").removeAttribute("open");
  unfold("box");
  assert.deepEqual(clicks, ["A"]);
});

test("a search sends what is typed for its matches alone, and a match sets the place from which on the list is drawn", async () => {
  const FIRST = {...EPSILON, label: "Find a cell", steps: ["1", "41"], search: [64, 40], used: "1", value: 1};
  const {host, stage, find} = await openFields({first_cell: FIRST});
  const box = find("input[type=search]");
  box.value = " prague ";
  box.dispatchEvent(new Event("input"));
  await until(() => host.requests.length === 1);
  assert.equal(host.lastRequest.find, "prague");
  assert.equal(host.lastRequest.set, undefined);
  host.respond({n: host.lastRequest.n, stage, bodies: [[["matches"], pack({text: "prague", found: [["17", "Prague <b>"]], total: 3})]]});
  assert.equal(find(".dp-matches").textContent, "Prague <b>and 2 more");
  press(box, "Enter");
  await until(() => host.lastRequest.set?.first_cell === "17");
  host.respond({n: host.lastRequest.n, stage: {...stage, fields: {first_cell: {...FIRST, used: "17", value: 17}}}});
  assert.equal(find(".dp-places").textContent, "‹17–56 of 64›");
  find(".dp-places button").click();
  await until(() => host.lastRequest.set?.first_cell === "1");
});

test("the button below fields says that they are filled in, stays below new ones, and goes with its text", async () => {
  const host = await new FakeHost().open();
  const fields = {answered: {symbol: "a", label: "A", options: {no: "No", yes: "Yes"}, used: "no"}, most: {symbol: "m", label: "M", options: {1: "1", 2: "2"}, used: "1"}};
  const show = (keys, done) => host.respond({stage: {controls: [], fields, parts: [{kind: "fields", keys, done}]}});
  const button = () => document.querySelector(".dp-done");
  show(["answered"]);
  assert.equal(button(), null);
  show(["answered"], ["answered", "yes", "Show the answer"]);
  assert.equal(button().textContent, "Show the answer");
  show(["answered", "most"], ["answered", "yes", "That is all"]);
  assert.equal(button().parentElement.lastElementChild, button());
  assert.equal(button().textContent, "That is all");
  button().click();
  await until(() => host.requests.length === 1);
  assert.deepEqual(host.requests[0].set, {answered: "yes"});
  show(["answered", "most"]);
  assert.equal(button(), null);
});
