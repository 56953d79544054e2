// A chart that is redrawn, never rebuilt. `stage.js` makes one for every chart of the page and hands it each new figure.
// `plotlyPath` is set by Python, which sends all scripts as one.
const TYPES = {f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array};
const NEAR = 200; // px around what is visible that count as visible
const LARGE = 1.6; // how much larger type and lines are in a presentation and in full screen
const charts = new Set();
const waiting = new Set(); // charts whose picture is older than their figure
let loading, watcher, resizer, timer, lastDraw = 0, moved = 0;

// `hand` has what a chart asks of the page: fieldOf(key), textOf(key), turn(key, text, held), near(key).
function newChart(host, hand) {
  const frame = element("figure", "dp-chart", host, {role: "figure"});
  const chart = {
    frame, hand, handles: new Map(), seen: null, width: 0,
    title: element("h2", "dp-title", frame), subtitle: element("p", "dp-subtitle", frame), box: element("div", "dp-plot", frame),
    legend: element("div", "dp-legend", frame), hidden: new Set(),
  };
  chart.plot = element("div", "", chart.box);
  chart.plot.chart = chart;
  chart.plot.setAttribute("aria-hidden", "true"); // the figure has words of its own
  chart.plot.addEventListener("pointerdown", (event) => watchClick(chart, event), true);
  watchFingers(chart);
  charts.add(chart);
  return chart;
}

function setChart(chart, part, {dark, height}) {
  const old = chart.figure, {figure} = part;
  Object.assign(chart, {name: part.name, picks: part.picks, marks: part.marks, dark, height});
  chart.frame.dataset.chart = part.name;
  chart.frame.setAttribute("aria-label", part.alt);
  setHtml(chart.title, part.title);
  setHtml(chart.subtitle, part.subtitle);
  showLegend(chart, figure);
  figure.layout.uirevision ??= part.name;
  figure.data = share(figure.data, old?.data);
  chart.figure = figure;
  // Where only the marker moved, it is moved at once, and the rest of the picture is left for an idle moment.
  chart.lazy = Boolean(chart.drawn && chart.marks.length && same(unmarked(figure, chart.marks), unmarked(chart.drawn, chart.marks)) && moveMarks(chart));
  chart.plot.style.height = `${plotHeight(chart)}px`;
  if (chart.seen === null) {
    if (!watcher?.root?.isConnected) watcher = new IntersectionObserver(onSight, {root: document.querySelector(".stMain"), rootMargin: `${NEAR}px 0px`});
    resizer ??= new ResizeObserver(onSize);
    chart.seen = isNear(chart.plot);
    watcher.observe(chart.plot);
    resizer.observe(chart.plot);
  }
  waiting.add(chart);
  if (timer?.idle && !chart.lazy) stopTimer();
  loadPlotly().then(pump, (error) => sayUndrawn(chart, error));
}

function closeChart(chart) {
  waiting.delete(chart);
  charts.delete(chart);
  watcher?.unobserve(chart.plot);
  resizer?.unobserve(chart.plot);
  if (chart.drawn) globalThis.Plotly.purge(chart.plot);
  chart.frame.remove();
}

// Draw again what another size or type needs.
function redraw(chart) {
  chart.lazy = false;
  chart.plot.style.height = `${plotHeight(chart)}px`;
  waiting.add(chart);
}

function plotHeight(chart) {
  if (isFull(chart)) return innerHeight - chart.plot.getBoundingClientRect().top + chart.frame.getBoundingClientRect().top - 12;
  return chart.height?.(chart) ?? chart.figure.layout.height ?? 450;
}

const isFull = (chart) => document.fullscreenElement === chart.frame;
const largeness = (chart) => (isFull(chart) || chart.frame.closest(".dp-present") ? LARGE : 1);

// ---------------------------------------------------------------------------------------------------------- drawing

function loadPlotly() {
  if (globalThis.Plotly) return Promise.resolve();
  const root = document.querySelector('script[type=module][src*="static/js/"]').src.replace(/static\/js\/.*/, "");
  return (loading ??= import(new URL(plotlyPath, root)).then(() => {
    if (!globalThis.Plotly) throw new Error("Plotly is missing");
  }));
}

function stopTimer() {
  timer?.();
  timer = null;
}

