// Pointer input in a chart: dragging the handle of a marker, clicks, and zoom with two fingers.
import {element} from "../browser/dom.js";
import {required} from "../browser/required.js";
import {keyStep, stepIndex} from "./steps.js";

/** @typedef {import("./chart.js").Chart} Chart */
/** @typedef {import("../browser/types").Field} Field */
/** @typedef {{clientX: number, clientY: number}} Point */

// --------------------------------------------------------------------------------------------- the handle of a marker
// A line across the chart, named in the figure by the key of a parameter, marks its value, and is dragged to set it.

/** When a marker was moved last, in ms since the page was opened. */
export let lastMove = 0;

/**
 * Return a figure without the positions of its markers, for comparisons that ignore them.
 * @param {{data: any[], layout: any}} figure
 * @param {string[]} marks
 */
export function withoutMarkers({data, layout}, marks) {
  /** @param {{name: string}} shape */
  const hide = (shape) => (marks.includes(shape.name) ? {name: shape.name} : shape);
  return {data, layout: {...layout, title: null, shapes: layout.shapes.map(hide), annotations: layout.annotations.map(hide)}};
}

/**
 * Return the elements of a marker that is drawn, and the value at which it is drawn.
 * @param {Chart} chart
 * @param {string} key
 * @returns {{from: number, line: SVGElement | null, note: SVGElement | null}}
 */
function markerOf(chart, key) {
  const {shapes, annotations} = required(chart.drawnFigure).layout;
  /** @param {{name: string}} item */
  const isOfKey = (item) => item.name === key;
  const shape = shapes.findIndex(isOfKey), note = annotations.findIndex(isOfKey);
  return {
    from: shapes[shape]?.x0,
    line: chart.plot.querySelector(`.shapelayer [data-index="${shape}"]`),
    note: chart.plot.querySelector(`.annotation[data-index="${note}"]`),
  };
}

/**
 * Return the x axis that a marker is on.
 * @param {Chart} chart
 * @param {string} key
 */
function axisOf(chart, key) {
  const shape = chart.drawnFigure?.layout.shapes.find((/** @type {{name: string}} */ item) => item.name === key);
  return chart.plot._fullLayout?.[shape?.xref === "x2" ? "xaxis2" : "xaxis"];
}

/**
 * @param {Chart} chart
 * @param {string} key
 * @param {number} value
 */
function pixelOf(chart, key, value) {
  const axis = axisOf(chart, key);
  return axis ? axis.d2p(value) : NaN;
}

/**
 * Return where a value of a parameter is on the x axis: at the value or, for a marker that is a function of the parameter, such as the error
 * that an ε brings, where the figure says that the nearest step is; a marker that is the unit of the axis stays.
 * @param {Chart} chart
 * @param {string} key
 * @param {number} value
 * @returns {number}
 */
function placeOf(chart, key, value) {
  const places = placesOf(chart, key), steps = chart.controls.field(key)?.steps;
  if (!places || !steps) return value;
  return value === places.at || !places.x ? markerOf(chart, key).from : places.x[stepIndex(steps, value)];
}

/**
 * @param {Chart} chart
 * @param {string} key
 * @returns {{at: number, x?: number[]} | undefined} the value at which a marker is drawn, and where it is at each step;
 * without that, the value is the unit of the axis
 */
const placesOf = (chart, key) => chart.drawnFigure?.layout.meta?.places?.[key];

/**
 * Move all markers of a chart to their values, and remove the handles of those that it no longer has, as where a list
 * has become shorter; return whether they could be moved.
 * @param {Chart} chart
 */
export function moveMarkers(chart) {
  for (const [key, handle] of chart.handles) {
    if (key === "point" || chart.marks.includes(key)) continue;
    handle.remove();
    chart.handles.delete(key);
  }
  placePoint(chart);
  return chart.marks.every((key) => moveMarker(chart, key));
}

/**
 * Move a marker to its value: only the drawing changes, not Plotly's state; the next drawing makes both agree.
 * @param {Chart} chart
 * @param {string} key
 */
export function moveMarker(chart, key) {
  const text = chart.controls.text(key), value = chart.controls.value(key), {from, line, note} = markerOf(chart, key);
  const by = pixelOf(chart, key, placeOf(chart, key, value)) - pixelOf(chart, key, from);
  if (!line || !note || !Number.isFinite(by)) return false;
  lastMove = performance.now();
  for (const part of [line, note]) part.style.transform = Math.abs(by) > 0.01 ? `translateX(${by}px)` : "";
  const label = /** @type {SVGElement | null} */ (note.querySelector(".annotation-text"));
  if (label && Math.abs(by) > 0.01) {
    label.dataset.drawn ??= label.textContent ?? "";
    const shown = `${chart.controls.field(key)?.symbol} = ${text}`;
    if (label.textContent !== shown) label.textContent = shown; // else the page would be laid out once more
  } else if (label?.dataset.drawn) label.textContent = label.dataset.drawn; // back, as where the page uses another value
  placeHandle(chart, key, text, value);
  return true;
}

