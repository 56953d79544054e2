import assert from "node:assert/strict";
import {test} from "node:test";
import {complementText} from "../../pages/framework/browser/complement.js";

test("a confidence and its significance level are each other's decimal complement", () => {
  for (const [shown, linked] of [["0.95", "0.05"], ["0.999", "0.001"], ["0.68", "0.32"], ["0.5", "0.5"]]) {
    assert.equal(complementText(shown), linked);
    assert.equal(complementText(linked), shown);
  }
});

test("percents, leading points and decimal commas are understood", () => {
  assert.equal(complementText("95 %"), "0.05");
  assert.equal(complementText("99.5%"), "0.005");
  assert.equal(complementText(".9"), "0.1");
  assert.equal(complementText("0,95"), "0.05");
});

test("any other text comes back as it was typed", () => {
  for (const text of ["abc", "19/20", "1e-12", "95", "0", "1", "", "0.0"]) {
    assert.equal(complementText(text), `1-(${text})`);
    assert.equal(complementText(complementText(text)), text);
  }
});
