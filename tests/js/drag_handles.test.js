import assert from "node:assert/strict";
import {beforeEach, test} from "node:test";
import {FakeHost} from "./fake_host.js";

const STEPS = ["0.5", "1", "2", "4"];

// A plot 200 px wide and 100 px high, whose x axis goes from 0 to 4 and whose y axis from 0 to 1.
const LAYOUT = {
  xaxis: {d2p: (value) => value * 50, p2d: (px) => px / 50, _offset: 10, _length: 200, range: [0, 4]},
  yaxis: {d2p: (value) => 100 - value * 100, p2d: (py) => 1 - py / 100, _offset: 5, _length: 100, range: [0, 1]},
};

let handles, chart, calls, value;

beforeEach(async () => {
  const host = new FakeHost();
  handles = await host.module("chart/drag_handles.js");
  const {newChart} = await host.module("chart/chart.js");
  calls = [];
  value = 1;
  const field = {label: "Privacy loss", symbol: "ε", steps: STEPS};
  chart = newChart(document.querySelector(".st-stage"), {
    field: (key) => (key === "epsilon" ? field : undefined), text: () => String(value), value: () => value,
    move: (key, text) => calls.push(["move", key, text]), release: (key) => calls.push(["release", key]),
    set: (entries) => calls.push(["set", entries]), prefetch: (key) => calls.push(["prefetch", key]),
  });
  const layout = {title: "", shapes: [{name: "epsilon", x0: 1}], annotations: [{name: "epsilon", x: 1}], xaxis: {range: [0, 4]}, yaxis: {}};
  chart.plot.innerHTML = `<svg><g class="shapelayer"><path data-index="0"/></g><g class="annotation" data-index="0">
    <text class="annotation-text">ε = 1</text></g></svg><div class="nsewdrag"></div>`;
  Object.assign(chart, {figure: {data: [], layout}, drawnFigure: {data: [], layout}, marks: ["epsilon"], picks: ["epsilon", null]});
  chart.plot._fullLayout = LAYOUT;
});

const point = (type, px, py = 50, more = {}) =>
  new PointerEvent(type, {bubbles: true, cancelable: true, button: 0, clientX: 10 + px, clientY: 5 + py, ...more});

function handle() {
  handles.moveMarkers(chart);
  const node = chart.handles.get("epsilon");
  node.setPointerCapture = () => {};
  return node;
}

test("a marker and its label move to the value that is being set", () => {
  value = 2;
  assert.ok(handles.moveMarker(chart, "epsilon"));
  assert.equal(chart.plot.querySelector("path").style.transform, "translateX(50px)");
  assert.equal(chart.plot.querySelector(".annotation-text").textContent, "ε = 2");
});

test("a marker that moves back to where it was drawn has its own label again", () => {
  chart.plot.querySelector(".annotation-text").textContent = "one person: ε = 1";
  value = 2;
  handles.moveMarker(chart, "epsilon");
  value = 1;
  handles.moveMarker(chart, "epsilon");
  assert.equal(chart.plot.querySelector(".annotation-text").textContent, "one person: ε = 1");
});

test("the handle of a low marker lies in its part of the plot, and that of another one above it", () => {
  const [high] = chart.drawnFigure.layout.shapes;
  Object.assign(high, {yref: "y domain", y0: 0, y1: 1});
  const alone = handle();
  assert.deepEqual([alone.style.top, alone.style.height], ["-17px", "122px"]);
  chart.drawnFigure.layout.shapes.push({name: "delta", x0: 1, yref: "y domain", y0: 0, y1: 0.25}, {x0: 2, yref: "y domain", y0: 0, y1: 0.5});
  chart.drawnFigure.layout.annotations.push({name: "delta", x: 1});
  chart.plot.querySelector(".shapelayer").insertAdjacentHTML("beforeend", `<path data-index="1"/>`);
  chart.plot.querySelector("svg").insertAdjacentHTML("beforeend", `<g class="annotation" data-index="1"></g>`);
  chart.marks = ["epsilon", "delta"];
  chart.controls.field = () => ({label: "", symbol: "", steps: STEPS});
  handles.moveMarkers(chart);
  const [above, below] = ["epsilon", "delta"].map((key) => chart.handles.get(key).style);
  assert.deepEqual([above.top, above.height], ["-17px", "97px"]);
  assert.deepEqual([below.top, below.height], ["80px", "25px"]);
});