/**
 * @param {Chart} chart
 * @param {string} key
 * @param {string} text
 * @param {number} value
 */
function placeHandle(chart, key, text, value) {
  const {yaxis} = chart.plot._fullLayout, xaxis = axisOf(chart, key), field = chart.controls.field(key);
  if (!field?.steps?.length) return;
  let handle = chart.handles.get(key);
  if (!handle) chart.handles.set(key, (handle = newHandle(chart, key, field)));
  const x = pixelOf(chart, key, placeOf(chart, key, value)), {top, height} = spanOf(chart, key, yaxis);
  handle.hidden = !(x >= -1 && x <= xaxis._length + 1);
  Object.assign(handle.style, {left: `${xaxis._offset + x}px`, top: `${top}px`, height: `${height}px`});
  if (!handle.matches(":active")) handle.style.setProperty("--lift", `${liftOf(chart, x, height)}px`); // a grip that is held keeps its place
  handle.setAttribute("aria-valuenow", String(stepIndex(field.steps, value)));
  handle.setAttribute("aria-valuetext", text);
  handle.tabIndex = chart.frame.closest(".dp-lead")?.querySelector("figure") === chart.frame ? 0 : -1; // one tab stop, not one a chart
}

const GRIP = 24, LARGE_GRIP = 40; // px: the height of a grip, and in a presentation
const MOST_POINTS = 200; // of a trace whose marks are read one by one

/**
 * Return how far above the foot of the plot the grip of a handle stands, in px: above the marks that it would hide there.
 * @param {Chart} chart
 * @param {number} x the place of the handle, in px
 * @param {number} height of the handle
 */
function liftOf(chart, x, height) {
  const {xaxis, yaxis} = chart.plot._fullLayout, marks = /** @type {{low: number, high: number}[]} */ ([]);
  for (const trace of /** @type {any} */ (chart.plot)._fullData ?? []) {
    if (trace.visible !== true || !trace.mode?.includes("markers") || trace.marker?.opacity === 0 || trace.x.length > MOST_POINTS) continue;
    for (let n = 0; n < trace.x.length; n++) {
      const size = Number(trace.marker.size) || 6, up = yaxis._length - yaxis.d2p(trace.y[n]);
      if (Math.abs(xaxis.d2p(trace.x[n]) - x) < (size + 8) / 2) marks.push({low: up - size / 2, high: up + size / 2});
    }
  }
  const grip = chart.frame.closest(".dp-present, :fullscreen") ? LARGE_GRIP : GRIP;
  let lift = 0;
  for (const {low, high} of marks.sort((a, b) => a.low - b.low)) if (low < lift + grip && high > lift) lift = high + 3;
  return lift + grip <= height ? lift : 0;
}

/**
 * Return where the handle of a marker begins and how high it is, in pixels: across the plot and the label above it, but
 * for the lower part that a second marker of the same axis has; or in the row of a marker that spans values of the y axis.
 * @param {Chart} chart
 * @param {string} key
 * @param {any} yaxis
 */
function spanOf(chart, key, yaxis) {
  const {shapes} = required(chart.drawnFigure).layout, shape = shapes.find((/** @type {{name: string}} */ item) => item.name === key);
  if (shape?.yref) {
    /** @type {(other: {name: string, yref?: string, y1: number}) => boolean} */
    const isLow = (other) => chart.marks.includes(other.name) && Boolean(other.yref) && other.y1 < 1;
    const height = yaxis._length * shape.y1, top = yaxis._offset + yaxis._length - height;
    if (isLow(shape)) return {top, height};
    return {top: top - 22, height: height + 22 - yaxis._length * Math.max(0, ...shapes.filter(isLow).map((/** @type {{y1: number}} */ low) => low.y1))};
  }
  const ends = [shape.y0, shape.y1].map((y) => yaxis.d2p(y));
  return {top: yaxis._offset + Math.min(...ends), height: Math.abs(ends[1] - ends[0])};
}

/**
 * @param {Chart} chart
 * @param {string} key
 * @param {Field} field
 */
