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