test("a marker that is a function of its parameter lies where the figure says that each step is, on the axis of when the drag began", () => {
  chart.drawnFigure.layout.meta = {places: {epsilon: {at: 1, x: [3, 1.5, 0.75, 0.375]}}}; // as an error falls with ε
  chart.drawnFigure.layout.shapes[0].x0 = 1.5;
  const node = handle();
  assert.equal(node.style.left, "85px");
  value = 2;
  handles.moveMarker(chart, "epsilon");
  assert.equal(node.style.left, "47.5px");
  node.hasPointerCapture = () => true;
  node.dispatchEvent(point("pointerdown", 75));
  chart.plot._fullLayout = {...LAYOUT, xaxis: {...LAYOUT.xaxis, p2d: (px) => px / 5, range: [0, 40]}};
  node.dispatchEvent(point("pointermove", 140));
  assert.deepEqual(calls.at(-1), ["move", "epsilon", "0.5"]);
  node.dispatchEvent(point("pointermove", 40));
  assert.deepEqual(calls.at(-1), ["move", "epsilon", "2"]);
});

test("a marker that is the unit of its axis stays, and is dragged by the factor on the value when the drag began", () => {
  chart.drawnFigure.layout.meta = {places: {epsilon: {at: 1}}};
  const node = handle();
  node.hasPointerCapture = () => true;
  node.dispatchEvent(point("pointerdown", 50));
  node.dispatchEvent(point("pointermove", 100));
  assert.deepEqual(calls.at(-1), ["move", "epsilon", "2"]);
  value = 2;
  handles.moveMarker(chart, "epsilon");
  assert.equal(node.style.left, "60px");
  assert.equal(chart.plot.querySelector("path").style.transform, "");
  chart.drawnFigure.layout.meta = {places: {epsilon: {at: 2}}}; // drawn again while it is dragged
  node.dispatchEvent(point("pointermove", 195));
  assert.deepEqual(calls.at(-1), ["move", "epsilon", "4"]);
  node.dispatchEvent(point("pointermove", 25));
  assert.deepEqual(calls.at(-1), ["move", "epsilon", "0.5"]);
});

test("a marker that Plotly has not drawn can't be moved", () => {
  chart.plot._fullLayout = undefined;
  assert.equal(handles.moveMarkers(chart), false);
});

test("the handle lies over its marker and says its step and its text", () => {
  const node = handle();
  assert.equal(node.style.left, "60px");
  assert.equal(node.getAttribute("aria-valuenow"), "1");
  assert.equal(node.getAttribute("aria-valuetext"), "1");
  value = 100;
  handles.moveMarkers(chart);
  assert.ok(node.hidden);
});

test("a marker that the chart no longer has leaves no handle", () => {
  const node = handle();
  chart.marks = [];
  handles.moveMarkers(chart);
  assert.equal(chart.handles.size, 0);
  assert.equal(node.isConnected, false);
});

test("a handle that is dragged moves its parameter to the nearest step, and is released", () => {
  const node = handle();
  node.dispatchEvent(point("pointerdown", 50));
  node.hasPointerCapture = () => true;
  node.dispatchEvent(point("pointermove", 105));
  node.dispatchEvent(point("pointerup", 105));
  assert.deepEqual(calls.filter(([name]) => name !== "prefetch"), [["move", "epsilon", "2"], ["release", "epsilon"]]);
});

test("a point is dragged to the nearest steps of both parameters, and hidden where the figure has none", () => {
  const field = {label: "Power", symbol: "TPR", steps: ["0.2", "0.5", "0.8"]}, {controls} = chart;
  const fieldOfEpsilon = controls.field;
  Object.assign(controls, {field: (key) => fieldOfEpsilon(key) ?? field, text: () => "1"});
  Object.assign(chart, {picks: ["epsilon", "power"]});
  handles.placePoint(chart);
  assert.equal(chart.handles.has("point"), false);
  chart.drawnFigure.layout.meta = {point: true};
  value = 0.5;
  handles.moveMarkers(chart);
  const node = chart.handles.get("point");
  assert.deepEqual([node.style.left, node.style.top], ["35px", "55px"]);
  node.setPointerCapture = () => {};
  node.hasPointerCapture = () => true;
  node.dispatchEvent(point("pointerdown", 25));
  node.dispatchEvent(point("pointermove", 105, 18));
  node.dispatchEvent(point("pointerup", 105, 18));
  assert.deepEqual(calls.filter(([name]) => name !== "prefetch"), [
    ["set", {epsilon: "2", power: "0.8"}], ["release", "epsilon"], ["release", "power"],
  ]);
  delete chart.drawnFigure.layout.meta;
  handles.placePoint(chart);
  assert.ok(node.hidden);
});

