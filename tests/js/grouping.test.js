import assert from "node:assert/strict";
import {test} from "node:test";
import {groupedText, ungroupedText} from "../../pages/framework/browser/grouping.js";

test("a long whole number is shown in groups of three digits, and entered with or without them", () => {
  for (const [plain, grouped] of [["146000", "146,000"], ["60000", "60,000"], ["1234567890", "1,234,567,890"], ["≈112000", "≈112,000"]]) {
    assert.equal(groupedText(plain), grouped);
    assert.equal(ungroupedText(grouped), plain);
  }
});

test("any other text stays as it was entered", () => {
  for (const text of ["2026", "0.146000", "1e6", "best", "-146000", "1/100000", "", "1,5", "12,34", "1234567890123456"]) {
    assert.equal(groupedText(text), text);
    assert.equal(ungroupedText(text), text);
  }
});
