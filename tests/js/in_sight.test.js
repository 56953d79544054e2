import assert from "node:assert/strict";
import {test} from "node:test";
import {explainedInSight, tracesInSight} from "../../pages/framework/browser/in_sight.js";
import {shareLegend} from "../../pages/framework/chart/export_legend.js";

const RANGES = {xaxis: [0, 1], yaxis: [1, 2]};
const isSeen = (trace, ranges = RANGES, layout = {}) => tracesInSight([trace], layout, ranges).length === 1;

test("a curve is in sight where a part of it lies within the ends, though none of its points does", () => {
  const line = (x, y, more = {}) => ({x, y, line: {}, ...more});
  assert.ok(isSeen(line([-1, 2], [0, 3])));
  assert.ok(!isSeen(line([-1, 0.5], [1.2, 4.3]))); // it passes by a corner
  assert.ok(isSeen(line([0, 1], [2, 2]))); // along the edge
  assert.ok(!isSeen(line([-1, NaN, 2], [0, 1.5, 3]))); // a gap
  assert.ok(!isSeen(line([-1, 2], [0, 3], {mode: "markers"})));
  assert.ok(isSeen(line(new Float64Array([0.5]), new Float64Array([1.5]), {mode: "markers"})));
  assert.ok(isSeen(line([-1, 0.5], [1.2, 4.3], {line: {shape: "hv"}})));
  assert.ok(isSeen(line([0.2, 0.8], [1.5, 1.5]), {xaxis: [1, 0], yaxis: [2, 1]})); // turned axes
  assert.ok(!isSeen(line([0.2, 0.8], [1.5, 1.5], {yaxis: "y2"}), {...RANGES, yaxis2: [3, 4]}));
});

test("a log axis has the ends of its logarithms, and its zeros are gaps", () => {
  const layout = {yaxis: {type: "log"}};
  assert.ok(isSeen({x: [0, 1], y: [10, 100]}, RANGES, layout));
  assert.ok(!isSeen({x: [0, 1], y: [1.5, 1.8]}, RANGES, layout));
  assert.ok(!isSeen({x: [0, 1], y: [0, 1000]}, RANGES, layout));
});

test("an area is in sight where it reaches into the ends, and what has no place is left alone", () => {
  const above = {x: [0, 1], y: [3, 3]}, below = {x: [0, 1], y: [0.5, 0.5]};
  assert.deepEqual([above, {...above, fill: "tozeroy"}, {...below, fill: "tozeroy"}, {...below, fill: "tonexty"}].map((trace) => isSeen(trace)), [false, true, false, true]);
  assert.ok(!isSeen({x: [2, 3], y: [0.5, 0.5], fill: "tonexty"}));
  assert.ok(isSeen({...above, y: [30, 300], fill: "tozeroy"}, RANGES, {yaxis: {type: "log"}}) && isSeen({x: [-1, 2, 2], y: [0, 0, 3], fill: "toself"}));
  assert.ok([{type: "bar", x: [5], y: [5]}, {x: [null], y: [null], mode: "markers"}, {x: ["a"], y: [1.5], mode: "markers"}].every((trace) => isSeen(trace, {yaxis: [1, 2]})));
});

test("only the explanation of a look that was there and is out of sight goes", () => {
  const dots = {line: {dash: "dot"}}, crosses = {marker: {symbol: "x"}}, words = "Up to ε = 8.782. Dotted: unproved. Red ×: fails. Grey: none. Thick: δ = 0.";
  assert.equal(explainedInSight(words, [dots, crosses], [crosses]), "Up to ε = 8.782. Red ×: fails. Grey: none. Thick: δ = 0.");
  assert.equal(explainedInSight(words, [dots, crosses], [dots, crosses]), words);
});

test("panels share the legend that has the entries of all, and no other one", () => {
  const entry = (name, dash = "solid") => ({type: "scatter", name, line: {dash}, x: [0, 1], y: [0, 1]});
  const figures = (...legends) => legends.map((data) => ({data, layout: {}})), names = ({data, layout}) => (layout.showlegend ? data.filter(({showlegend}) => showlegend).map(({name}) => name) : []);
  const both = figures([entry("A"), entry("B"), entry("C")], [entry("A"), entry("C")]);
  assert.equal(shareLegend(both, 1), true);
  assert.deepEqual(both.map(names), [[], ["A", "B", "C"]]);
  assert.equal(shareLegend(figures([entry("A"), entry("B")], [entry("A"), entry("B", "dot")]), 1), false);
  assert.equal(shareLegend(figures([entry("A"), entry("B")], [entry("A"), entry("C")]), 1), false);
  assert.equal(shareLegend(figures([entry("A"), entry("B")]), 0), false);
  assert.equal(shareLegend(figures([entry("A"), entry("B")], [{type: "heatmap"}]), 1), false);
});