test("a handle and a point that are dragged past the ends of the axes stop there, and not at the step nearest to 0", () => {
  const field = {label: "Rate", symbol: "α", steps: ["1e-10", "0.01", "0.5", "4"]};
  chart.controls.field = () => field;
  chart.drawnFigure.layout.meta = {point: true};
  chart.picks = ["epsilon", "power"];
  const line = handle(), node = chart.handles.get("point");
  for (const dragged of [line, node]) {
    dragged.setPointerCapture = () => {};
    dragged.hasPointerCapture = () => true;
    dragged.dispatchEvent(point("pointermove", -30, 130));
    dragged.dispatchEvent(point("pointermove", 300, 99.5));
  }
  assert.deepEqual(calls, [
    ["move", "epsilon", "0.01"], ["move", "epsilon", "4"],
    ["set", {epsilon: "0.01", power: "0.01"}], ["set", {epsilon: "4", power: "0.01"}],
  ]);
});

test("a pointer that only passes over a handle lets the chart below show its numbers", () => {
  const node = handle();
  let hovers = 0;
  chart.plot.querySelector(".nsewdrag").addEventListener("mousemove", () => hovers++);
  node.hasPointerCapture = () => false;
  node.dispatchEvent(point("pointermove", 105));
  assert.equal(hovers, 1);
  assert.deepEqual(calls, []);
});

test("the arrow keys move a handle by one step, the page keys by ten, Home and End to the ends", async () => {
  const node = handle();
  for (const key of ["ArrowRight", "ArrowLeft", "PageDown", "End", "a"]) node.dispatchEvent(new KeyboardEvent("keydown", {key}));
  assert.deepEqual(calls.filter(([name]) => name === "move").map(([, , text]) => text), ["2", "0.5", "0.5", "4"]);
});

test("from between two steps a key goes to the next one", () => {
  value = 1.5;
  const node = handle();
  for (const key of ["ArrowRight", "ArrowLeft"]) node.dispatchEvent(new KeyboardEvent("keydown", {key, cancelable: true}));
  assert.deepEqual(calls.map(([, , text]) => text), ["2", "1"]);
});

test("a click sets the parameter of an axis, a drag and a click beside the plot set none", () => {
  chart.plot.dispatchEvent(point("pointerdown", 50));
  dispatchEvent(point("pointerup", 110));
  chart.plot.dispatchEvent(point("pointerdown", -5));
  dispatchEvent(point("pointerup", -5));
  assert.deepEqual(calls, []);
  chart.plot.dispatchEvent(point("pointerdown", 190));
  dispatchEvent(point("pointerup", 191));
  assert.deepEqual(calls, [["set", {epsilon: "4"}]]);
});

test("a tap of a finger sets the parameter, two fingers zoom about their middle", async () => {
  const glass = chart.box.querySelector(".dp-glass"), finger = (id) => ({pointerId: id, pointerType: "touch"});
  glass.dispatchEvent(point("pointerdown", 100, 50, finger(1)));
  glass.dispatchEvent(point("pointerup", 101, 50, finger(1)));
  assert.deepEqual(calls, [["set", {epsilon: "2"}]]);
  const zoomed = new Promise((resolve) => (globalThis.Plotly.relayout = (plot, ranges) => resolve(ranges)));
  glass.dispatchEvent(point("pointerdown", 75, 50, finger(1)));
  glass.dispatchEvent(point("pointerdown", 125, 50, finger(2)));
  glass.dispatchEvent(point("pointermove", 50, 50, finger(1)));
  glass.dispatchEvent(point("pointermove", 150, 50, finger(2)));
  assert.deepEqual((await zoomed)["xaxis.range"], [1, 3]);
});

test("figures that differ in nothing but their markers are the same without them", async () => {
  const {isSame} = await new FakeHost().module("chart/figure_data.js");
  const figure = (x, y) => ({data: [{x: new Float32Array([1, y])}], layout: {shapes: [{name: "epsilon", x0: x}], annotations: [], title: String(x)}});
  const same = (a, b) => isSame(handles.withoutMarkers(a, ["epsilon"]), handles.withoutMarkers(b, ["epsilon"]));
  assert.ok(same(figure(1, 2), figure(3, 2)));
  assert.ok(!same(figure(1, 2), figure(1, 3)));
});

test("a marker on the second x axis is dragged by its own values", () => {
  chart.drawnFigure.layout.shapes[0].xref = "x2";
  chart.plot._fullLayout = {...LAYOUT, xaxis2: {d2p: (value) => value * 20, p2d: (px) => px / 20, _offset: 110, _length: 80, range: [0, 4]}};
  const node = handle();
  assert.equal(node.style.left, "130px");
  node.hasPointerCapture = () => true;
  node.dispatchEvent(point("pointermove", 140)); // 40 px from where the second axis begins
  assert.deepEqual(calls.at(-1), ["move", "epsilon", "2"]);
});