function newHandle(chart, key, field) {
  const {controls} = chart;
  const handle = element("div", "dp-handle", chart.box, {
    role: "slider", "aria-label": `${field.label}, in the chart`, "aria-valuemin": 0, "aria-valuemax": (field.steps?.length ?? 1) - 1, "data-key": key,
  });
  /** @type {{range: number[], length: number, at: number} | null} */
  let grip = null; // a linear axis as it was when the drag began: it may grow with what is dragged, which would then run away
  handle.onpointerdown = (event) => {
    if (event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    const axis = axisOf(chart, key), places = placesOf(chart, key);
    grip = places ? {range: [...axis.range], length: axis._length, at: places.at} : null;
    handle.focus(/** @type {FocusOptions} */ ({preventScroll: true, focusVisible: false}));
    globalThis.Plotly.Fx.unhover(chart.plot); // its numbers would be those of another position
    controls.prefetch(key);
  };
  handle.onpointerenter = handle.onfocus = () => controls.prefetch(key);
  handle.onpointermove = (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return hoverBeneath(chart, event);
    const steps = required(controls.field(key)?.steps);
    const axis = axisOf(chart, key), left = chart.plot.getBoundingClientRect().left + axis._offset;
    const places = placesOf(chart, key), pixel = event.clientX - left;
    if (!places || !grip) return controls.move(key, steps[stepIndex(steps, valueOnAxis(axis, pixel))]);
    const [start, end] = grip.range, value = start + (end - start) * Math.max(0, Math.min(1, pixel / grip.length));
    controls.move(key, steps[places.x ? stepIndex(places.x.map(String), value) : stepIndex(steps, grip.at * value)]);
  };
  handle.onkeydown = (event) => {
    const step = keyStep(event, controls.field(key)?.steps ?? [], controls.value(key));
    if (step !== undefined) controls.move(key, step);
  };
  handle.onpointerup = handle.onpointercancel = handle.onkeyup = handle.onblur = () => controls.release(key);
  return handle;
}

// A point that a figure names in its `meta` is where both parameters of the axes have their values: it sets both.

/**
 * Lay the handle of the point over the values of the parameters of both axes; hide it where there is none.
 * @param {Chart} chart
 */
export function placePoint(chart) {
  const {xaxis, yaxis} = chart.plot._fullLayout ?? {}, {controls, picks} = chart, [x, y] = picks;
  const isDragged = chart.drawnFigure?.layout.meta?.point && xaxis && picks.every((key) => controls.field(key)?.steps?.length);
  let handle = chart.handles.get("point");
  if (!isDragged) return void (handle && (handle.hidden = true));
  if (!handle) chart.handles.set("point", (handle = newPoint(chart)));
  const px = xaxis.d2p(controls.value(x)), py = yaxis.d2p(controls.value(y));
  handle.hidden = !(px >= -1 && px <= xaxis._length + 1 && py >= -1 && py <= yaxis._length + 1);
  Object.assign(handle.style, {left: `${xaxis._offset + px}px`, top: `${yaxis._offset + py}px`});
}

/** @param {Chart} chart */
function newPoint(chart) {
  const {controls} = chart;
  const handle = element("div", "dp-handle dp-point", chart.box, {"aria-hidden": "true"}); // keys move the fields of both
  handle.onpointerdown = (event) => {
    if (event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    globalThis.Plotly.Fx.unhover(chart.plot);
  };
  handle.onpointermove = (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return hoverBeneath(chart, event);
    const entries = stepsAt(chart, event), isMoved = Object.entries(entries).some(([key, step]) => step !== controls.text(key));
    if (isMoved) controls.set(entries, true);
  };
  handle.onpointerup = handle.onpointercancel = () => chart.picks.forEach((key) => controls.release(key));
  return handle;
}

/**
 * Return the steps of the parameters of the axes nearest to a point of the screen.
 * @param {Chart} chart
 * @param {Point} point
 */
function stepsAt(chart, point) {
  const {x, y} = pointAt(chart, point);
  /** @type {Record<string, string>} */
  const entries = {};
  [x, y].forEach((value, axis) => {
    const key = chart.picks[axis], field = chart.controls.field(key);
    if (field?.steps?.length && Number.isFinite(value)) entries[key] = field.steps[stepIndex(field.steps, value)];
  });
  return entries;
}

/**
 * Let Plotly show the numbers below a handle.
 * @param {Chart} chart
 * @param {Point} point
 */
function hoverBeneath(chart, {clientX, clientY}) {
  chart.plot.querySelector(".nsewdrag")?.dispatchEvent(new MouseEvent("mousemove", {clientX, clientY, bubbles: true}));
}

/**
 * Return the values of the axes at a point of the screen, and whether it lies inside the plot.
 * @param {Chart} chart
 * @param {Point} point
 */
function pointAt(chart, {clientX, clientY}) {
  const {xaxis, yaxis} = chart.plot._fullLayout, {left, top} = chart.plot.getBoundingClientRect();
  const px = clientX - left - xaxis._offset, py = clientY - top - yaxis._offset;
  const isInside = px >= 0 && px <= xaxis._length && py >= 0 && py <= yaxis._length;
  return {x: valueOnAxis(xaxis, px), y: valueOnAxis(yaxis, py), isInside};
}

/**
 * Return the value at a pixel of an axis. Beyond an end it is that of the end, less the half pixel that would make it 0
 * where a linear axis begins: the step nearest to 0 is the smallest of all, which the axis cannot show.
 * @param {any} axis
 * @param {number} pixel
 * @returns {number}
 */
function valueOnAxis(axis, pixel) {
  return axis.p2d(Math.max(0.5, Math.min(axis._length - 0.5, pixel)));
}

// ------------------------------------------------------------------------------------------------- clicks and fingers

/**
 * Pick a point where a button of the mouse goes down and comes up again.
 * @param {Chart} chart
 * @param {PointerEvent} down
 */
export function watchClick(chart, down) {
  if (down.button !== 0 || down.pointerType === "touch" || !chart.drawnFigure) return;
  /** @param {PointerEvent} up */
  const pickIfNear = (up) => {
    removeEventListener("pointerup", pickIfNear, true);
    if (Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < 4) pick(chart, up);
  };
  addEventListener("pointerup", pickIfNear, true);
}

/**
 * Set the parameters of the axes to their steps at a point.
 * @param {Chart} chart
 * @param {Point} point
 */
function pick(chart, point) {
  if (!pointAt(chart, point).isInside) return;
  const entries = stepsAt(chart, point);
  if (Object.keys(entries).length) chart.controls.set(entries);
}

/** @typedef {{x: number, y: number, from: [number, number]}} Finger */

/**
 * Show the numbers at a tap and zoom with two fingers; one finger scrolls the page.
 * @param {Chart} chart
 */
export function watchFingers(chart) {
  const glass = element("div", "dp-glass", chart.box);
  /** @type {Map<number, Finger>} */
  const fingers = new Map();
  /** @type {ReturnType<typeof pinchStart>} */
  let start = null;
  const isPinch = () => fingers.size === 2;
  /** @param {PointerEvent} event */
  const lift = (event) => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) start = null;
  };
  glass.onpointerdown = (event) => {
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY]});
    if (isPinch()) start = pinchStart(chart, [...fingers.values()]);
  };
  glass.onpointermove = (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    Object.assign(finger, {x: event.clientX, y: event.clientY});
    if (isPinch() && start) pinch(chart, start, [...fingers.values()]);
  };
  glass.onpointerup = (event) => {
    const finger = fingers.get(event.pointerId);
    const isTap = finger && !start && Math.hypot(finger.x - finger.from[0], finger.y - finger.from[1]) < 8;
    lift(event);
    if (!isTap || !chart.drawnFigure) return;
    hoverBeneath(chart, event);
    pick(chart, event);
  };
  glass.onpointercancel = lift;
}

