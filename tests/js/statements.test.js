import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost, until} from "./fake_host.js";

const statement = (length, text) => `<section class='dp-statement' data-length='${length}'><p>${text}</p><button data-copy='statement'>Copy</button><button data-add='statement_${length}'>Add to report</button></section>`;
const panel = (epsilon) => `<fieldset class='dp-lengths'>${["public", "paper", "experts"].map((key) => `<input type='radio' name='dp-length' value='${key}'>`).join("")}</fieldset>
  ${statement("public", `noise ${epsilon}`)}${statement("paper", `ε = ${epsilon}`)}${statement("experts", `b = ${epsilon}`)}`;
const stage = {answerButtons: {say: "Say it"}};

async function openPanel() {
  const host = await new FakeHost().open();
  host.respond({stage});
  document.querySelector("[data-panel=say]").click();
  await until(() => host.lastRequest?.panel === "say");
  host.answer({stage, bodies: [[["panel", "say"], panel(1)]]});
  return host;
}

const shown = () => [...document.querySelectorAll(".dp-statement")].filter((text) => !text.hidden).map((text) => text.querySelector("p").textContent);

function choose(length) {
  const input = document.querySelector(`.dp-lengths [value=${length}]`);
  input.checked = true;
  input.dispatchEvent(new Event("change", {bubbles: true}));
}

test("one statement is shown, the chosen one, and at another setting that one again", async () => {
  const host = await openPanel();
  assert.deepEqual(shown(), ["noise 1"]);
  choose("paper");
  assert.deepEqual(shown(), ["ε = 1"]);
  host.respond({link: "./Gaussian_bounds?epsilon=2", stage});
  assert.equal(document.querySelector(".dp-statement"), null);
  await until(() => host.requests.filter((request) => request.panel === "say").length === 2);
  host.answer({link: "./Gaussian_bounds?epsilon=2", stage, bodies: [[["panel", "say"], panel(2)]]});
  assert.deepEqual(shown(), ["ε = 2"]);
  assert.equal(document.querySelector(".dp-lengths input:checked").value, "paper");
});

test("the statement in sight is copied or added to the report", async () => {
  const host = await openPanel();
  choose("experts");
  const copied = [], visible = document.querySelector(".dp-statement:not([hidden])");
  Object.defineProperty(globalThis, "navigator", {configurable: true, value: {clipboard: {writeText: async (text) => void copied.push(text)}}});
  visible.querySelector("[data-copy]").click();
  await until(() => copied.length);
  assert.deepEqual(copied, ["b = 1"]);
  await until(() => [...document.querySelectorAll("[role=status]")].some((note) => note.textContent === "The statement is copied."));
  visible.querySelector("[data-add]").click();
  await until(() => host.lastRequest.add);
  assert.equal(host.lastRequest.add, "statement_experts");
});
