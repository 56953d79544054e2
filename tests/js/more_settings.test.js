import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost} from "./fake_host.js";

const number = (symbol, used = "1") => ({label: symbol, caption: symbol, symbol, steps: ["0.5", "1", "2"], used, value: Number(used)});
const FIELDS = {epsilon: number("ε"), delta: number("δ"), level: number("level")};

async function openStage(more = {keys: ["delta", "level"], changed: 0}, head = {}) {
  const host = await new FakeHost().open();
  const stage = {controls: ["epsilon"], moreSettings: more, fields: FIELDS};
  host.respond({stage, ...head});
  return {host, stage, fold: document.querySelector(".dp-controls details")};
}

test("more settings are folded below the other fields and say how many there are", async () => {
  const {fold} = await openStage();
  assert.equal(fold.open, false);
  assert.equal(fold.querySelector("summary").textContent.trim(), "More settings (2)");
  assert.deepEqual([...fold.querySelectorAll(".dp-field")].map((node) => node.dataset.key), ["delta", "level"]);
  assert.deepEqual([...document.querySelectorAll(".dp-known-fields .dp-field")].map((node) => node.dataset.key), ["epsilon"]);
});

test("the fold is marked where a field in it is not at its default", async () => {
  const {host, stage, fold} = await openStage({keys: ["delta", "level"], changed: 2});
  const mark = fold.querySelector(".dp-changed");
  assert.deepEqual([mark.textContent, mark.hidden], ["2 changed", false]);
  host.respond({stage: {...stage, moreSettings: {keys: ["delta", "level"], changed: 0}}});
  assert.equal(mark.hidden, true);
});

test("the fold that the user has opened stays open while settings change", async () => {
  const {host, stage, fold} = await openStage();
  fold.open = true;
  host.respond({stage: {...stage, moreSettings: {keys: ["delta"], changed: 1}}});
  assert.equal(fold.open, true);
  assert.equal(fold.querySelectorAll(".dp-field").length, 1);
});

test("the fold opens where a text in it cannot be used, and its field says why", async () => {
  const {fold} = await openStage(undefined, {entered: {delta: ["2", "It must be less than 1."]}});
  assert.equal(fold.open, true);
  assert.equal(fold.querySelector("[data-key=delta] .dp-problem").textContent, "It must be less than 1.");
});

test("a problem of a field in sight leaves the fold as it is", async () => {
  const {fold} = await openStage(undefined, {entered: {epsilon: ["-1", "It must be positive."]}});
  assert.equal(fold.open, false);
});

test("without more settings there is no fold, and without any field no column", async () => {
  const {host, fold} = await openStage({keys: [], changed: 0});
  assert.equal(fold.hidden, true);
  assert.equal(document.querySelector(".dp-controls").hidden, false);
  host.respond({stage: {controls: [], fields: {}}});
  assert.equal(document.querySelector(".dp-controls").hidden, true);
});

test("a number in the fold that comes from another page says so in sight, as no note of a folded field does", async () => {
  const {host, stage} = await openStage(undefined, {carried: {delta: ["A table", ""], epsilon: ["A table", ""]}});
  const notice = document.querySelector(".dp-changes");
  assert.deepEqual([notice.textContent, notice.hidden], ["As on “A table”: δ = 1.", false]);
  host.respond({stage, carried: {delta: ["A table", "0.5"], level: ["A series", ""]}});
  const sentences = [...notice.children].map((node) => node.textContent);
  assert.deepEqual(sentences, ["Changed on “A table”, and so here: δ from 0.5 to 1.", "As on “A series”: level = 1."]);
  const confidence = {...number("significance level", "0.05"), caption: "confidence", complement: "1 − the significance level"};
  host.respond({stage: {...stage, fields: {...FIELDS, level: confidence}}, carried: {level: ["A series", "0.1"]}});
  assert.equal(notice.textContent, "Changed on “A series”, and so here: confidence from 0.9 to 0.95.");
  host.respond({stage, carried: {}});
  assert.equal(notice.hidden, true);
});
