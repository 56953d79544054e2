import assert from "node:assert/strict";
import {test} from "node:test";
import {N_DRAWS, draw, reportOf} from "../../pages/framework/browser/randomize.js";

// The weights of dpcore.local.other_option_draws at ε = 1 with 2 and 6 options, and at ε = 8 with 3.
const CASES = [[2, 2422408970132805], [6, 1166995382512391], [3, 3019541042337]];

test("each option has exactly as many draws as its weight says, for every answer", () => {
  for (const [nOptions, weight] of CASES) {
    for (let answer = 0; answer < nOptions; answer++) {
      const ends = Array.from({length: nOptions - 1}, (_, step) => (step + 1) * weight);
      const runs = [0, ...ends].map((first, place) => [first, (ends[place] ?? N_DRAWS) - 1]);
      const reports = runs.map(([first, last]) => {
        assert.equal(reportOf(answer, nOptions, weight, first), reportOf(answer, nOptions, weight, last));
        return reportOf(answer, nOptions, weight, first);
      });
      assert.equal(reports.at(-1), answer);
      assert.deepEqual([...reports].sort(), [...Array(nOptions).keys()]);
      assert.ok(ends.every(Number.isSafeInteger));
      assert.ok(N_DRAWS - ends.at(-1) >= weight);
    }
  }
});

test("a draw has 53 random bits", () => {
  const draws = Array.from({length: 4000}, draw);
  assert.ok(draws.every((drawn) => Number.isSafeInteger(drawn) && drawn >= 0 && drawn < N_DRAWS));
  for (let bit = 0; bit < 53; bit++) {
    const ones = draws.filter((drawn) => Math.floor(drawn / 2 ** bit) % 2).length;
    assert.ok(Math.abs(ones - 2000) < 6 * Math.sqrt(1000), `bit ${bit}: ${ones} of 4000`);
  }
});

test("reports have their probabilities within 5 standard errors", () => {
  const [nOptions, weight] = CASES[1], n = 60_000, counts = Array(nOptions).fill(0);
  for (let place = 0; place < n; place++) counts[reportOf(2, nOptions, weight, draw())]++;
  counts.forEach((count, option) => {
    const p = option === 2 ? 1 - (nOptions - 1) * (weight / N_DRAWS) : weight / N_DRAWS;
    assert.ok(Math.abs(count - n * p) < 5 * Math.sqrt(n * p * (1 - p)), `option ${option}: ${count}`);
  });
});
