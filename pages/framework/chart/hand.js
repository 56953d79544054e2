// The hand in a chart: the handle of a marker, clicks, fingers.

// --------------------------------------------------------------------------------------------- the handle of a marker
// A line across the chart, named in the figure by the key of a parameter, marks its value, and is dragged to set it.

function unmarked({data, layout}, marks) {
  const hide = (one) => (marks.includes(one.name) ? {name: one.name} : one);
  return {data, layout: {...layout, title: null, shapes: layout.shapes.map(hide), annotations: layout.annotations.map(hide)}};
}

function markOf(chart, key) {
  const {shapes, annotations} = chart.drawn.layout;
  const shape = shapes.findIndex((one) => one.name === key), note = annotations.findIndex((one) => one.name === key);
  return {
    from: shapes[shape]?.x0,
    line: chart.plot.querySelector(`.shapelayer [data-index="${shape}"]`),
    note: chart.plot.querySelector(`.annotation[data-index="${note}"]`),
  };
}

function pixelOf(chart, value) {
  const axis = chart.plot._fullLayout?.xaxis;
  return axis ? axis.d2p(value) : NaN;
}

// Moves what is drawn, not what Plotly knows; the next drawing makes both agree.
function moveMarks(chart) {
  return chart.marks.every((key) => moveMark(chart, key));
}

function moveMark(chart, key) {
  const text = chart.hand.textOf(key), value = chart.hand.valueOf(key), {from, line, note} = markOf(chart, key);
  const by = pixelOf(chart, value) - pixelOf(chart, from);
  if (!line || !note || !Number.isFinite(by)) return false;
  moved = performance.now();
  for (const part of [line, note]) part.style.transform = Math.abs(by) > 0.01 ? `translateX(${by}px)` : "";
  const words = note.querySelector(".annotation-text");
  if (Math.abs(by) > 0.01 && words) words.textContent = `${chart.hand.fieldOf(key).symbol} = ${text}`;
  placeHandle(chart, key, text, value);
  return true;
}

function placeHandle(chart, key, text, value) {
  const {xaxis, yaxis} = chart.plot._fullLayout, field = chart.hand.fieldOf(key);
  if (!field?.steps.length) return;
  let handle = chart.handles.get(key);
  if (!handle) chart.handles.set(key, (handle = newHandle(chart, key, field)));
  const x = pixelOf(chart, value);
  handle.hidden = !(x >= -1 && x <= xaxis._length + 1);
  Object.assign(handle.style, {left: `${xaxis._offset + x}px`, top: `${yaxis._offset - 22}px`, height: `${yaxis._length + 22}px`});
  handle.setAttribute("aria-valuenow", stepOf(field.steps, value));
  handle.setAttribute("aria-valuetext", text);
  handle.tabIndex = chart.frame.closest(".dp-lead") ? 0 : -1; // one tab stop, not one a chart
}

