import assert from "node:assert/strict";
import {test} from "node:test";
import {escapeTex} from "../../pages/framework/browser/citation.js";

test("what TeX would read as a command is escaped once", () => {
  assert.equal(escapeTex("95 % of {a_b} & c#$"), "95 \\% of \\{a\\_b\\} \\& c\\#\\$");
  assert.equal(escapeTex("a\\b ~ e^x"), "a\\textbackslash{}b \\textasciitilde{} e\\textasciicircum{}x");
});
