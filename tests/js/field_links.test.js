import assert from "node:assert/strict";
import {test} from "node:test";
import {FakeHost} from "./fake_host.js";

test("content that the fields get later does not scroll the page away from what was gone to meanwhile", async () => {
  const host = await new FakeHost().open(), observers = [], places = [];
  globalThis.ResizeObserver = class {
    constructor(callback) {
      this.callback = callback;
    }

    observe() {
      observers.push(this.callback);
    }

    disconnect() {
      observers.splice(observers.indexOf(this.callback), 1);
    }
  };
  const grow = () => observers.forEach((callback) => callback([]));
  for (const key of ["table_box", "answer_box"]) {
    const fields = document.createElement("div");
    fields.className = `st-key-${key}`;
    fields.scrollIntoView = () => places.push(key);
    document.body.append(fields);
  }
  const {goToFields} = await host.module("browser/field_links.js");
  assert.ok(goToFields("table_box"));
  grow();
  assert.ok(goToFields("answer_box"));
  grow();
  assert.deepEqual(places, ["table_box", "answer_box"]);
  assert.equal(goToFields("nothing"), false);
});

/** Draw the box of own data into a part of the page. */
function drawBox(parent, isOpen, scrollIntoView) {
  document.querySelector(".st-key-own_table_box")?.remove();
  const box = document.createElement("div");
  box.className = "st-key-own_table_box";
  box.innerHTML = `<details ${isOpen ? "open" : ""}><summary>Own</summary>${isOpen ? "<textarea></textarea>" : ""}</details>`;
  box.scrollIntoView = box.querySelector("summary").scrollIntoView = scrollIntoView;
  parent.append(box);
}

test("fields that a run of Python draws in another place are followed there, and get the focus", async () => {
  const host = await new FakeHost().open(), places = [], main = document.querySelector(".stMain");
  const above = document.createElement("div");
  main.prepend(above);
  drawBox(main, false, () => places.push("below"));
  const {goToFields} = await host.module("browser/field_links.js");
  assert.ok(goToFields("own_table_box"));
  drawBox(above, true, () => places.push("above"));
  await new Promise((resolve) => setTimeout(resolve));
  main.append(document.createElement("p")); // whatever else the run draws
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(places.at(-1), "above");
  assert.equal(document.activeElement.tagName, "TEXTAREA");
});

test("who does something else meanwhile keeps the focus there", async () => {
  const host = await new FakeHost().open(), places = [], main = document.querySelector(".stMain");
  drawBox(main, true, () => places.push("own data"));
  const {goToFields} = await host.module("browser/field_links.js");
  assert.ok(goToFields("own_table_box"));
  const button = main.appendChild(document.createElement("button"));
  await new Promise((resolve) => setTimeout(resolve));
  places.length = 0;
  button.dispatchEvent(new Event("pointerdown", {bubbles: true}));
  button.focus();
  main.append(document.createElement("p")); // as a run of Python draws
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(document.activeElement, button);
  assert.deepEqual(places, []);
});

test("who folds the box of own data goes back to the link that leads to it, or else to the folded box", async () => {
  await new FakeHost().open();
  const stage = document.querySelector(".dp-stage"), main = document.querySelector(".stMain");
  const link = document.createElement("a");
  link.href = "#own_table_box";
  link.scrollIntoView = () => {};
  stage.append(link);
  drawBox(main, true);
  document.querySelector(".st-key-own_table_box summary").click();
  drawBox(main, false, () => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(document.activeElement, link);
  link.remove();
  drawBox(main, true);
  document.querySelector(".st-key-own_table_box summary").click();
  drawBox(main, false, () => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(document.activeElement, document.querySelector(".st-key-own_table_box summary"));
});