/**
 * Return where two fingers are when they begin to zoom, and what the axes show then.
 * @param {Chart} chart
 * @param {Finger[]} fingers
 */
function pinchStart(chart, [a, b]) {
  if (!chart.drawnFigure) return null;
  const {xaxis, yaxis} = chart.plot._fullLayout, {left, top} = chart.plot.getBoundingClientRect();
  const middle = {x: ((a.x + b.x) / 2 - left - xaxis._offset) / xaxis._length, y: 1 - ((a.y + b.y) / 2 - top - yaxis._offset) / yaxis._length};
  return {distance: Math.hypot(a.x - b.x, a.y - b.y), x: [...xaxis.range], y: [...yaxis.range], middle};
}

/**
 * @param {Chart} chart
 * @param {NonNullable<ReturnType<typeof pinchStart>>} start
 * @param {Finger[]} fingers
 */
function pinch(chart, start, [a, b]) {
  const by = start.distance / Math.max(20, Math.hypot(a.x - b.x, a.y - b.y));
  /** @type {(range: number[], middle: number) => number[]} */
  const zoom = ([low, high], middle) => {
    const at = low + middle * (high - low);
    return [at + (low - at) * by, at + (high - at) * by];
  };
  cancelAnimationFrame(chart.pinching);
  chart.pinching = requestAnimationFrame(() =>
    globalThis.Plotly.relayout(chart.plot, {"xaxis.range": zoom(start.x, start.middle.x), "yaxis.range": zoom(start.y, start.middle.y)}));
}

/** @param {Chart} chart */
export function resetZoom(chart) {
  const {xaxis, yaxis} = required(chart.figure).layout;
  /** @type {(name: string, axis: {range?: number[]}) => object} */
  const ownRange = (name, {range}) => (range ? {[`${name}.range`]: [...range]} : {[`${name}.autorange`]: true});
  globalThis.Plotly.relayout(chart.plot, {...ownRange("xaxis", xaxis), ...ownRange("yaxis", yaxis)});
}
