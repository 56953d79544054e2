import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";
import {FakeHost} from "./fake_host.js";

// A plot 600 px wide and 300 px high, whose axes go from 0 to 10.
const AXIS = {type: "linear", range: [0, 10]};
const LAYOUT = {xaxis: {...AXIS, _offset: 50, _length: 600}, yaxis: {...AXIS, _offset: 20, _length: 300}};
const line = (name, y, more = {}) => ({name, x: [0, 10], y: [1, y], mode: "lines", line: {color: "#000000"}, ...more});

let legend, chart;

beforeEach(async () => {
  const host = new FakeHost();
  legend = await host.module("chart/legend.js");
  const {newChart} = await host.module("chart/chart.js");
  chart = newChart(document.querySelector(".st-stage"), {});
  chart.width = 800;
});

function show(data, layout = LAYOUT) {
  const figure = {data, layout: {...layout, showlegend: true}};
  legend.showLegend(chart, figure, () => {});
  chart.plot.data = data.filter(({name}) => !chart.hidden.has(name));
  chart.plot._fullLayout = figure.layout;
  legend.placeNames(chart, 1);
}

const words = (host) => [...host.querySelectorAll("button")].map((button) => button.textContent);
const tops = () => Object.fromEntries([...chart.names.children].map((button) => [button.textContent, Math.round(parseFloat(button.style.top))]));

test("a name stands at the right end of its line, and what is no line in the legend", () => {
  show([line("a", 5), line("b", 8), {name: "points", x: [10], y: [2], mode: "markers"}]);
  assert.deepEqual(tops(), {a: 170, b: 80});
  assert.equal(chart.names.firstChild.style.left, "654px");
  assert.deepEqual(words(chart.legend), ["points"]);
});

test("a line between whose points the plot ends has its name where it leaves the plot", () => {
  show([line("a", 9, {x: [0, 20]})]);
  assert.deepEqual(tops(), {a: 20 + 300 * (1 - 0.5)});
});

test("a line that leaves the plot below, or ends before another one, has its name in the legend", () => {
  show([line("below", -1), line("short", 5, {x: [0, 6]}), line("long", 8)]);
  assert.deepEqual(words(chart.names), ["long"]);
  assert.deepEqual(words(chart.legend), ["below", "short"]);
});

test("near names are moved apart in their order, and more than three go to the legend", () => {
  show([line("a", 5), line("b", 5.1), line("c", 9)]);
  assert.ok(tops().a - tops().b >= 16);
  show([line("a", 5), line("b", 5.1), line("c", 5.2), line("d", 5.3)]);
  assert.deepEqual(words(chart.names), []);
  assert.deepEqual(words(chart.legend), ["a", "b", "c", "d"]);
});

test("a line that is hidden goes back to its place in the legend", () => {
  const data = [line("a", 2), line("b", 5), line("c", 8)];
  show(data);
  chart.entries.get("b").click();
  show(data);
  assert.deepEqual(words(chart.legend), ["b"]);
  chart.entries.get("b").click();
  show(data);
  assert.deepEqual(words(chart.names).sort(), ["a", "b", "c"]);
});

test("a logarithmic axis counts by powers", () => {
  show([line("a", 100)], {...LAYOUT, yaxis: {...LAYOUT.yaxis, type: "log", range: [0, 4]}});
  assert.deepEqual(tops(), {a: 170});
});

test("a narrow chart has all names in its legend", () => {
  chart.width = 390;
  show([line("a", 5), line("b", 8)]);
  assert.deepEqual(words(chart.names), []);
});

test("the room of the names grows and does not shrink while the picture stays", () => {
  const figure = (...data) => ({data, layout: {...LAYOUT, height: 400, uirevision: "p", showlegend: true, margin: {t: 20, r: 10, b: 80, l: 50}}});
  const roomOf = (shown, px) => {
    legend.showLegend(chart, shown, () => {});
    for (const button of chart.entries.values()) Object.defineProperty(button, "offsetWidth", {configurable: true, value: px});
    legend.makeRoomForNames(chart, shown, 1);
    return shown.layout.margin.r;
  };
  assert.equal(roomOf(figure(line("a", 5), line("b", 8)), 100), 108);
  assert.equal(roomOf(figure(line("a", -5), line("b", -8)), 100), 108);
  assert.equal(roomOf(figure(line("c", 5), line("d", 8)), 150), 158);
});

test("a name beside a line that ends within the plot has its room in the plot that this makes narrower", () => {
  const shown = {data: [line("a", 5, {x: [0, 9]}), line("b", 8, {x: [0, 9]})], layout: {...LAYOUT, height: 400, uirevision: "p", showlegend: true, margin: {t: 20, r: 10, b: 80, l: 50}}};
  legend.showLegend(chart, shown, () => {});
  for (const button of chart.entries.values()) Object.defineProperty(button, "offsetWidth", {configurable: true, value: 150});
  legend.makeRoomForNames(chart, shown, 1);
  const {l, r} = shown.layout.margin, length = chart.width - l - r;
  chart.plot.data = shown.data;
  chart.plot._fullLayout = {...shown.layout, xaxis: {...LAYOUT.xaxis, _length: length}};
  legend.placeNames(chart, 1);
  assert.deepEqual(words(chart.names).sort(), ["a", "b"]);
  assert.ok(l + 0.9 * length + 4 + 150 <= chart.width);
});