// Charts in sight come first, from the top, one a frame; the others when the browser is idle.
function pump() {
  if (timer || waiting.size === 0 || !globalThis.Plotly) return;
  const urgent = [...waiting].some((chart) => chart.seen && !chart.lazy);
  const rest = [...waiting].every((chart) => chart.lazy) ? 500 - (performance.now() - moved) : 0; // not while it moves on
  const go = () => {
    timer = null;
    const next = firstWaiting();
    try {
      if (next) draw(next);
    } finally {
      pump(); // one chart that can't be drawn does not keep the others waiting
    }
  };
  if (rest > 0) {
    const id = setTimeout(() => ((timer = null), pump()), rest);
    timer = () => clearTimeout(id);
    timer.idle = true;
  } else if (!urgent) {
    const idle = globalThis.requestIdleCallback; // Safari has none
    const id = idle ? idle(go, {timeout: 600}) : setTimeout(go, 50);
    timer = () => (idle ? cancelIdleCallback(id) : clearTimeout(id));
    timer.idle = true;
  } else if (performance.now() - lastDraw > 100 || document.hidden) {
    const id = setTimeout(go);
    timer = () => clearTimeout(id);
  } else {
    let id = requestAnimationFrame(() => ((id = null), afterPaint(go)));
    timer = () => id && cancelAnimationFrame(id);
  }
}

function wake() {
  if (timer?.idle) stopTimer();
  pump();
}

function afterPaint(go) {
  const {port1, port2} = new MessageChannel();
  port1.onmessage = go;
  port2.postMessage(0);
}

function firstWaiting() {
  const rank = (chart) => (chart.lazy ? 2 : chart.seen ? 0 : 1);
  const place = new Map([...charts].map((chart, at) => [chart, at]));
  return [...waiting].sort((a, b) => rank(a) - rank(b) || place.get(a) - place.get(b))[0];
}

function draw(chart) {
  waiting.delete(chart);
  const {plot, figure} = chart;
  chart.width = plot.clientWidth;
  if (chart.width === 0) return; // hidden: drawn when it gets a width
  const {data, layout} = enlarged({data: figure.data.map((trace) => copied(trace)), layout: copied(figure.layout, true)}, largeness(chart));
  delete layout.title; // stands above the chart as text
  Object.assign(layout, {width: chart.width, height: plotHeight(chart), autosize: false});
  layout.showlegend = false; // stands below the chart, where it can wrap
  for (const trace of data) if (chart.hidden.has(groupOf(trace))) trace.visible = false;
  if (isCoarse()) layout.dragmode = false;
  try {
    globalThis.Plotly.react(plot, data, layout, {displayModeBar: false, displaylogo: false, showSendToCloud: false});
  } catch (error) {
    return sayUndrawn(chart, error);
  }
  lastDraw = performance.now();
  if (!chart.drawn) plot.on("plotly_relayout", () => moveMarks(chart));
  chart.drawn = figure;
  moveMarks(chart);
}

function sayUndrawn({plot}, error) {
  plot.textContent = `This chart can't be drawn: ${error.message}. Its numbers are in the menu below.`;
  plot.removeAttribute("aria-hidden");
}

const isCoarse = () => matchMedia("(pointer: coarse)").matches;

// The legend, as buttons below the chart that hide a curve and show it again.
const groupOf = (trace) => trace.legendgroup ?? trace.name;
function showLegend(chart, {data, layout}) {
  const named = data.filter((trace) => trace.showlegend !== false && trace.name && (layout.showlegend ?? data.length > 1));
  const entries = named.filter((trace, place) => named.findIndex((other) => groupOf(other) === groupOf(trace)) === place);
  const id = JSON.stringify(entries.map(({name, line, marker, mode, type, fillcolor}) => [name, line, marker?.color, marker?.symbol, mode, type, fillcolor]));
  chart.legend.hidden = entries.length === 0;
  if (chart.legend.told === id) return;
  chart.legend.told = id;
  chart.legend.replaceChildren(...entries.map((trace) => {
    const group = groupOf(trace), button = element("button", "", null, {type: "button", "aria-pressed": String(!chart.hidden.has(group))});
    button.innerHTML = swatch(trace);
    element("span", "", button).textContent = plainText(trace.name);
    button.onclick = () => {
      if (!chart.hidden.delete(group)) chart.hidden.add(group);
      button.setAttribute("aria-pressed", String(!chart.hidden.has(group)));
      redraw(chart);
      wake();
    };
    return button;
  }));
}