function newHandle(chart, key, field) {
  const handle = element("div", "dp-handle", chart.box, {
    role: "slider", "aria-label": `${field.label}, in the chart`, "aria-valuemin": 0, "aria-valuemax": field.steps.length - 1, "data-key": key,
  });
  handle.onpointerdown = (event) => {
    if (event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    handle.focus({preventScroll: true});
    globalThis.Plotly.Fx.unhover(chart.plot); // what it says is soon that of another place
    chart.hand.near(key);
  };
  handle.onpointerenter = () => chart.hand.near(key);
  handle.onfocus = () => chart.hand.near(key);
  handle.onpointermove = (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return void hoverBeneath(chart, event);
    const {steps} = chart.hand.fieldOf(key);
    chart.hand.turn(key, steps[stepOf(steps, pointedAt(chart, event).x)], true);
  };
  handle.onpointerup = handle.onpointercancel = () => chart.hand.rest(key);
  handle.onkeydown = (event) => {
    const step = keyStep(event, chart.hand.fieldOf(key).steps, chart.hand.valueOf(key));
    if (step !== undefined) chart.hand.turn(key, step, true);
  };
  handle.onkeyup = () => chart.hand.rest(key);
  handle.onblur = () => chart.hand.rest(key);
  return handle;
}

// The step to which a key moves a slider, from a value that may lie between steps.
function keyStep(event, steps, value) {
  const by = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9}[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  event.preventDefault();
  const below = steps.filter((step) => Number(step) < value).length, on = Number(steps[below]) === value;
  const from = on || by < 0 ? below : below - 1; // from between two steps the next one counts as one
  return steps[Math.max(0, Math.min(steps.length - 1, from + by))];
}

function hoverBeneath(chart, {clientX, clientY}) {
  chart.plot.querySelector(".nsewdrag")?.dispatchEvent(new MouseEvent("mousemove", {clientX, clientY, bubbles: true}));
}

// The step nearest to a value: by ratio where it can be, since scales are logarithmic.
function stepOf(steps, value) {
  const by = (step) => (value > 0 && step > 0 ? Math.abs(Math.log(step / value)) : Math.abs(step - value));
  let best = 0;
  steps.forEach((step, place) => { if (by(Number(step)) < by(Number(steps[best]))) best = place; });
  return best;
}

function pointedAt(chart, {clientX, clientY}) {
  const {xaxis, yaxis} = chart.plot._fullLayout, {left, top} = chart.plot.getBoundingClientRect();
  const px = clientX - left - xaxis._offset, py = clientY - top - yaxis._offset;
  const inside = px >= 0 && px <= xaxis._length && py >= 0 && py <= yaxis._length;
  return {x: xaxis.p2d(px), y: yaxis.p2d(py), inside};
}

// ------------------------------------------------------------------------------------------------- clicks and fingers

function watchClick(chart, down) {
  if (down.button !== 0 || down.pointerType === "touch" || !chart.drawn) return;
  const onUp = (up) => {
    removeEventListener("pointerup", onUp, true);
    if (Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < 4) pick(chart, up);
  };
  addEventListener("pointerup", onUp, true);
}

function pick(chart, event) {
  const {x, y, inside} = pointedAt(chart, event), set = {};
  if (!inside) return;
  [x, y].forEach((value, axis) => {
    const field = chart.hand.fieldOf(chart.picks[axis]);
    if (field?.steps.length && Number.isFinite(value)) set[chart.picks[axis]] = field.steps[stepOf(field.steps, value)];
  });
  if (Object.keys(set).length) chart.hand.set(set);
}

// One finger scrolls the page (the browser does that), a tap asks for the numbers, two fingers zoom.
function watchFingers(chart) {
  const glass = element("div", "dp-glass", chart.box), fingers = new Map();
  let start = null;
  const pair = () => [...fingers.values()];
  glass.onpointerdown = (event) => {
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY]});
    if (fingers.size === 2) start = pinchStart(chart, pair());
  };
  glass.onpointermove = (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    Object.assign(finger, {x: event.clientX, y: event.clientY});
    if (fingers.size === 2 && start) pinch(chart, start, pair());
  };
  glass.onpointerup = (event) => {
    const finger = fingers.get(event.pointerId);
    const tapped = finger && !start && Math.hypot(finger.x - finger.from[0], finger.y - finger.from[1]) < 8;
    fingers.delete(event.pointerId);
    if (fingers.size === 0) start = null;
    if (!tapped || !chart.drawn) return;
    hoverBeneath(chart, event);
    pick(chart, event);
  };
  glass.onpointercancel = (event) => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) start = null;
  };
}

function pinchStart(chart, [a, b]) {
  if (!chart.drawn) return null;
  const {xaxis, yaxis} = chart.plot._fullLayout, {left, top} = chart.plot.getBoundingClientRect();
  const middle = {x: ((a.x + b.x) / 2 - left - xaxis._offset) / xaxis._length, y: 1 - ((a.y + b.y) / 2 - top - yaxis._offset) / yaxis._length};
  return {apart: Math.hypot(a.x - b.x, a.y - b.y), x: [...xaxis.range], y: [...yaxis.range], middle};
}

function pinch(chart, start, [a, b]) {
  const by = start.apart / Math.max(20, Math.hypot(a.x - b.x, a.y - b.y));
  const zoomed = ([low, high], middle) => {
    const at = low + middle * (high - low);
    return [at + (low - at) * by, at + (high - at) * by];
  };
  cancelAnimationFrame(chart.pinching);
  chart.pinching = requestAnimationFrame(() =>
    globalThis.Plotly.relayout(chart.plot, {"xaxis.range": zoomed(start.x, start.middle.x), "yaxis.range": zoomed(start.y, start.middle.y)}));
}

function resetZoom(chart) {
  const {xaxis, yaxis} = chart.figure.layout;
  globalThis.Plotly.relayout(chart.plot, Object.fromEntries([["xaxis", xaxis], ["yaxis", yaxis]].flatMap(([name, axis]) =>
    axis.range ? [[`${name}.range`, [...axis.range]]] : [[`${name}.autorange`, true]])));
}