const DASHES = {solid: "", dot: "2 3", dash: "7 4", longdash: "11 4", dashdot: "7 3 2 3", longdashdot: "11 3 2 3"};
function swatch({line, marker, mode = "lines", type, fillcolor, fill}) {
  const colour = (typeof line?.color === "string" && line.color) || (typeof marker?.color === "string" && marker.color) || fillcolor || "currentColor";
  const safe = /^[#a-z0-9(),.% ]+$/i.test(colour) ? colour : "currentColor";
  const dash = DASHES[line?.dash] ?? line?.dash?.replace(/px/g, "").replace(/,/g, " ") ?? "";
  const parts = [];
  if (type === "bar" || type === "histogram" || (fill && !line?.width)) parts.push(`<rect x="3" y="1" width="22" height="10" fill="${/^[#a-z0-9(),.% ]+$/i.test(fillcolor ?? "") ? fillcolor : safe}"/>`);
  else if (mode.includes("lines")) parts.push(`<path d="M0 6H28" stroke="${safe}" stroke-width="${Math.min(line?.width ?? 2, 4)}" stroke-dasharray="${/^[\d. ]*$/.test(dash) ? dash : ""}"/>`);
  if (mode.includes("markers")) parts.push(marker?.symbol === "x" ? `<path d="M10 2l8 8m0-8l-8 8" stroke="${safe}" stroke-width="3"/>` : `<circle cx="14" cy="6" r="4" fill="${safe}"/>`);
  return `<svg width="28" height="12" aria-hidden="true">${parts.join("")}</svg>`;
}

// The words of a text of Plotly's, which knows a few tags.
function plainText(markup) {
  const box = document.createElement("template");
  box.innerHTML = markup; // of a template nothing is loaded or run
  return box.content.textContent;
}

// Type and lines of a figure, larger by a factor.
function enlarged(figure, by) {
  if (by === 1) return figure;
  const walk = (value, key) => {
    if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
    for (const [name, part] of Object.entries(value)) {
      const isSize = typeof part === "number" && ((name === "size" && (/font$/.test(key) || key === "marker")) || (name === "width" && key === "line"));
      value[name] = isSize ? part * by : walk(part, Array.isArray(value) ? key : name);
    }
    return value;
  };
  walk(figure.data, "data");
  walk(figure.layout, "layout");
  const {layout} = figure, {margin} = layout;
  layout.hoverlabel = {...layout.hoverlabel, font: {size: 13 * by, ...layout.hoverlabel?.font}};
  for (const side of ["t", "r", "b"]) margin[side] *= by;
  return figure;
}

function onSight(entries) {
  for (const {target: {chart}, isIntersecting} of entries) chart.seen = isIntersecting;
  wake();
}

function onSize(entries) {
  for (const {target: {chart}} of entries) if (Math.abs(chart.plot.clientWidth - chart.width) >= 1) redraw(chart);
  wake();
}

function isNear(node) {
  const {top, bottom} = node.getBoundingClientRect();
  return bottom > -NEAR && top < innerHeight + NEAR;
}

function drawAll() {
  for (const chart of [...waiting]) draw(chart);
}

async function toggleFull(chart) {
  if (document.fullscreenElement) return document.exitFullscreen();
  chart.frame.style.background = getComputedStyle(document.querySelector(".stApp")).backgroundColor;
  chart.frame.onfullscreenchange = () => requestAnimationFrame(() => (redraw(chart), wake()));
  await chart.frame.requestFullscreen();
}

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

// ------------------------------------------------------------------------------------------------------------- data

function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = bytes.byteOffset + 4 + size;
  const told = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const arrays = told.arrays.map(([type, from, length, shape]) => {
    const flat = new TYPES[type](bytes.buffer.slice(start + from, start + from + length)); // aligned anew
    return shape ? Array.from({length: shape[0]}, (_, row) => flat.subarray(row * shape[1], (row + 1) * shape[1])) : flat;
  });
  const fill = (value) => {
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return arrays[value.$];
    for (const key in value) value[key] = fill(value[key]);
    return value;
  };
  return fill(told);
}

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || a.constructor !== b.constructor) return false;
  if (ArrayBuffer.isView(a)) return a.length === b.length && a.every((value, place) => Object.is(value, b[place]));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

// Plotly.react takes an array for unchanged only if it is the very same object.
function share(now, old) {
  if (old === undefined || now === null || typeof now !== "object") return now;
  if (ArrayBuffer.isView(now) || (Array.isArray(now) && typeof now[0] !== "object")) return same(now, old) ? old : now;
  for (const key in now) now[key] = share(now[key], old?.[key]);
  return now;
}

// Plotly writes into the objects that it is given, and into the short lists of a layout, but not into those of a trace.
function copied(value, isLayout = false) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return isLayout || value[0]?.constructor === Object ? value.map((part) => copied(part, isLayout)) : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part, isLayout)]));
}

function element(tag, kind, parent, attributes = {}) {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent?.append(node);
  return node;
}

function setHtml(node, markup) {
  if (node.markup !== markup) node.innerHTML = node.markup = markup;
  node.hidden = !markup;
}
