// Made of browser/page.js and what it imports by `npm --prefix tests/js run bundle`: do not edit.
// Sources: 558bee2a79183a53f3e64f5a36ea5a1f02ebdbb74eef90efa4c401a45b22cef9

// browser/dom.js
function element(tag, kind, parent, attributes = {}) {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  parent?.append(node);
  return node;
}
var markups = /* @__PURE__ */ new WeakMap();
var markCut = (table) => void table.classList.toggle("dp-cut", table.scrollLeft + table.clientWidth < table.scrollWidth - 1);
var tableSizes = null;
function followTable(table) {
  tableSizes ??= new ResizeObserver((changes2) => changes2.forEach(({ target }) => markCut(target)));
  tableSizes.observe(table);
  table.onscroll = () => markCut(table);
}
function setHtml(node, markup) {
  if (markups.get(node) !== markup) {
    node.innerHTML = markup;
    for (const link2 of node.querySelectorAll('p > a[href^="#"]')) link2.parentElement?.classList.add("dp-jump");
    node.querySelectorAll(".scroll").forEach((table) => followTable(
      /** @type {HTMLElement} */
      table
    ));
  }
  markups.set(node, markup);
  node.hidden = !markup;
}
var pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// browser/required.js
function required(value) {
  if (value === null || value === void 0) throw new Error("A value that the page needs is missing.");
  return value;
}

// browser/streamlit_host.js
var setTrigger = () => {
};
function connect(setTriggerValue) {
  setTrigger = setTriggerValue;
}
function sendRequest(request2) {
  setTrigger("request", request2);
}
var app = () => (
  /** @type {HTMLElement | null} */
  document.querySelector("[data-testid=stApp]")
);
var isRunning = () => app()?.dataset.testScriptState !== "notRunning";
function runEnd() {
  if (!isRunning()) return Promise.resolve();
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => !isRunning() && (observer.disconnect(), resolve()));
    observer.observe(required(app()), { attributes: true, attributeFilter: ["data-test-script-state"] });
  });
}
var isReconnecting = false;
function openPage(url) {
  pushState({}, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
}
var pushState;
function followHistory({ isRefused, afterPush, afterStep: afterStep2 }) {
  pushState = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    if (isRefused(new URL(url ?? "", location.href))) return;
    pushState(state, title, url);
    afterPush();
  };
  const hearFirst = (
    /** @type {(event: PopStateEvent) => void} */
    (event) => {
      if (!isReconnecting && afterStep2()) event.stopImmediatePropagation();
    }
  );
  addEventListener("popstate", hearFirst, { capture: true });
}
function reopenAfterReconnection() {
  new MutationObserver(() => {
    isReconnecting = app()?.dataset.testConnectionState === "CONNECTED";
    if (isReconnecting) dispatchEvent(new PopStateEvent("popstate"));
    isReconnecting = false;
  }).observe(required(app()), { attributeFilter: ["data-test-connection-state"] });
}
function reloadAfterFailure() {
  const root = required(document.getElementById("root"));
  setInterval(() => root.childElementCount || performance.now() < 3e3 || location.reload(), 1e3);
}
var scroller = () => document.querySelector(".stMain");
function noteScrolling() {
  document.body.classList.toggle("dp-scrolled", (scroller()?.scrollTop ?? 0) > 20);
}
function closeNavigation({ target }) {
  const navigation = document.querySelector("[data-testid=stSidebar]"), chosen2 = (
    /** @type {Element} */
    target.closest("a")
  );
  if (innerWidth > 768 || !chosen2 || !navigation?.contains(chosen2)) return;
  navigation.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}
var background = () => getComputedStyle(required(document.querySelector(".stApp"))).backgroundColor;
function keepStyle() {
  document.head.append(required(document.querySelector(".stHtml > style")).cloneNode(true));
}
var keyedElement = (key) => document.querySelector(`.st-key-${CSS.escape(key)}`);
function unfold(key) {
  const details = keyedElement(key)?.querySelector("details");
  if (details && !details.hasAttribute("open")) details.querySelector("summary")?.click();
}
function ownDataBox(event) {
  const details = (
    /** @type {Element} */
    event.target.closest?.("summary")?.parentElement
  );
  const names = [...details?.closest("[class*='st-key-own_']")?.classList ?? []];
  const key = names.find((name) => /^st-key-own_\w+_box$/.test(name))?.slice("st-key-".length);
  return details && key && !details.closest(".st-key-beside_stage") ? { key, isOpen: details.hasAttribute("open") } : null;
}
function heightAboveStage(stage2) {
  const fields = keyedElement("above_stage");
  return fields ? stage2.getBoundingClientRect().top - fields.getBoundingClientRect().top : 0;
}
var uploaderOf = (event) => (
  /** @type {Element} */
  event.target.closest?.(".stFileUploader")
);
var firstEntry = (fields) => fields.querySelector("textarea, .stFileUploader section button");
function refusedFiles(uploader) {
  const entries = [...uploader.querySelectorAll("[data-testid=stFileChip][aria-invalid=true]:not(.dp-listed)")];
  return entries.map((entry) => {
    entry.classList.add("dp-listed");
    const chip = (
      /** @type {HTMLElement | null} */
      entry.querySelector("[data-testid=stFileChipName]")
    );
    const button = (
      /** @type {HTMLElement | null} */
      entry.querySelector("[data-testid=stFileChipDeleteBtn] button")
    );
    return { name: chip?.title ?? "The file", error: entry.querySelector("[role=alert]")?.textContent ?? "", remove: () => button?.click() };
  });
}
var loading;
function loadPlotly(path2) {
  if (globalThis.Plotly) return Promise.resolve();
  const script2 = (
    /** @type {HTMLScriptElement} */
    document.querySelector('script[type=module][src*="static/js/"]')
  );
  return loading ??= import(new URL(path2, script2.src.replace(/static\/js\/.*/, "")).href).then(() => {
    if (!globalThis.Plotly) throw new Error("Plotly is missing");
  });
}

// chart/steps.js
var KEY_STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9 };
function keyStep(event, steps, value, direction = 1) {
  const by = direction * KEY_STEPS[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey) return void 0;
  event.preventDefault();
  const below = steps.filter((step) => Number(step) < value).length, isStep = Number(steps[below]) === value;
  const from = isStep || by < 0 ? below : below - 1;
  return steps[Math.max(0, Math.min(steps.length - 1, from + by))];
}
function stepIndex(steps, value) {
  const distance = (step) => value > 0 && step > 0 ? Math.abs(Math.log(step / value)) : Math.abs(step - value);
  let nearest = 0;
  steps.forEach((step, place2) => {
    if (distance(Number(step)) < distance(Number(steps[nearest]))) nearest = place2;
  });
  return nearest;
}

// chart/drag_handles.js
var lastMove = 0;
function withoutMarkers({ data, layout }, marks) {
  const hide = (shape) => marks.includes(shape.name) ? { name: shape.name } : shape;
  return { data, layout: { ...layout, title: null, shapes: layout.shapes.map(hide), annotations: layout.annotations.map(hide) } };
}
function markerOf(chart, key) {
  const { shapes, annotations } = required(chart.drawnFigure).layout;
  const isOfKey = (item) => item.name === key;
  const shape = shapes.findIndex(isOfKey), note = annotations.findIndex(isOfKey);
  return {
    from: shapes[shape]?.x0,
    line: chart.plot.querySelector(`.shapelayer [data-index="${shape}"]`),
    note: chart.plot.querySelector(`.annotation[data-index="${note}"]`)
  };
}
function axisOf(chart, key) {
  const shape = chart.drawnFigure?.layout.shapes.find((item) => item.name === key);
  return chart.plot._fullLayout?.[shape?.xref === "x2" ? "xaxis2" : "xaxis"];
}
function pixelOf(chart, key, value) {
  const axis = axisOf(chart, key);
  return axis ? axis.d2p(value) : NaN;
}
function placeOf(chart, key, value) {
  const places = placesOf(chart, key), steps = chart.controls.field(key)?.steps;
  if (!places || !steps) return value;
  return value === places.at || !places.x ? markerOf(chart, key).from : places.x[stepIndex(steps, value)];
}
var placesOf = (chart, key) => chart.drawnFigure?.layout.meta?.places?.[key];
function moveMarkers(chart) {
  for (const [key, handle] of chart.handles) {
    if (key === "point" || chart.marks.includes(key)) continue;
    handle.remove();
    chart.handles.delete(key);
  }
  placePoint(chart);
  return chart.marks.every((key) => moveMarker(chart, key));
}
function moveMarker(chart, key) {
  const text = chart.controls.text(key), value = chart.controls.value(key), { from, line, note } = markerOf(chart, key);
  const by = pixelOf(chart, key, placeOf(chart, key, value)) - pixelOf(chart, key, from);
  if (!line || !note || !Number.isFinite(by)) return false;
  lastMove = performance.now();
  for (const part of [line, note]) part.style.transform = Math.abs(by) > 0.01 ? `translateX(${by}px)` : "";
  const label = (
    /** @type {SVGElement | null} */
    note.querySelector(".annotation-text")
  );
  if (label && Math.abs(by) > 0.01) {
    label.dataset.drawn ??= label.textContent ?? "";
    const shown2 = `${chart.controls.field(key)?.symbol} = ${text}`;
    if (label.textContent !== shown2) label.textContent = shown2;
  } else if (label?.dataset.drawn) label.textContent = label.dataset.drawn;
  placeHandle(chart, key, text, value);
  return true;
}
function placeHandle(chart, key, text, value) {
  const { yaxis } = chart.plot._fullLayout, xaxis = axisOf(chart, key), field = chart.controls.field(key);
  if (!field?.steps?.length) return;
  let handle = chart.handles.get(key);
  if (!handle) chart.handles.set(key, handle = newHandle(chart, key, field));
  const x = pixelOf(chart, key, placeOf(chart, key, value)), { top, height } = spanOf(chart, key, yaxis);
  handle.hidden = !(x >= -1 && x <= xaxis._length + 1);
  Object.assign(handle.style, { left: `${xaxis._offset + x}px`, top: `${top}px`, height: `${height}px` });
  if (!handle.matches(":active")) handle.style.setProperty("--lift", `${liftOf(chart, x, height)}px`);
  handle.setAttribute("aria-valuenow", String(stepIndex(field.steps, value)));
  handle.setAttribute("aria-valuetext", text);
  handle.tabIndex = chart.frame.closest(".dp-lead")?.querySelector("figure") === chart.frame ? 0 : -1;
}
var GRIP = 24;
var LARGE_GRIP = 40;
var MOST_POINTS = 200;
function liftOf(chart, x, height) {
  const { xaxis, yaxis } = chart.plot._fullLayout, marks = (
    /** @type {{low: number, high: number}[]} */
    []
  );
  for (
    const trace of
    /** @type {any} */
    chart.plot._fullData ?? []
  ) {
    if (trace.visible !== true || !trace.mode?.includes("markers") || trace.marker?.opacity === 0 || trace.x.length > MOST_POINTS) continue;
    for (let n = 0; n < trace.x.length; n++) {
      const size = Number(trace.marker.size) || 6, up = yaxis._length - yaxis.d2p(trace.y[n]);
      if (Math.abs(xaxis.d2p(trace.x[n]) - x) < (size + 8) / 2) marks.push({ low: up - size / 2, high: up + size / 2 });
    }
  }
  const grip = chart.frame.closest(".dp-present, :fullscreen") ? LARGE_GRIP : GRIP;
  let lift = 0;
  for (const { low, high } of marks.sort((a, b) => a.low - b.low)) if (low < lift + grip && high > lift) lift = high + 3;
  return lift + grip <= height ? lift : 0;
}
function spanOf(chart, key, yaxis) {
  const { shapes } = required(chart.drawnFigure).layout, shape = shapes.find((item) => item.name === key);
  if (shape?.yref) {
    const isLow = (other) => chart.marks.includes(other.name) && Boolean(other.yref) && other.y1 < 1;
    const height = yaxis._length * shape.y1, top = yaxis._offset + yaxis._length - height;
    if (isLow(shape)) return { top, height };
    return { top: top - 22, height: height + 22 - yaxis._length * Math.max(0, ...shapes.filter(isLow).map((low) => low.y1)) };
  }
  const ends = [shape.y0, shape.y1].map((y) => yaxis.d2p(y));
  return { top: yaxis._offset + Math.min(...ends), height: Math.abs(ends[1] - ends[0]) };
}
function newHandle(chart, key, field) {
  const { controls: controls2 } = chart;
  const handle = element("div", "dp-handle", chart.box, {
    role: "slider",
    "aria-label": `${field.label}, in the chart`,
    "aria-valuemin": 0,
    "aria-valuemax": (field.steps?.length ?? 1) - 1,
    "data-key": key
  });
  let grip = null;
  handle.onpointerdown = (event) => {
    if (event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    const axis = axisOf(chart, key), places = placesOf(chart, key);
    grip = places ? { range: [...axis.range], length: axis._length, at: places.at } : null;
    handle.focus(
      /** @type {FocusOptions} */
      { preventScroll: true, focusVisible: false }
    );
    globalThis.Plotly.Fx.unhover(chart.plot);
    controls2.prefetch(key);
  };
  handle.onpointerenter = handle.onfocus = () => controls2.prefetch(key);
  handle.onpointermove = (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return hoverBeneath(chart, event);
    const steps = required(controls2.field(key)?.steps);
    const axis = axisOf(chart, key), left = chart.plot.getBoundingClientRect().left + axis._offset;
    const places = placesOf(chart, key), pixel = event.clientX - left;
    if (!places || !grip) return controls2.move(key, steps[stepIndex(steps, valueOnAxis(axis, pixel))]);
    const [start2, end] = grip.range, value = start2 + (end - start2) * Math.max(0, Math.min(1, pixel / grip.length));
    controls2.move(key, steps[places.x ? stepIndex(places.x.map(String), value) : stepIndex(steps, grip.at * value)]);
  };
  handle.onkeydown = (event) => {
    const step = keyStep(event, controls2.field(key)?.steps ?? [], controls2.value(key));
    if (step !== void 0) controls2.move(key, step);
  };
  handle.onpointerup = handle.onpointercancel = handle.onkeyup = handle.onblur = () => controls2.release(key);
  return handle;
}
function placePoint(chart) {
  const { xaxis, yaxis } = chart.plot._fullLayout ?? {}, { controls: controls2, picks } = chart, [x, y] = picks;
  const isDragged = chart.drawnFigure?.layout.meta?.point && xaxis && picks.every((key) => controls2.field(key)?.steps?.length);
  let handle = chart.handles.get("point");
  if (!isDragged) return void (handle && (handle.hidden = true));
  if (!handle) chart.handles.set("point", handle = newPoint(chart));
  const px = xaxis.d2p(controls2.value(x)), py = yaxis.d2p(controls2.value(y));
  handle.hidden = !(px >= -1 && px <= xaxis._length + 1 && py >= -1 && py <= yaxis._length + 1);
  Object.assign(handle.style, { left: `${xaxis._offset + px}px`, top: `${yaxis._offset + py}px` });
}
function newPoint(chart) {
  const { controls: controls2 } = chart;
  const handle = element("div", "dp-handle dp-point", chart.box, { "aria-hidden": "true" });
  handle.onpointerdown = (event) => {
    if (event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    globalThis.Plotly.Fx.unhover(chart.plot);
  };
  handle.onpointermove = (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return hoverBeneath(chart, event);
    const entries = stepsAt(chart, event), isMoved = Object.entries(entries).some(([key, step]) => step !== controls2.text(key));
    if (isMoved) controls2.set(entries, true);
  };
  handle.onpointerup = handle.onpointercancel = () => chart.picks.forEach((key) => controls2.release(key));
  return handle;
}
function stepsAt(chart, point) {
  const { x, y } = pointAt(chart, point);
  const entries = {};
  [x, y].forEach((value, axis) => {
    const key = chart.picks[axis], field = chart.controls.field(key);
    if (field?.steps?.length && Number.isFinite(value)) entries[key] = field.steps[stepIndex(field.steps, value)];
  });
  return entries;
}
function hoverBeneath(chart, { clientX, clientY }) {
  chart.plot.querySelector(".nsewdrag")?.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true }));
}
function pointAt(chart, { clientX, clientY }) {
  const { xaxis, yaxis } = chart.plot._fullLayout, { left, top } = chart.plot.getBoundingClientRect();
  const px = clientX - left - xaxis._offset, py = clientY - top - yaxis._offset;
  const isInside = px >= 0 && px <= xaxis._length && py >= 0 && py <= yaxis._length;
  return { x: valueOnAxis(xaxis, px), y: valueOnAxis(yaxis, py), isInside };
}
function valueOnAxis(axis, pixel) {
  return axis.p2d(Math.max(0.5, Math.min(axis._length - 0.5, pixel)));
}
function watchClick(chart, down) {
  if (down.button !== 0 || down.pointerType === "touch" || !chart.drawnFigure) return;
  const pickIfNear = (up) => {
    removeEventListener("pointerup", pickIfNear, true);
    if (Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < 4) pick(chart, up);
  };
  addEventListener("pointerup", pickIfNear, true);
}
function pick(chart, point) {
  if (!pointAt(chart, point).isInside) return;
  const entries = stepsAt(chart, point);
  if (Object.keys(entries).length) chart.controls.set(entries);
}
function watchFingers(chart) {
  const glass = element("div", "dp-glass", chart.box);
  const fingers = /* @__PURE__ */ new Map();
  let start2 = null;
  const isPinch = () => fingers.size === 2;
  const lift = (event) => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) start2 = null;
  };
  glass.onpointerdown = (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY] });
    if (isPinch()) start2 = pinchStart(chart, [...fingers.values()]);
  };
  glass.onpointermove = (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (isPinch() && start2) pinch(chart, start2, [...fingers.values()]);
  };
  glass.onpointerup = (event) => {
    const finger = fingers.get(event.pointerId);
    const isTap = finger && !start2 && Math.hypot(finger.x - finger.from[0], finger.y - finger.from[1]) < 8;
    lift(event);
    if (!isTap || !chart.drawnFigure) return;
    hoverBeneath(chart, event);
    pick(chart, event);
  };
  glass.onpointercancel = lift;
}
function pinchStart(chart, [a, b]) {
  if (!chart.drawnFigure) return null;
  const { xaxis, yaxis } = chart.plot._fullLayout, { left, top } = chart.plot.getBoundingClientRect();
  const middle = { x: ((a.x + b.x) / 2 - left - xaxis._offset) / xaxis._length, y: 1 - ((a.y + b.y) / 2 - top - yaxis._offset) / yaxis._length };
  return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: [...xaxis.range], y: [...yaxis.range], middle };
}
function pinch(chart, start2, [a, b]) {
  const by = start2.distance / Math.max(20, Math.hypot(a.x - b.x, a.y - b.y));
  const zoom = ([low, high], middle) => {
    const at = low + middle * (high - low);
    return [at + (low - at) * by, at + (high - at) * by];
  };
  cancelAnimationFrame(chart.pinching);
  chart.pinching = requestAnimationFrame(() => globalThis.Plotly.relayout(chart.plot, { "xaxis.range": zoom(start2.x, start2.middle.x), "yaxis.range": zoom(start2.y, start2.middle.y) }));
}
function resetZoom(chart) {
  const { xaxis, yaxis } = required(chart.figure).layout;
  const ownRange = (name, { range }) => range ? { [`${name}.range`]: [...range] } : { [`${name}.autorange`]: true };
  globalThis.Plotly.relayout(chart.plot, { ...ownRange("xaxis", xaxis), ...ownRange("yaxis", yaxis) });
}

// chart/figure_data.js
function isSame(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || a.constructor !== b.constructor) return false;
  if (ArrayBuffer.isView(a)) {
    const array = (
      /** @type {Float64Array} */
      a
    );
    return array.length === b.length && array.every((value, place2) => Object.is(value, b[place2]));
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]));
}
function shareArrays(value, old) {
  if (old === void 0 || value === null || typeof value !== "object") return value;
  if (ArrayBuffer.isView(value) || Array.isArray(value) && typeof value[0] !== "object") return isSame(value, old) ? old : value;
  for (const key in value) value[key] = shareArrays(value[key], old?.[key]);
  return value;
}
function copyForPlotly(value, isLayout = false) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return isLayout || value[0]?.constructor === Object ? value.map((part) => copyForPlotly(part, isLayout)) : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyForPlotly(part, isLayout)]));
}

// chart/legend.js
var groupOf = (trace) => trace.legendgroup ?? trace.name;
function showLegend(chart, { data, layout }, redraw2) {
  const traces = data.filter((trace) => trace.showlegend !== false && trace.name && (layout.showlegend ?? data.length > 1));
  const entries = traces.filter((trace, place2) => traces.findIndex((other) => groupOf(other) === groupOf(trace)) === place2);
  const id = JSON.stringify(entries.map(({ name, line, marker, mode, type, fillcolor, opacity }) => [name, line, marker?.color, marker?.symbol, marker?.opacity, mode, type, fillcolor, opacity]));
  chart.legend.hidden = entries.length === 0;
  if (chart.legendId === id) return;
  chart.legendId = id;
  chart.names.replaceChildren();
  chart.entries = new Map(entries.map((trace) => {
    const group = groupOf(trace);
    const button = element("button", "", null, { type: "button", "aria-pressed": String(!chart.hidden.has(group)) });
    button.innerHTML = swatch(trace);
    element("span", "", button).textContent = plainText(trace.name);
    button.onclick = () => {
      if (!chart.hidden.delete(group)) chart.hidden.add(group);
      button.setAttribute("aria-pressed", String(!chart.hidden.has(group)));
      redraw2();
    };
    return [group, button];
  }));
  chart.legend.replaceChildren(...chart.entries.values());
}
function hideForStep(chart, demo) {
  const step = demo?.key ?? "";
  if (chart.step === step) return;
  if (chart.step || demo?.hidden.length) chart.hidden = new Set(demo?.hidden);
  chart.step = step;
  chart.stepAxes = {};
  for (const [group, button] of chart.entries) button.setAttribute("aria-pressed", String(!chart.hidden.has(group)));
}
var LEAST_WIDTH = 560;
var MOST_NAME = 200;
var BESIDE = 4;
var ROW = 16;
var LEFT = 64;
var MOST_NEAR = 3;
var placeOn = ({ type, range: [start2, end] }, value) => ((type === "log" ? Math.log10(value) : value) - start2) / (end - start2);
function rightEnd({ x, y }, xaxis, yaxis) {
  const across = Array.from(x, (value) => placeOn(xaxis, value));
  let last = -1;
  for (let n = 0; n < across.length; n++) if (across[n] <= 1 + 1e-9 && Number.isFinite(y[n]) && !(across[n] < across[last])) last = n;
  if (last < 0) return null;
  const up = placeOn(yaxis, y[last]), beyond = [last + 1, last - 1].find((n) => across[n] > 1 && Number.isFinite(y[n]));
  if (beyond === void 0) return { across: across[last], up };
  return { across: 1, up: up + (placeOn(yaxis, y[beyond]) - up) * (1 - across[last]) / (across[beyond] - across[last]) };
}
var hasMarkAt = ({ trace: { mode = "lines", marker }, end }, across) => mode.includes("markers") && marker?.opacity !== 0 && Boolean(end) && Math.abs(required(end).across - across) < 1e-9;
function endNames(chart, { data, layout }, height, scale) {
  const { xaxis, yaxis } = layout, ends = (
    /** @type {{group: string, across: number, top: number, gap: number}[]} */
    []
  );
  const isPlain = xaxis?.range && yaxis?.range && !layout.meta?.namesBelow && !layout.xaxis2 && !layout.yaxis2 && !chart.frame.classList.contains("dp-scaled");
  if (!isPlain || chart.width < LEAST_WIDTH * scale || (xaxis.type ?? "linear") === "category") return /* @__PURE__ */ new Map();
  const drawn = data.filter((trace) => trace.x?.length && (trace.type ?? "scatter").startsWith("scatter") && trace.visible !== false).map((trace) => ({ trace, end: rightEnd(trace, xaxis, yaxis) }));
  const farthest = Math.max(...drawn.map(({ end }) => end?.across ?? 0));
  for (const { trace, end } of drawn) {
    const { mode = "lines", line } = trace, group = groupOf(trace), button = chart.entries.get(group);
    if (!button || !mode.includes("lines") || line?.width === 0 || trace.x.length < 2 || button.offsetWidth > MOST_NAME * scale) continue;
    if (!end || end.across < farthest - 0.015 || end.up < 0 || end.up > 1 || ends.some((other) => other.group === group)) continue;
    const marks = drawn.filter((other) => groupOf(other.trace) === group && hasMarkAt(other, end.across));
    const gap = BESIDE + Math.max(0, ...marks.map((other) => Number(other.trace.marker?.size ?? 6) / 2));
    ends.push({ group, across: end.across, top: (1 - end.up) * height, gap });
  }
  ends.sort((a, b) => a.top - b.top);
  const row = ROW * scale, lowest = height - row / 4, bunches = [];
  for (const end of ends) {
    const bunch = bunches.at(-1);
    if (bunch && end.top - required(bunch.at(-1)).top < row) bunch.push(end);
    else bunches.push([end]);
  }
  for (const bunch of bunches.filter(({ length }) => length > 1)) {
    const half = (bunch.length - 1) / 2, middle = Math.min((bunch[0].top + required(bunch.at(-1)).top) / 2, lowest - half * row);
    bunch.forEach((end, n) => end.top = middle + (n - half) * row);
  }
  const placed = bunches.filter((bunch, n) => bunch.length <= MOST_NEAR && bunches.every((other, k) => k === n || other.every(({ top }) => bunch.every((end) => Math.abs(end.top - top) >= row - 0.5))));
  return new Map(placed.flat().map(({ group, across, top, gap }) => [group, { across, top, gap }]));
}
function makeRoomForNames(chart, figure, scale) {
  if (!chart.entries.size) return;
  const { margin, height, uirevision } = figure.layout, picture = `${uirevision} ${chart.width}`, most = chart.width - Math.max(margin.l, LEFT);
  const rooms = [...endNames(chart, figure, height - margin.t - margin.b, scale)].map(([group, { across, gap }]) => most - (most - required(chart.entries.get(group)).offsetWidth - BESIDE - gap) / across);
  const before = chart.room.picture === picture ? chart.room.px : 0;
  chart.room = { picture, px: Math.max(before, ...rooms) };
  margin.r = Math.max(margin.r, chart.room.px);
}
function placeNames(chart, scale) {
  const { plot, entries, names, legend } = chart;
  if (!entries.size) return;
  const { xaxis, yaxis } = plot._fullLayout, { data } = (
    /** @type {any} */
    plot
  ), keys = [...entries.keys()];
  const placed = endNames(chart, { data, layout: plot._fullLayout }, yaxis._length, scale);
  for (const [group, button] of entries) {
    const end = placed.get(group), left = end ? xaxis._offset + end.across * xaxis._length + end.gap : Infinity;
    const fits = left + button.offsetWidth <= chart.width;
    if (end && fits) Object.assign(button.style, { left: `${left}px`, top: `${yaxis._offset + end.top}px` });
    if (button.parentElement === (fits ? names : legend)) continue;
    const after = fits ? void 0 : keys.slice(keys.indexOf(group) + 1).find((key) => entries.get(key)?.parentElement === legend);
    (fits ? names : legend).insertBefore(button, after ? required(entries.get(after)) : null);
  }
}
var DASHES = { solid: "", dot: "2 3", dash: "7 4", longdash: "11 4", dashdot: "7 3 2 3", longdashdot: "11 3 2 3" };
var MARKERS = {
  x: (colour) => `<path d="M10 2l8 8m0-8l-8 8" stroke="${colour}" stroke-width="3"/>`,
  diamond: (colour) => `<path d="M14 1l5 5-5 5-5-5z" fill="${colour}"/>`,
  square: (colour) => `<rect x="10" y="2" width="8" height="8" fill="${colour}"/>`,
  "triangle-up": (colour) => `<path d="M14 1l5 9H9z" fill="${colour}"/>`,
  star: (colour) => `<path d="M14 0l1.5 4.2h4.5l-3.6 2.7 1.3 4.3-3.7-2.6-3.7 2.6 1.3-4.3-3.6-2.7h4.5z" fill="${colour}"/>`,
  "triangle-right": (colour) => `<path d="M10 1l9 5-9 5z" fill="${colour}"/>`,
  "square-open": (colour) => `<rect x="10.5" y="2.5" width="7" height="7" fill="none" stroke="${colour}" stroke-width="2"/>`,
  "diamond-open": (colour) => `<path d="M14 1.5l4.5 4.5-4.5 4.5-4.5-4.5z" fill="none" stroke="${colour}" stroke-width="2"/>`,
  "line-ew-open": (colour) => `<path d="M5 6h18" stroke="${colour}" stroke-width="2"/>`,
  "line-ne-open": (colour) => `<path d="M10 10l8-8" stroke="${colour}" stroke-width="1.5"/>`,
  "line-ns-open": (colour) => `<path d="M14 1v10" stroke="${colour}" stroke-width="1.5"/>`,
  "cross-thin-open": (colour) => `<path d="M14 1v10M9 6h10" stroke="${colour}" stroke-width="2"/>`,
  "circle-open": (colour) => `<circle cx="14" cy="6" r="3.5" fill="none" stroke="${colour}"/>`
};
var SAFE_COLOUR = /^[#a-z0-9(),.% ]+$/i;
function swatch({ line, marker, mode = "lines", type, fillcolor, fill, opacity = 1 }) {
  const colour = [line?.color, marker?.color].find((part) => typeof part === "string" && part) || fillcolor || "currentColor";
  const safe = SAFE_COLOUR.test(colour) ? colour : "currentColor";
  const dash = DASHES[line?.dash] ?? line?.dash?.replace(/px/g, "").replace(/,/g, " ") ?? "";
  const parts = [];
  if (type === "bar" || type === "histogram" || fill && !line?.width) parts.push(`<rect x="3" y="1" width="22" height="10" fill="${SAFE_COLOUR.test(fillcolor ?? "") ? fillcolor : safe}"/>`);
  else if (mode.includes("lines")) parts.push(`<path d="M0 6H28" stroke="${safe}" stroke-width="${Math.min(line?.width ?? 2, 4)}" stroke-dasharray="${/^[\d. ]*$/.test(dash) ? dash : ""}"/>`);
  if (mode.includes("markers")) parts.push(MARKERS[marker?.symbol]?.(safe) ?? `<circle cx="14" cy="6" r="4" fill="${safe}"/>`);
  const visible = Number(opacity) * (type === "bar" ? Number(marker?.opacity ?? 1) : 1);
  return `<svg width="28" height="12" viewBox="0 0 28 12" opacity="${visible}" aria-hidden="true">${parts.join("")}</svg>`;
}
function plainText(markup) {
  const box = document.createElement("template");
  box.innerHTML = markup;
  return box.content.textContent;
}
var HOVER_EDGE = 4;
function watchHover(chart) {
  const layer = chart.plot.querySelector(".hoverlayer");
  if (!layer || chart.hoverLayer === layer) return;
  chart.hoverLayer = layer;
  new MutationObserver(() => placeHover(chart, layer)).observe(layer, { childList: true, subtree: true });
}
function placeHover(chart, layer) {
  const box = layer.querySelector("g.legend"), [, left, top] = /translate\(([-\d.]+),\s*([-\d.]+)\)/.exec(box?.getAttribute("transform") ?? "") ?? [];
  const { xaxis, yaxis } = chart.plot._fullLayout ?? {};
  if (!box || left === void 0 || !xaxis?.d2p) return;
  const ground = required(box.querySelector(".bg")), width = Number(ground.getAttribute("width")), height = Number(ground.getAttribute("height"));
  const x = Number(left) - xaxis._offset, lowest = yaxis._length - height - HOVER_EDGE;
  const ups = (
    /** @type {number[]} */
    []
  );
  for (
    const trace of
    /** @type {any} */
    chart.plot.data
  ) {
    if (trace.visible === false || trace.visible === "legendonly" || (trace.type ?? "scatter") !== "scatter") continue;
    for (let n = 0; n < (trace.x?.length ?? 0); n++) {
      const across = xaxis.d2p(trace.x[n]);
      if (across >= x - HOVER_EDGE && across <= x + width + HOVER_EDGE) ups.push(yaxis.d2p(trace.y[n]));
    }
  }
  const covered = (from) => ups.filter((up) => up >= from - HOVER_EDGE && up <= from + height + HOVER_EDGE).length;
  const places = [Number(top) - yaxis._offset, HOVER_EDGE, lowest].filter((from) => from >= 0 && from <= lowest);
  const best = places.reduce((least, from) => covered(from) < covered(least) ? from : least, places[0] ?? HOVER_EDGE);
  box.setAttribute("transform", `translate(${left},${best + yaxis._offset})`);
}

// chart/chart.js
var AXES = (
  /** @type {const} */
  ["xaxis", "yaxis"]
);
var NEAR = 200;
var LARGE = 1.6;
var DEFAULT_HEIGHT = 450;
var SLOW_DRAW = 30;
var MENU_HEIGHT = 40;
var STILL = 500;
var charts = /* @__PURE__ */ new Set();
var waiting = /* @__PURE__ */ new Set();
var chartOf = /* @__PURE__ */ new WeakMap();
var watcher;
var resizer;
var timer = null;
var lastDraw = 0;
var plotlyPath = "";
function startCharts(path2) {
  plotlyPath = path2;
  addEventListener("beforeprint", () => [...waiting].forEach(draw));
  addEventListener("resize", () => redrawAll((chart) => Boolean(chart.height)));
}
var loadPlotly2 = () => loadPlotly(plotlyPath);
function newChart(host, controls2) {
  const frame = element("figure", "dp-chart", host, { role: "figure" });
  const title = element("h2", "dp-title", frame), subtitle = element("p", "dp-subtitle", frame);
  const box = element("div", "dp-plot", frame), legend = element("div", "dp-legend", frame);
  const plot = (
    /** @type {Chart["plot"]} */
    /** @type {HTMLElement} */
    element("div", "", box)
  ), names = element("div", "dp-names", box);
  const chart = {
    frame,
    title,
    subtitle,
    box,
    plot,
    legend,
    legendId: "",
    names,
    entries: /* @__PURE__ */ new Map(),
    room: { picture: "", px: 0 },
    controls: controls2,
    handles: /* @__PURE__ */ new Map(),
    hidden: /* @__PURE__ */ new Set(),
    step: "",
    stepAxes: {},
    isSeen: null,
    isLazy: false,
    width: 0,
    drawTime: 0,
    pinching: 0,
    dark: false,
    picks: [],
    marks: [],
    figure: null,
    drawnFigure: null,
    height: null,
    hoverLayer: null
  };
  chartOf.set(plot, chart);
  plot.setAttribute("aria-hidden", "true");
  plot.addEventListener("pointerdown", (event) => watchClick(chart, event), true);
  watchFingers(chart);
  charts.add(chart);
  return chart;
}
function setChart(chart, part, { dark, height }) {
  const old = chart.figure, { figure } = part;
  Object.assign(chart, { picks: part.picks, marks: part.marks, dark, height });
  chart.frame.dataset.chart = part.name;
  chart.frame.setAttribute("aria-label", part.alt);
  chart.frame.classList.toggle("dp-scaled", figure.data.some((trace) => trace.colorbar));
  setHtml(chart.title, part.title);
  setHtml(chart.subtitle, part.subtitle);
  showLegend(chart, figure, () => {
    redraw(chart);
    wake();
  });
  figure.layout.uirevision ??= `${part.name} ${axesOf(figure)}`;
  figure.data = shareArrays(figure.data, old?.data);
  chart.figure = figure;
  chart.isLazy = Boolean(chart.drawnFigure && chart.marks.length && isSame(withoutMarkers(figure, chart.marks), withoutMarkers(chart.drawnFigure, chart.marks)) && moveMarkers(chart));
  chart.plot.style.height = `${plotHeight(chart)}px`;
  if (chart.isSeen === null) watch(chart);
  waiting.add(chart);
  if (timer?.isIdle && !chart.isLazy) stopTimer();
  loadPlotly2().then(drawNext, (error) => showFailure(chart, error));
}
function reachForStep(chart, { layout }, demo) {
  if (!demo) return;
  for (const name of AXES) {
    const axis = layout[name], ends = [axis?.range, demo.axes[name], demo.moved && chart.stepAxes[name]].filter(Boolean).flat();
    if (!axis || !ends.length || axis.type === "log" || axis.range?.[0] > axis.range?.[1]) continue;
    axis.range = [Math.min(...ends), Math.max(...ends)];
    if (!demo.moved) chart.stepAxes[name] = axis.range;
  }
}
function watch(chart) {
  if (!watcher || !/** @type {Element | null} */
  watcher.root?.isConnected) {
    watcher = new IntersectionObserver(followSight, { root: scroller(), rootMargin: `${NEAR}px 0px` });
  }
  resizer ??= new ResizeObserver(followSize);
  const { top, bottom } = chart.plot.getBoundingClientRect();
  chart.isSeen = bottom > -NEAR && top < innerHeight + NEAR;
  watcher.observe(chart.plot);
  resizer.observe(chart.plot);
}
function closeChart(chart) {
  waiting.delete(chart);
  charts.delete(chart);
  watcher?.unobserve(chart.plot);
  resizer?.unobserve(chart.plot);
  if (chart.drawnFigure) globalThis.Plotly.purge(chart.plot);
  chart.frame.remove();
}
function redraw(chart) {
  chart.isLazy = false;
  chart.plot.style.height = `${plotHeight(chart)}px`;
  waiting.add(chart);
}
function redrawAll(isAffected) {
  for (const chart of charts) if (isAffected(chart)) redraw(chart);
  wake();
}
function plotHeight(chart) {
  if (isFull(chart)) {
    const above = chart.plot.getBoundingClientRect().top - chart.frame.getBoundingClientRect().top;
    return innerHeight - above - Math.max(chart.legend.offsetHeight, MENU_HEIGHT) - 16;
  }
  return chart.height?.(chart) ?? (chart.figure?.layout.height ?? DEFAULT_HEIGHT) * enlargement(chart);
}
var isFull = (chart) => document.fullscreenElement === chart.frame;
function enlargement(chart) {
  if (innerWidth <= 640 || !(isFull(chart) || chart.frame.closest(".dp-present"))) return 1;
  const scale = LARGE * windowScale(), rows = chart.figure?.layout.meta?.leastHeight ?? 0;
  return rows * scale > 0.6 * innerHeight ? LARGE : scale;
}
var windowScale = () => Math.max(1, Math.min(innerWidth / 1280, innerHeight / 720));
function stopTimer() {
  timer?.cancel();
  timer = null;
}
function drawNext() {
  if (timer || waiting.size === 0 || !globalThis.Plotly) return;
  const isUrgent = [...waiting].some((chart) => chart.isSeen && !chart.isLazy);
  const wait = [...waiting].every((chart) => chart.isLazy) ? STILL - (performance.now() - lastMove) : 0;
  const drawFirst = () => {
    timer = null;
    const chart = firstWaiting();
    try {
      if (chart) draw(chart);
    } finally {
      drawNext();
    }
  };
  if (wait > 0) {
    const id = setTimeout(() => {
      timer = null;
      drawNext();
    }, wait);
    timer = { cancel: () => clearTimeout(id), isIdle: true };
  } else if (!isUrgent) {
    timer = { cancel: whenIdle(drawFirst), isIdle: true };
  } else if (document.hidden || performance.now() - lastDraw > 100 && firstWaiting().drawTime < SLOW_DRAW) {
    const id = setTimeout(drawFirst);
    timer = { cancel: () => clearTimeout(id), isIdle: false };
  } else {
    let id = requestAnimationFrame(() => {
      id = 0;
      afterPaint(drawFirst);
    });
    timer = { cancel: () => cancelAnimationFrame(id), isIdle: false };
  }
}
function whenIdle(act) {
  if ("requestIdleCallback" in globalThis) {
    const id2 = requestIdleCallback(act, { timeout: 600 });
    return () => cancelIdleCallback(id2);
  }
  const id = setTimeout(act, 50);
  return () => clearTimeout(id);
}
function wake() {
  if (timer?.isIdle) stopTimer();
  drawNext();
}
function afterPaint(act) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = act;
  port2.postMessage(0);
}
function firstWaiting() {
  const rank = (chart) => chart.isLazy ? 2 : chart.isSeen ? 0 : 1;
  const places = new Map([...charts].map((chart, place2) => [chart, place2]));
  return [...waiting].sort((a, b) => rank(a) - rank(b) || (places.get(a) ?? 0) - (places.get(b) ?? 0))[0];
}
function draw(chart) {
  waiting.delete(chart);
  const { plot } = chart, figure = required(chart.figure);
  chart.width = plot.clientWidth;
  if (chart.width === 0) return;
  const copy = { data: figure.data.map((trace) => copyForPlotly(trace)), layout: copyForPlotly(figure.layout, true) };
  const { data, layout } = enlarge(copy, enlargement(chart));
  delete layout.title;
  Object.assign(layout, { width: chart.width, height: plotHeight(chart), autosize: false });
  layout.showlegend = false;
  for (const trace of data) if (chart.hidden.has(groupOf(trace))) trace.visible = false;
  makeRoomForNames(chart, { data, layout }, enlargement(chart));
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false;
  const zoomed = zoomedRanges(chart, figure), start2 = performance.now();
  try {
    globalThis.Plotly.react(plot, data, layout, { displayModeBar: false, displaylogo: false, showSendToCloud: false, doubleClick: false, showTips: false });
    watchHover(chart);
    if (Object.keys(zoomed).length) globalThis.Plotly.relayout(plot, zoomed);
  } catch (error) {
    return showFailure(
      chart,
      /** @type {Error} */
      error
    );
  }
  lastDraw = performance.now();
  chart.drawTime = lastDraw - start2;
  if (!chart.drawnFigure) {
    plot.on("plotly_relayout", () => {
      moveMarkers(chart);
      markZoom(chart);
      placeNames(chart, enlargement(chart));
    });
    plot.on("plotly_doubleclick", () => resetZoom(chart));
  }
  chart.drawnFigure = figure;
  moveMarkers(chart);
  markZoom(chart);
  placeNames(chart, enlargement(chart));
}
function markZoom({ frame, plot, figure }) {
  const layout = required(figure).layout;
  const isZoomed = AXES.some((name) => {
    const own = layout[name], shown2 = plot._fullLayout?.[name];
    if (!own || !shown2 || own.fixedrange || layout.yaxis.scaleanchor) return false;
    if (!own.range) return shown2.autorange === false;
    const slack = Math.abs(own.range[1] - own.range[0]) * 1e-6;
    return own.range.some((end, place2) => Math.abs(end - shown2.range[place2]) > slack);
  });
  frame.classList.toggle("dp-zoomed", isZoomed);
}
var axesOf = ({ layout }) => AXES.map((name) => `${layout[name]?.type} ${layout[name]?.title?.text?.replace(/[\d.,]+/g, "")}`).join(" ");
function zoomedRanges({ plot, drawnFigure }, figure) {
  if (!drawnFigure || drawnFigure.layout.uirevision !== figure.layout.uirevision) return {};
  const own = drawnFigure.layout, next = figure.layout, shown2 = plot.layout ?? {};
  const zoomed = AXES.filter((name) => own[name]?.range && next[name]?.range && shown2[name]?.range && !own[name].fixedrange && !isSame(own[name].range, shown2[name].range) && !isSame(own[name].range, next[name].range));
  return Object.fromEntries(zoomed.map((name) => [`${name}.range`, [...shown2[name].range]]));
}
function showFailure({ plot }, error) {
  plot.textContent = `This chart can’t be drawn: ${error.message}. Its numbers are in the menu below.`;
  plot.removeAttribute("aria-hidden");
}
function enlarge(figure, by) {
  if (by === 1) return figure;
  const walk = (value, key) => {
    if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
    for (const [name, part] of Object.entries(value)) {
      const isSize = typeof part === "number" && (name === "size" && (/font$/.test(key) || key === "marker") || name === "width" && key === "line" || /^[xy]shift$/.test(name));
      value[name] = isSize ? part * by : walk(part, Array.isArray(value) ? key : name);
    }
    return value;
  };
  walk(figure.data, "data");
  walk(figure.layout, "layout");
  const { layout } = figure, { margin } = layout;
  layout.hoverlabel = { ...layout.hoverlabel, font: { size: 13 * by, ...layout.hoverlabel?.font } };
  for (const side of ["t", "r", "b", "l"]) margin[side] *= by;
  return figure;
}
function followSight(entries) {
  for (const { target, isIntersecting } of entries) required(chartOf.get(target)).isSeen = isIntersecting;
  wake();
}
function followSize(entries) {
  for (const { target } of entries) {
    const chart = required(chartOf.get(target));
    if (Math.abs(chart.plot.clientWidth - chart.width) >= 1) redraw(chart);
  }
  wake();
}
async function toggleFullScreen(chart) {
  if (document.fullscreenElement) return document.exitFullscreen();
  chart.frame.style.background = background();
  chart.frame.onfullscreenchange = () => requestAnimationFrame(() => {
    redraw(chart);
    wake();
  });
  return chart.frame.requestFullscreen();
}

// browser/buttons.js
function addButton(host, name, act = null, kind = "dp-tool") {
  const button = element("button", kind, host, { type: "button" });
  button.textContent = name;
  if (act) button.onclick = () => void act();
  return button;
}
function addPopover(button, fill, host = null) {
  let box = null;
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  const close = () => {
    box?.remove();
    box = null;
    button.setAttribute("aria-expanded", "false");
    removeEventListener("pointerdown", closeFromOutside, true);
    removeEventListener("keydown", closeByEscape, true);
  };
  const closeFromOutside = ({ target }) => {
    const node = (
      /** @type {Node} */
      target
    );
    if (!box?.contains(node) && !button.contains(node)) close();
  };
  const closeByEscape = (event) => {
    if (event.key !== "Escape") return;
    const isOpen3 = box?.isConnected;
    close();
    if (!isOpen3) return;
    event.stopImmediatePropagation();
    button.focus();
  };
  button.onclick = () => {
    if (box) return close();
    const name = button.getAttribute("aria-label") ?? button.textContent;
    box = element("div", "dp-popover", host ?? button.parentElement, { role: "dialog", "aria-label": name });
    fill(box, close);
    button.setAttribute("aria-expanded", "true");
    keepInSight(box);
    box.querySelector("button, input, select")?.focus();
    addEventListener("pointerdown", closeFromOutside, true);
    addEventListener("keydown", closeByEscape, true);
  };
}
function keepInSight(box) {
  box.style.translate = "";
  box.scrollIntoView?.({ block: "nearest" });
  const { left, right, top } = box.getBoundingClientRect();
  const x = right > innerWidth - 8 ? innerWidth - 8 - right : Math.max(0, 8 - left);
  box.style.translate = `${x}px ${Math.max(0, 8 - top)}px`;
}

// browser/current_stage.js
var stage;
function setStage(next) {
  stage = next;
}

// browser/edits.js
var unansweredTexts = /* @__PURE__ */ new Map();
var change = 0;
var drawnChange = 0;
var isHeld = false;
function beginChange(entries = {}) {
  change++;
  for (const [key, text] of Object.entries(entries)) unansweredTexts.set(key, text);
}
function noteDrawn(number2) {
  drawnChange = number2;
}
function setHeld(value) {
  isHeld = value;
}
function forgetEdits() {
  unansweredTexts.clear();
  isHeld = false;
  drawnChange = 0;
}

// browser/downloads.js
function saveFile(name, blob) {
  const link2 = element("a", "", document.body, { href: URL.createObjectURL(blob), download: name });
  link2.click();
  link2.remove();
  setTimeout(() => URL.revokeObjectURL(link2.href), 6e4);
}
var TYPES = (
  /** @type {Record<string, string>} */
  { csv: "text/csv", py: "text/x-python", zip: "application/zip" }
);
function saveText({ file, text = "", zip }) {
  saveFile(file, new Blob([zip ?? text], { type: TYPES[file.split(".").at(-1) ?? ""] }));
}
var today = () => (/* @__PURE__ */ new Date()).toISOString().slice(0, 10);

// browser/latex_table.js
var TEX_MARKS = (
  /** @type {Record<string, string>} */
  { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" }
);
var TEX_SYMBOLS = (
  /** @type {Record<string, string>} */
  {
    ε: "$\\varepsilon$",
    δ: "$\\delta$",
    σ: "$\\sigma$",
    μ: "$\\mu$",
    α: "$\\alpha$",
    γ: "$\\gamma$",
    ρ: "$\\rho$",
    Δ: "$\\Delta$",
    "₀": "$_0$",
    "₁": "$_1$",
    "₂": "$_2$",
    ℓ: "$\\ell$",
    "±": "$\\pm$",
    "−": "$-$",
    "÷": "$\\div$",
    "×": "$\\times$",
    "≥": "$\\ge$",
    "≤": "$\\le$",
    "≈": "$\\approx$",
    "∞": "$\\infty$",
    "√": "$\\surd$",
    "→": "$\\to$",
    "|": "$|$",
    "–": "--",
    "…": "\\ldots{}",
    "“": "``",
    "”": "''",
    "’": "'",
    " ": "~",
    "✓": "$\\checkmark$",
    "✗": "$\\times$",
    "⁠": ""
  }
);
var SYMBOLS = new RegExp(`[${Object.keys(TEX_SYMBOLS).join("")}]`, "g");
var escapeTex = (text) => text.replace(/[\\~^{}%&_#$]/g, (mark2) => TEX_MARKS[mark2] ?? `\\${mark2}`);
function texOf(text) {
  const symbols = escapeTex(text.replace(/\s*\n\s*/g, " ")).replace(SYMBOLS, (mark2) => TEX_SYMBOLS[mark2]).replace(/(?<!\\)\$\$_/g, "_").trim();
  return symbols.replace(/(?<![\w.])(\d+(?:\.\d+)?)e(-?\d+)(?!\w)/g, (_, digits, power) => `$${digits === "1" ? "" : `${digits}\\cdot `}10^{${power}}$`);
}
function latexOf(rows, columns, note) {
  const [heads, ...body] = rows.map((row) => `  ${row.map(texOf).join(" & ")} \\\\`);
  const lines = [`\\begin{tabular}{${columns}}`, "  \\toprule", heads, "  \\midrule", ...body, "  \\bottomrule", "\\end{tabular}"];
  return `% ${note}
% It needs \\usepackage{booktabs,amssymb}.
${lines.join("\n")}
`;
}
function latexTable(table, note) {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const isRight = rows.at(-1)?.map((cell) => /right|end/.test(getComputedStyle(cell).textAlign)) ?? [];
  return latexOf(rows.map((row) => row.map((cell) => cell.innerText)), isRight.map((right) => right ? "r" : "l").join(""), note);
}

// browser/page_state.js
var head = (
  /** @type {any} */
  null
);
var path = null;
function accept(response) {
  head = response;
  path = location.pathname;
}
var isOpen = () => path === location.pathname;
function forgetPath() {
  path = null;
}
var queryOf = (view) => view.slice(view.indexOf("?"));

// browser/departure.js
var pagesLeft = /* @__PURE__ */ new Set();
var departure = null;
function setDeparture(next) {
  departure = next;
}
var pageAt = (path2) => path2.slice(path2.lastIndexOf("/") + 1);

// browser/folds.js
function openFolds() {
  const names = [...stage.node.querySelectorAll(".dp-late[open] > summary")].map(({ textContent }) => textContent);
  return names.length ? { folds: [head.page, head.section, ...names] } : {};
}

// browser/stage_cache.js
var CAPACITY = 60;
var stages = /* @__PURE__ */ new Map();
function store(view, bytes) {
  const key = settingKey(view), old = stages.get(key);
  const isSame2 = old?.view === view && old.bytes.length === bytes.length && old.bytes.every((byte, place2) => byte === bytes[place2]);
  stages.delete(key);
  stages.set(key, isSame2 ? old : { view, bytes });
  if (stages.size > CAPACITY) stages.delete([...stages.keys()][0]);
}
var lookUp = (view) => stages.get(settingKey(view));
var lookUpWith = (entries) => head ? lookUp(viewWith(head.view, entries)) : void 0;
var settingKey = (view) => `${head?.dark} ${new URL(view, location.href).pathname} ${new URLSearchParams(queryOf(view))}`;
function viewWith(view, entries) {
  const params = new URLSearchParams(queryOf(view));
  for (const [key, text] of Object.entries(entries)) params.set(key, text);
  return `${view.slice(0, view.indexOf("?"))}?${params}`;
}

// browser/transport.js
var SLOW = 700;
var PATIENCE = 1500;
var MOST_SENDINGS = 40;
var MOST_CHANGES = 50;
var ENGINE_KEYS = ["how", "theme", "prefetch", "view", "dataCopies"];
var ORDER_KEYS = ["add", "csv", "file"];
var WAYS = ["none", "replace", "push"];
var number = 0;
var answered = 0;
var busy = false;
var slow = false;
var endWait = () => {
};
var onIdle = () => {
};
var queue = [];
var current = null;
var changes = /* @__PURE__ */ new Map();
var isUsers = (request2) => Object.keys(request2).some((key) => !ENGINE_KEYS.includes(key));
var isOrder = (request2) => ORDER_KEYS.some((key) => request2[key] !== void 0);
var withHow = (request2) => ({
  ...request2,
  how: request2.how ?? (request2.link ? "replace" : request2.set || "pin" in request2 ? "push" : "none")
});
function send(request2) {
  if (pagesLeft.size || departure && !isUsers(request2)) return;
  if (departure) Object.assign(departure.entered, request2.set);
  if (request2.link) queue = queue.filter(isOrder);
  const last = queue.at(-1), next = withHow(request2);
  if (!last || isOrder(last) || request2.link) queue.push(next);
  else queue.push({ ...queue.pop(), ...next, how: greaterWay(last.how, next.how), set: { ...last.set, ...request2.set } });
  if (!busy) void sendQueued();
}
function sendLinkFirst(request2) {
  queue = [withHow(request2), ...queue.filter(isOrder)];
  if (!busy) void sendQueued();
}
var greaterWay = (first = "none", second = "none") => WAYS[Math.max(WAYS.indexOf(first), WAYS.indexOf(second))];
async function sendQueued() {
  busy = true;
  const start2 = performance.now();
  stage?.node.setAttribute("aria-busy", "true");
  try {
    for (let request2; stage && (request2 = queue.shift()); ) {
      request2.n = ++number;
      changes.set(number, change);
      if (changes.size > MOST_CHANGES) changes.delete([...changes.keys()][0]);
      Object.assign(request2, openFolds());
      const cached = request2.set && lookUpWith(request2.set);
      if (cached) request2.view = cached.view;
      current = request2;
      await sendUntilAnswered(request2);
    }
  } finally {
    busy = false;
    stage?.node.removeAttribute("aria-busy");
  }
  slow = performance.now() - start2 > SLOW;
  onIdle();
}
async function sendUntilAnswered(request2) {
  const n = required(request2.n);
  for (let sendings = 0; sendings < MOST_SENDINGS && answered < n && stage; sendings++) {
    const answer = new Promise((resolve) => endWait = () => resolve(void 0));
    sendRequest(request2);
    await Promise.race([answer, pause(PATIENCE)]);
    while (answered < n && isRunning()) await Promise.race([answer, pause(200)]);
  }
  await Promise.race([runEnd(), pause(400)]);
}
function whenIdle2(callback) {
  onIdle = callback;
}
var isBusy = () => busy;
var isIdle = () => !busy && !queue.length;
var isSlow = () => slow;
var hasQueuedLink = () => queue.some(({ link: link2 }) => link2);
var queuedTexts = () => queue.some(({ set }) => set) ? Object.assign({}, ...queue.map(({ set }) => set)) : void 0;
var currentRequest = () => current;
var changeOf = (n) => changes.get(n) ?? change;
var pendingTexts = () => ({ ...busy ? current?.set : {}, ...queuedTexts() });
function noteAnswer(n) {
  const isFirst = n > answered;
  if (isFirst) answered = n;
  return isFirst;
}
function noteAllAnswered() {
  answered = number;
}
function endWaitIfAnswered() {
  if (answered >= number) endWait();
}
function interruptWait() {
  endWait();
}
function dropQueue() {
  queue = [];
  current = null;
}

// browser/qr_code.js
var LONGEST_LINK = 2500;
var place;
function addCodePlace(host) {
  place = element("div", "dp-code", host);
}
var LOCAL = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/;
var isLocal = (address) => LOCAL.test(new URL(address).host);
function addLocalNote(host, address, who = "Phones") {
  if (isLocal(address)) element("p", "dp-problem", host).textContent = `${who} cannot open this address: it is that of this machine alone. Share has a field for another one.`;
}
function requestCode(link2) {
  send({ qr: link2 });
}
function showCode(markup) {
  if (place) place.innerHTML = markup;
}

// browser/citation.js
var STORAGE = "dp_base_address";
var ownAddress = () => `${location.origin}${location.pathname}`.slice(0, head.page ? -`/${head.page}`.length : void 0).replace(/\/+$/, "");
function withoutOwnAddress(text) {
  const starts = [ownAddress(), baseAddress()];
  return text.split("\n").map((line) => {
    const own = starts.find((start2) => line.trim().startsWith(`${start2}/`) || line.trim().startsWith(`${start2}?`));
    return own === void 0 ? line : line.trim().slice(own.length).replace(/^\?/, "/?");
  }).join("\n");
}
function baseAddress() {
  try {
    return localStorage.getItem(STORAGE) || ownAddress();
  } catch {
    return ownAddress();
  }
}
function setBaseAddress(text) {
  const address = text.trim().replace(/\/+$/, "");
  if (address && !/^https?:\/\/[\w.:[\]-]+(\/[\w.~-]+)*$/.test(address)) return false;
  try {
    localStorage.setItem(STORAGE, address);
  } catch {
  }
  return true;
}
var citedAddress = () => `${baseAddress()}${head.shortLink}`;
var MOST_NAMES = 3;
function namesOfItems() {
  const papers = [...stage.node.querySelectorAll(".dp-paper")], shown2 = papers.filter((paper) => paper.querySelector(".dp-chart, table"));
  const heads = (shown2.length ? shown2 : papers).map((paper) => required(paper.parentElement?.querySelector("h2")).textContent);
  const names = [...new Set(heads.map((text) => text.replace(/^\d+\. /, "")))];
  const others = names.length > MOST_NAMES ? `; ${names.length - MOST_NAMES} more` : "";
  return [head.page, names.slice(0, MOST_NAMES).join("; ") + others].filter(Boolean).join(": ");
}
function citationParts() {
  const { title: own } = stage.fields;
  const sentences2 = [...stage.answerText.querySelectorAll("p")].slice(0, 2).map((line) => line.textContent.trim());
  const section = stage.sections.node.querySelector("[aria-current]")?.textContent;
  return {
    title: own ? own.used || namesOfItems() : section ? `${head.question} (${section})` : head.question,
    answer: own ? sentences2[0].slice(sentences2[0].indexOf(": ", own.used.length) + 2) : sentences2.join(" "),
    version: head.version,
    year: today().slice(0, 4),
    url: citedAddress()
  };
}
function commentCitation() {
  const { url } = citationParts();
  return isLocal(url) ? plainCitation().replace(` ${url} (accessed ${today()}).`, "") : plainCitation();
}
function plainCitation() {
  const { title, answer, version, year, url } = citationParts();
  return `DP Trade-off Explorer, version ${version} (${year}). “${title}” ${answer} ${url} (accessed ${today()}).`;
}
var citationKey = () => `dp-tradeoff-explorer-${head.page || "Start"}-${today().slice(0, 4)}`.toLowerCase().replace(/[^a-z0-9-]/g, "-");
function bibtexCitation() {
  const { title, answer, version, year, url } = citationParts();
  const entries = [
    ["title", `{${texOf(title)}}`],
    ["author", "{DP Trade-off Explorer}"],
    ["year", year],
    ["version", version],
    ["howpublished", `\\url{${url}}`],
    // styles such as plain.bst know no url
    ["note", `Version ${version}. ${texOf(answer)}`],
    ["url", url],
    ["urldate", today()]
  ];
  return `@misc{${citationKey()},
${entries.map(([name, text]) => `  ${name} = {${text}},
`).join("")}}
`;
}
function addAddressField(box, tell) {
  const label = element("label", "dp-address", box), input = element("input", "dp-entry", null, { type: "url", spellcheck: "false" });
  label.append("Address for citations and reports", input);
  input.value = baseAddress();
  const store2 = () => {
    const isUsable = setBaseAddress(input.value);
    if (isUsable) input.value = baseAddress();
    tell(isUsable ? `Citations and reports link to ${baseAddress()}.` : "The address must be like https://example.org/dp.");
  };
  addButton(box, "Set the address", store2, "dp-entry-button");
  input.onkeydown = (event) => {
    if (event.key === "Enter") store2();
  };
}

// browser/complement.js
function complementText(text) {
  const [, inner] = /^1-\((.*)\)$/.exec(text) ?? [];
  if (inner !== void 0) return inner;
  const share = percentAsShare(text.trim()), [, digits] = /^0?[.,](\d{1,15})$/.exec(share) ?? [];
  if (!digits || /^0+$/.test(digits)) return `1-(${share})`;
  const rest = (10n ** BigInt(digits.length) - BigInt(digits)).toString().padStart(digits.length, "0");
  return `0.${rest.replace(/0+$/, "")}`;
}
function percentAsShare(text) {
  const [, whole, decimals] = /^(\d{1,2})(?:[.,](\d{1,13}))?\s*%$/.exec(text) ?? [];
  return whole ? `0.${whole.padStart(2, "0")}${decimals ?? ""}` : text;
}

// browser/field_links.js
var FOLLOWED = 1500;
var AWAITED = 15e3;
var LEAVING = ["wheel", "touchmove", "pointerdown", "keydown"];
var leaveFields = () => {
};
function goToFields(key) {
  if (!keyedElement(key)) return false;
  unfold(key);
  stayAtFields(key);
  return true;
}
function stayAtFields(key) {
  let fields = null;
  const arrive = () => {
    if (!fields) return;
    fields.scrollIntoView({ block: "start" });
    const entry = firstEntry(fields), focused = document.activeElement?.closest("textarea, button");
    if (!entry || focused && fields.contains(focused)) return;
    entry.focus({ preventScroll: true });
    clearTimeout(end);
    end = setTimeout(leave, FOLLOWED);
  };
  const sizes = new ResizeObserver(arrive);
  const find = () => {
    const found = keyedElement(key);
    if (found && found !== fields) {
      sizes.disconnect();
      fields = found;
      sizes.observe(found);
    } else if (found && firstEntry(found)) arrive();
  };
  const places = new MutationObserver(find);
  const leave = () => {
    sizes.disconnect();
    places.disconnect();
    clearTimeout(end);
  };
  let end = setTimeout(leave, keyedElement(key)?.querySelector("details") ? AWAITED : FOLLOWED);
  leaveFields();
  leaveFields = leave;
  find();
  places.observe(scroller() ?? document.body, { childList: true, subtree: true });
  for (const name of LEAVING) addEventListener(name, leave, { once: true, passive: true, capture: true });
}
async function leaveFoldedFields(key) {
  leaveFields();
  const open2 = keyedElement(key);
  await new Promise((resolve) => {
    const places = new MutationObserver(() => ![null, open2].includes(keyedElement(key)) && resolve(places.disconnect()));
    places.observe(scroller() ?? document.body, { childList: true, subtree: true });
    setTimeout(resolve, AWAITED);
  });
  const links = document.querySelectorAll(`.dp-stage a[href="#${CSS.escape(key)}"]`);
  const link2 = [...links].find((one) => !one.closest("details:not([open])"));
  const target = link2 ?? /** @type {HTMLElement | null | undefined} */
  keyedElement(key)?.querySelector("summary");
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "nearest" });
}
function followBox(event) {
  const box = ownDataBox(event);
  if (box?.isOpen) void leaveFoldedFields(box.key);
  else if (box) stayAtFields(box.key);
}
function followFieldLink(event) {
  const anchor = (
    /** @type {HTMLAnchorElement | null} */
    /** @type {Element} */
    event.target.closest?.(".dp-stage a[href^='#']:not([data-section]), .dp-to-answer")
  );
  if (anchor && goToFields(anchor.hash.slice(1))) event.preventDefault();
}
function startFieldLinks() {
  addEventListener("click", followBox, { capture: true });
  addEventListener("click", followFieldLink);
}

// browser/grouping.js
var groupedText = (text) => /^≈?\d{5,15}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text;
var ungroupedText = (text) => /^≈?\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(",", "") : text;

// browser/parameters.js
var drawCached = () => {
};
function whenCached(draw2) {
  drawCached = draw2;
}
var fieldOf = (key) => stage?.fields[key];
function unansweredStep(key) {
  const text = unansweredTexts.get(key);
  return text !== void 0 && stage.fields[key].steps?.includes(text) ? text : void 0;
}
var textOf = (key) => unansweredStep(key) ?? stage.fields[key].used;
var valueOf = (key) => {
  const value = Number(unansweredStep(key) ?? NaN);
  return Number.isNaN(value) ? stage.fields[key].value : value;
};
function showParameter(key) {
  refreshFields(key);
  for (const chart of charts) {
    if (chart.drawnFigure && chart.marks.includes(key)) moveMarker(chart, key);
    if (chart.drawnFigure && chart.picks.includes(key)) placePoint(chart);
  }
}
function refreshFields(key) {
  stage?.widgets.get(key)?.refresh();
}
function setParameters(entries, fromHandle = false) {
  if (pagesLeft.size) return Object.keys(entries).forEach(showParameter);
  beginChange(entries);
  for (const key of Object.keys(entries)) showParameter(key);
  const cached = lookUpWith({ ...pendingTexts(), ...entries });
  if (cached) {
    noteDrawn(change);
    drawCached(cached);
  }
  const how = fromHandle && isHeld ? "replace" : "push";
  if (fromHandle) setHeld(true);
  send({ set: entries, how });
}
function moveParameter(key, text) {
  if (text !== textOf(key)) setParameters({ [key]: text }, true);
}

// browser/prefetch.js
var LASTING = 8e3;
var MOST_REQUESTED = 50;
var RETRY = 300;
var MOST_TRIES = 3;
var nextKey = null;
var nextUntil = 0;
var requested = /* @__PURE__ */ new Map();
var lastRequest = 0;
var retried = "";
var nextParameter = () => nextKey;
function prefetch(key) {
  nextKey = key;
  nextUntil = performance.now() + LASTING;
  prefetchSteps();
}
function prefetchSteps() {
  const key = nextKey;
  if (key === null || !isIdle() || isSlow() || performance.now() > nextUntil || document.hidden) return;
  const field = stage?.fields[key];
  if (!field?.steps?.length || key.includes(".")) return;
  const options = field.steps;
  const at = stepIndex(options, valueOf(key));
  const steps = [1, -1, 2, -2, 3, -3].map((by) => options[at + by]).filter((step) => step !== void 0 && step !== field.used);
  const missing = steps.filter((step) => !lookUpWith({ [key]: step }));
  const first = missing[0] + head.view, tries = requested.get(first) ?? 0;
  const mustWait = head.busy || performance.now() < lastRequest + RETRY;
  if (!missing.length || tries === MOST_TRIES || (tries ? mustWait : key + head.view === retried)) return;
  requested.set(first, tries + 1);
  if (requested.size > MOST_REQUESTED) requested.delete([...requested.keys()][0]);
  if (tries) retried = key + head.view;
  const prefetch2 = missing.slice(0, isHeld || tries ? 1 : 3).map((step) => ({ [key]: step }));
  send({ prefetch: prefetch2, view: head.view, how: "none" });
  lastRequest = performance.now();
  setTimeout(prefetchSteps, RETRY + 1);
}
function releaseParameter(key) {
  if (!isHeld) return;
  setHeld(false);
  prefetch(key);
}
whenIdle2(prefetchSteps);

// browser/fields.js
var LONGEST_OPTIONS = 40;
var layouts = /* @__PURE__ */ new WeakMap();
var knownTexts = /* @__PURE__ */ new WeakMap();
var SEARCH_DELAY = 250;
var takeMatches = () => {
};
var fieldCount = 0;
function addField(host, key, field) {
  if (field.search) return addSearch(host, key, field);
  if (field.steps) return addQuantity(
    host,
    key,
    /** @type {import("./types").NumberField} */
    field
  );
  if (field.options) return addChoice(
    host,
    key,
    /** @type {import("./types").ChoiceField} */
    field
  );
  return addTextField(host, key, field);
}
function showFields(host, keys) {
  const layout = keys.map((key) => `${key} ${stage.fields[key].label}`).join("|");
  if (layouts.get(host) !== layout) {
    layouts.set(host, layout);
    host.replaceChildren();
    for (const key of keys) stage.widgets.set(key, { refresh: addField(host, key, stage.fields[key]) });
  }
  host.hidden = keys.length === 0;
  for (const key of keys) stage.widgets.get(key)?.refresh();
}
var fieldText = (field, text) => field.complement ? complementText(text) : field.steps ? groupedText(text) : text;
var enteredText = (field, text) => field.complement ? complementText(text) : field.steps ? ungroupedText(text) : text;
var spokenName = ({ caption, label }) => caption && caption !== label ? `${caption}: ${label}` : label;
var hasNewText = (input) => (
  /** @type {Entry} */
  input.value !== knownTexts.get(input)
);
function showText(input, text) {
  if (document.activeElement !== input || !hasNewText(input)) input.value = text;
  knownTexts.set(input, text);
}
function addFieldBox(host, key, kind) {
  const node = element("div", `dp-field dp-${kind}`, host, { "data-key": key }), id = `dp_${key}_${fieldCount++}`;
  const header = element("div", "dp-field-head", node);
  const problem = element("p", "dp-problem", node, { id: `${id}_problem`, role: "alert" });
  return { node, header, id, problem, note: (
    /** @type {HTMLElement} */
    element("p", "dp-meant", node)
  ) };
}
function addHelp({ header, node }, field) {
  if (!field.help && (field.caption ?? field.label) === field.label) return;
  const button = element("button", "dp-help", header, { type: "button", "aria-label": `About ${field.symbol}` });
  button.textContent = "?";
  addPopover(button, (popover) => {
    element("strong", "", popover).textContent = field.label;
    setHtml(element("div", "dp-words", popover), field.help ?? "");
  }, node);
}
function refreshEntry(box, input, key) {
  const field = stage.fields[key], [entry, problem] = head.entered[key] ?? [field.used, ""];
  const isPending = unansweredTexts.has(key);
  showText(input, fieldText(field, unansweredTexts.get(key) ?? entry));
  box.problem.textContent = isPending ? "" : problem;
  box.problem.hidden = !box.problem.textContent;
  box.node.classList.toggle("dp-with-problem", !box.problem.hidden);
  const from = isPending || problem ? void 0 : head.carried?.[key];
  box.note.textContent = [
    noteOf(field, isPending || problem ? void 0 : field.meant),
    from && `as on “${from[0]}”`
  ].filter(Boolean).join(", ");
  box.note.hidden = !box.note.textContent;
  if (problem) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}
function changesElsewhere() {
  if (head.aside) return ["One part, shown alone: what you change here stays here."];
  const sentences2 = /* @__PURE__ */ new Map();
  for (const [key, [name, before]] of Object.entries(head.carried ?? {})) {
    const field = stage.fields[key];
    if (!field || field.options || head.demo || unansweredTexts.has(key)) continue;
    if (!before && !stage.moreSettings.keys.includes(key)) continue;
    const used = fieldText(field, field.used);
    const start2 = before ? `Changed on “${name}”, and so here: ` : `As on “${name}”: `;
    const symbol = field.complement ? field.caption : field.symbol;
    const change2 = before ? `${symbol} from ${fieldText(field, before)} to ${used}` : `${symbol} = ${used}`;
    sentences2.set(start2, [...sentences2.get(start2) ?? [], change2]);
  }
  return [...sentences2].map(([start2, listed]) => `${start2}${listed.join(", ")}.`);
}
var noteOf = (field, meant) => meant && field.complement ? `${field.complement} ${meant}` : meant ?? "";
function addEntry(host, box, key, field) {
  const kind = field.lines ? (
    /** @type {const} */
    "textarea"
  ) : (
    /** @type {const} */
    "input"
  );
  const input = element(kind, "dp-entry", host, {
    ...field.lines ? { rows: field.links ? 12 : 3 } : { type: "text" },
    id: box.id,
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": spokenName(field),
    "aria-describedby": `${box.id}_problem`
  });
  const commit = () => {
    if (!hasNewText(input)) return;
    const text = input.value;
    knownTexts.set(input, text);
    setParameters({ [key]: field.links ? withoutOwnAddress(text) : enteredText(field, text) });
  };
  input.onchange = commit;
  input.onkeydown = (event) => {
    if (event.key === "Enter" && !field.lines) commit();
    if (event.key === "Escape" && hasNewText(input)) {
      input.value = knownTexts.get(input) ?? "";
      event.stopPropagation();
    }
  };
  return input;
}
function addQuantity(host, key, field) {
  const box = addFieldBox(host, key, "quantity");
  const symbol = element("label", "dp-symbol", box.header, { for: box.id, title: field.label });
  symbol.textContent = field.caption.replace(" · ", " · ");
  if (field.complement) box.note = element("span", "dp-complement", symbol);
  const input = addEntry(box.header, box, key, { ...field, lines: false });
  addHelp(box, field);
  const refreshSlider = field.steps.length ? addSlider(box, key, field) : null;
  const { automatic } = field;
  const button = automatic ? addButton(box.node, automatic.name, () => setParameters({ [key]: automatic.text })) : null;
  return () => {
    if (!stage.fields[key]) return;
    refreshEntry(box, input, key);
    refreshSlider?.();
    if (button) button.hidden = textOf(key) === automatic?.text;
  };
}
function addSlider(box, key, field) {
  const slider = element("input", "dp-range", null, {
    type: "range",
    min: 0,
    max: field.steps.length - 1,
    step: "any",
    "aria-label": field.ends || `${field.label}, steps`
  });
  box.header.after(slider);
  const mirrored = (place2) => field.complement ? field.steps.length - 1 - place2 : place2;
  slider.oninput = () => moveParameter(key, field.steps[Math.round(mirrored(Number(slider.value)))]);
  slider.onchange = () => releaseParameter(key);
  slider.onpointerenter = slider.onfocus = () => prefetch(key);
  slider.onkeydown = (event) => {
    const step = keyStep(event, stage.fields[key].steps ?? [], valueOf(key), field.complement ? -1 : 1);
    if (step !== void 0) moveParameter(key, step);
  };
  slider.onkeyup = slider.onblur = () => releaseParameter(key);
  return () => {
    const { steps = [] } = stage.fields[key], value = valueOf(key);
    const below = steps.filter((step) => Number(step) < value).length;
    slider.value = String(mirrored(Number(steps[below]) === value ? below : Math.max(0, below - 0.5)));
    slider.setAttribute("aria-valuetext", fieldText(field, textOf(key)));
  };
}
function addChoice(host, key, field) {
  const refresh = addOptions(host, key, field);
  if (field.link) element("a", "dp-field-link", host.lastElementChild, { href: `#${field.link.key}` }).textContent = field.link.label;
  return refresh;
}
function addOptions(host, key, field) {
  const box = addFieldBox(host, key, "choice"), options = Object.entries(field.options);
  if (!field.question && (options.length > 4 || options.map(([, name]) => name).join("").length > LONGEST_OPTIONS)) return addSelect(box, key, field);
  const group = element("div", field.question ? "dp-options dp-answers" : "dp-options", box.node, { role: "radiogroup", "aria-label": field.label });
  element("span", "dp-symbol", box.header).textContent = field.label;
  addHelp(box, field);
  const inputs = options.map(([option, name]) => {
    const label = element("label", "", group), input = element("input", "", label, { type: "radio", name: box.id, value: option });
    element("span", "", label).textContent = name;
    input.onchange = () => chooseOption(key, option);
    return input;
  });
  return () => {
    for (const input of inputs) input.checked = input.value === optionOf(key);
  };
}
var optionOf = (key) => unansweredTexts.get(key) ?? stage.fields[key]?.used;
function chooseOption(key, option) {
  const { link: link2 } = stage.fields[key];
  if (link2?.option === option && !head.data[link2.slot]) goToFields(link2.key);
  setParameters({ [key]: option });
}
function addSelect(box, key, field) {
  element("label", "dp-symbol", box.header, { for: box.id }).textContent = field.label;
  addHelp(box, field);
  const select = element("select", "dp-select", box.node, { id: box.id, "aria-label": field.label });
  for (const [option, name] of Object.entries(field.options)) element("option", "", select, { value: option }).textContent = name;
  select.onchange = () => chooseOption(key, select.value);
  return () => {
    if (stage.fields[key]) select.value = optionOf(key);
  };
}
function addTextField(host, key, field) {
  const box = addFieldBox(host, key, "words-field");
  element("label", "dp-symbol", box.header, { for: box.id }).textContent = field.label;
  addHelp(box, field);
  const input = addEntry(box.node, box, key, field);
  box.header.after(input);
  if (field.links) input.after(addButton(box.node, "Make the demonstration", () => input.dispatchEvent(new Event("change"))));
  return () => {
    if (stage.fields[key]) refreshEntry(box, input, key);
  };
}
function addSearch(host, key, field) {
  const box = addFieldBox(host, key, "words-field");
  element("label", "dp-symbol", box.header, { for: box.id }).textContent = field.label;
  const input = element("input", "dp-entry", null, { type: "search", id: box.id, autocomplete: "off", spellcheck: "false" });
  const list = element("div", "dp-matches", null, { role: "status" });
  const pages = element("div", "dp-places", null);
  box.header.after(input, list, pages);
  const range = () => required(stage.fields[key].search), place2 = () => Math.min(valueOf(key), range()[0]);
  const go = (step) => () => setParameters({ [key]: String(Math.max(1, place2() + step * range()[1])) });
  const earlier = addButton(pages, "‹", go(-1)), note = element("span", "", pages), later = addButton(pages, "›", go(1));
  earlier.setAttribute("aria-label", "Earlier");
  later.setAttribute("aria-label", "Later");
  let timer2 = 0, shownView = "";
  const ask3 = () => {
    clearTimeout(timer2);
    const text = input.value.trim();
    if (!text) return list.replaceChildren();
    timer2 = Number(setTimeout(() => isIdle() ? send({ find: text, how: "none" }) : ask3(), SEARCH_DELAY));
  };
  input.oninput = ask3;
  input.onkeydown = (event) => {
    if (event.key === "Enter") list.querySelector("button")?.click();
    if (event.key !== "Escape" || !input.value) return;
    input.value = "";
    ask3();
    event.stopPropagation();
  };
  takeMatches = ({ text, found, total }) => {
    if (text !== input.value.trim()) return;
    list.replaceChildren();
    for (const [at, name] of found) addButton(list, name, () => setParameters({ [key]: at }), "dp-entry-button");
    const rest = total - found.length;
    if (!total || rest) element("span", "", list).textContent = total ? `and ${groupedText(String(rest))} more` : "Nothing has this name.";
  };
  return () => {
    if (!stage.fields[key]?.search) return;
    const [items, shown2] = range(), first = place2(), last = Math.min(first + shown2 - 1, items);
    note.textContent = `${[first, last].map((end) => groupedText(String(end))).join("–")} of ${groupedText(String(items))}`;
    earlier.disabled = first <= 1;
    later.disabled = last >= items;
    if (shownView !== stage.shownView) list.replaceChildren();
    shownView = stage.shownView;
  };
}

// browser/keyboard.js
function isForField({ target, key }) {
  const node = (
    /** @type {Element} */
    target
  );
  const field = node.closest?.("[role=dialog]") ?? node.closest?.("input, select, textarea, [role=slider]");
  if (!field || !["Escape", "PageDown", "PageUp"].includes(key)) return Boolean(field);
  return !field.matches("[type=range], [type=radio], [role=slider], .dp-entry") || field.matches(".dp-entry") && hasNewText(field);
}

// browser/clipboard.js
function addCopyButton(box, name, textOf2, done) {
  const note = box.querySelector(":scope > .dp-copied") ?? element("p", "dp-done dp-copied", box, { role: "status" });
  addButton(box, name, () => {
    const text = textOf2();
    navigator.clipboard.writeText(text).then(() => done, () => text).then((line) => {
      note.textContent = line;
      note.classList.toggle("dp-copy-lines", line.trim().includes("\n"));
      const popover = (
        /** @type {HTMLElement | null} */
        note.closest(".dp-popover")
      );
      if (popover) keepInSight(popover);
      if (line !== done) note.scrollIntoView?.({ block: "nearest" });
    });
  }, "dp-entry-button");
}

// chart/export_encoding.js
var panelLetter = (place2, count) => count > 1 ? `(${String.fromCharCode(97 + place2)}) ` : "";
function textWithoutTags(text) {
  const field = document.createElement("textarea");
  field.innerHTML = String(text).replace(/<br\s*\/?>/gi, " ").replace(/<\/?(b|i|u|s|em|sub|sup|span|a)\b[^<>]*>/gi, "");
  return field.value.replace(/\u2060/g, "").trim();
}
var FREE_DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
function greyDashes(data) {
  const isLine = ({ type = "scatter", mode = "lines", visible, line }) => type === "scatter" && visible !== false && mode.includes("lines") && line?.color && line.width !== 0;
  const dashOf = ({ line }) => line.dash || "solid", lines = data.filter(isLine), worn = new Set(lines.map(dashOf)), own = /* @__PURE__ */ new Set();
  const free = FREE_DASHES.filter((dash) => !worn.has(dash)), named = lines.filter(({ name, showlegend }) => name && showlegend !== false);
  return new Map(named.map((trace) => [trace, own.has(dashOf(trace)) ? free.shift() ?? "" : (own.add(dashOf(trace)), dashOf(trace))]));
}
var withoutColours = (text) => text.replace(/\bRed (?=×)|(?<=\bdashed) blue(?=:)/g, "");

// browser/in_sight.js
function tracesInSight(data, layout, ranges) {
  return data.filter((trace) => {
    const { type = "scatter", mode = "lines", x, y, line, fill = "none", error_x, error_y } = trace;
    if (type !== "scatter" || error_x || error_y || !(x?.length > 1 || x?.[0] != null) || !y) return true;
    const [across, up] = [[x, trace.xaxis ?? "x"], [y, trace.yaxis ?? "y"]].map(([values, axis]) => sideOf(values, `${axis[0]}axis${axis.slice(1)}`, layout, ranges));
    const points = Array.from(x, (_, place2) => [across.place(place2), up.place(place2)]), isDrawn = points.map((point) => point.every(Number.isFinite));
    const meets = (box) => [across, up].every(({ low, high }, side) => Math.max(...box.map((point) => point[side])) >= low && Math.min(...box.map((point) => point[side])) <= high);
    if (!mode.includes("lines")) return points.some((point, place2) => isDrawn[place2] && meets([point]));
    const widened = (box) => [...box, ...edgesOf(fill, box, up.isLog)];
    if (fill === "toself") return meets(points.filter((_, place2) => isDrawn[place2]));
    const isExact = fill === "none" && !(line?.shape?.length === 2 || line?.shape === "hvh");
    return points.some((end, place2) => {
      const start2 = points[place2 - 1] ?? end, isPart = isDrawn[place2] && (place2 === 0 || isDrawn[place2 - 1]);
      return isPart && meets(widened([start2, end])) && (!isExact || crosses(start2, end, across, up));
    });
  });
}
function sideOf(values, key, layout, ranges) {
  const isLog = layout[key]?.type === "log", [low, high] = [...ranges[key] ?? [-Infinity, Infinity]].sort((a, b) => a - b), spare = 1e-9 * (high - low);
  const place2 = (at) => typeof values[at] === "string" ? low : values[at] == null ? NaN : isLog ? Math.log10(values[at]) : values[at];
  return Number.isFinite(spare) ? { low: low - spare, high: high + spare, isLog, place: place2 } : { low, high, isLog, place: (at) => typeof values[at] === "string" ? 0 : place2(at) };
}
function edgesOf(fill, [[x, y]], isLog) {
  if (fill === "tozeroy") return [[x, isLog ? -Infinity : 0]];
  if (fill === "tozerox") return [[0, y], [-Infinity, y]];
  if (fill === "tonexty") return [[x, -Infinity], [x, Infinity]];
  return fill === "tonextx" ? [[-Infinity, y], [Infinity, y]] : [];
}
function crosses(start2, end, across, up) {
  let [first, last] = [0, 1];
  for (const [side, { low, high }] of [across, up].entries()) {
    const length = end[side] - start2[side];
    if (!length) continue;
    const [enters, leaves] = [(low - start2[side]) / length, (high - start2[side]) / length].sort((a, b) => a - b);
    [first, last] = [Math.max(first, enters), Math.min(last, leaves)];
  }
  return first <= last;
}
var SIGNS = {
  Dotted: ({ line }) => line?.dash === "dot",
  "Red ×": ({ marker }) => /^x/.test(marker?.symbol ?? ""),
  Grey: ({ fill = "none" }) => fill !== "none",
  Shaded: ({ fill = "none" }) => fill !== "none"
};
var sentencesOf = (text) => text.split(/(?<=[.!?])(?: |<br>)(?=\p{Lu})/u);
var isExplanation = (sentence2) => /^\p{Lu}[^.:=]*: /u.test(sentence2);
function explainedInSight(subtitle, data, visible) {
  const isGone = (sentence2) => {
    const sign = SIGNS[sentence2.split(":")[0]];
    return sign && isExplanation(sentence2) && data.some(sign) && !visible.some(sign);
  };
  return sentencesOf(subtitle).some(isGone) ? sentencesOf(subtitle).filter((sentence2) => !isGone(sentence2)).join(" ") : subtitle;
}

// browser/figure_caption.js
var DASHES2 = (
  /** @type {Record<string, string>} */
  { solid: "solid", dash: "dashed", dot: "dotted", dashdot: "dash-dotted", longdash: "long dashes", longdashdot: "long dashes and dots" }
);
var SYMBOLS2 = (
  /** @type {Record<string, string>} */
  { circle: "points", "circle-open": "open circles", star: "star", "star-open": "open star", x: "crosses", "cross-thin-open": "plus signs", diamond: "diamonds", square: "squares" }
);
function colourWord(colour) {
  if (!/^#[0-9a-f]{6}$/i.test(String(colour))) return "";
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(String(colour).slice(at, at + 2), 16)), most = Math.max(red, green, blue), range = most - Math.min(red, green, blue);
  if (range < 40) return most < 70 ? "black" : "grey";
  const turn = most === red ? ((green - blue) / range + 6) % 6 : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return ["red", "orange", "yellow", "green", "green", "green", "teal", "blue", "blue", "purple", "purple", "rose"][Math.round(turn * 2 - 0.1) % 12];
}
function legendLooks(data, { hidden = /* @__PURE__ */ new Set(), names = {}, isGrey = false } = {}) {
  const looks = /* @__PURE__ */ new Map(), drawn = data.filter(({ legendgroup, name }) => !hidden.has(legendgroup ?? name)), dashes = greyDashes(drawn);
  for (const trace of drawn) {
    const { type = "scatter", mode = "lines", name, visible, showlegend, line, marker, fill } = trace;
    if (type !== "scatter" || !name || visible === false || showlegend === false) continue;
    const isLine = mode.includes("lines") && line?.width !== 0, isShaded = !isLine && fill && fill !== "none";
    const shown2 = (isGrey ? dashes.get(trace) : void 0) ?? (line?.dash || "solid");
    const look2 = isLine ? DASHES2[shown2] ?? (shown2 ? "short dashes" : "with marks") : isShaded ? "shaded" : !isGrey && mode.includes("markers") && SYMBOLS2[marker?.symbol ?? "circle"];
    const text = textWithoutTags(names[name] ?? name), colour = isGrey ? "" : colourWord(isLine ? line?.color : marker?.color);
    if (look2) looks.set([look2, text, colour].join(), { look: look2, name: text, colour });
  }
  return looks;
}
function marksOf(looks) {
  const all = [...looks.values()], styles = new Set(all.map(({ look: look2 }) => look2));
  if (styles.size < 2) return "";
  const text = [...styles].map((style) => {
    const group = all.filter(({ look: look2 }) => look2 === style), isMixed = new Set(group.map(({ colour }) => colour)).size > 1;
    return `${style}: ${[...new Set(group.map(({ name, colour }) => isMixed && colour ? `${name} (${colour})` : name))].join(", ")}`;
  }).join("; ");
  return text[0].toUpperCase() + text.slice(1);
}
function settingLineOf({ shapes = [], annotations = [], ...axes }, ranges = {}) {
  const isInside = ({ x0, x1, y0, y1 }) => [["xaxis", x0, x1], ["yaxis", y0, y1]].every(([key, start2, end]) => {
    const place2 = axes[key]?.type === "log" ? Math.log10(start2) : start2, [low, high] = [...ranges[key] ?? []].sort((a, b) => a - b);
    return start2 !== end || !(place2 < low || place2 > high);
  });
  const names = new Set(shapes.filter((shape) => shape.type === "line" && shape.name && isInside(shape)).map(({ name }) => name));
  const labels = annotations.filter(({ name, text }) => text && names.has(name)).map(({ text }) => textWithoutTags(text));
  return labels.length ? `Thin dashed line${labels.length > 1 ? "s" : ""}: ${labels.join(", ")}` : "";
}
var COLUMN_MM = 120;
var sentence = (text) => text && !/[.!?:]$/.test(text) ? `${text}.` : text;
function captionOf(titles) {
  const common = titles.length > 1 && titles.every(({ text }) => text === titles[0].text) ? titles[0].text ?? "" : "";
  const panels = titles.map(({ text = "", subtitle, marks = "", line = "" }) => [common ? "" : text, ...sentencesOf(subtitle?.text ?? ""), marks, line].map((part) => sentence(textWithoutTags(part))).filter(Boolean));
  const lettersOf = (part) => [...panels.keys()].filter((place2) => panels[place2].includes(part)).map((place2) => panelLetter(place2, panels.length).slice(1, -2)).join(", ");
  const shared = [...new Set(panels.flat())].filter((part) => isExplanation(part) && lettersOf(part).includes(","));
  const own = panels.map((parts) => parts.filter((part) => !shared.includes(part)).join(" ")), isEmpty = own.every((part) => !part);
  const captions = isEmpty ? [] : own.map((part, place2) => panelLetter(place2, panels.length) + part);
  const owners = new Set(shared.map(lettersOf));
  return [...common ? [sentence(textWithoutTags(common))] : [], ...captions, ...[...owners].map((letters) => `(${letters}) ${shared.filter((part) => lettersOf(part) === letters).join(" ")}`)].join(" ");
}
function latexFigure({ name, format, widthMm, caption, note, key }) {
  const file = `${name}.${format === "png" ? "png" : "pdf"}`;
  const kind = widthMm > COLUMN_MM ? "figure*" : "figure";
  const needs = `It needs \\usepackage{graphicx,url}${format === "svg" ? ", and the picture as PDF" : ""}.`;
  const lines = [
    `\\begin{${kind}}[htbp]`,
    "  \\centering",
    `  \\includegraphics[width=${widthMm}mm]{${file}}`,
    `  \\caption{${texOf(caption)}}`,
    `  \\label{fig:${name.replace(/[^0-9A-Za-z]+/g, "-")}}`,
    `\\end{${kind}}`
  ];
  return `% ${note.replace(/\s+/g, " ")}
% Cite it by \\cite{${key}}: “Share” has its BibTeX.
% ${needs}
${lines.join("\n")}
`;
}

// browser/picture_labels.js
var ofPage = { page: "", charts: (
  /** @type {Map<string, Typed>} */
  /* @__PURE__ */ new Map()
) };
function typedFor(view) {
  if (ofPage.page !== head.page) ofPage = { page: head.page, charts: /* @__PURE__ */ new Map() };
  const name = required(required(view.part).name), typed = ofPage.charts.get(name) ?? { ends: {}, names: {}, panels: /* @__PURE__ */ new Set() };
  ofPage.charts.set(name, typed);
  return typed;
}
function labelPanels(views, typed) {
  const told = /* @__PURE__ */ new Set();
  for (const view of views) {
    const labels = labelsOf(view, typed), sentences2 = sentencesOf(labels.subtitle);
    const repeated = sentences2.filter((sentence2) => isExplanation(sentence2) && told.has(sentence2));
    const heading = repeated.length ? sentences2.filter((sentence2) => !repeated.includes(sentence2)).join(" ") : labels.subtitle;
    view.labels = /** @type {Labels} */
    { ...labels, heading };
    for (const sentence2 of sentences2) told.add(sentence2);
  }
}
function labelsOf(view, typed) {
  const { data, layout } = required(view.part).figure, axes = axesOf2(view), text = layout.title?.subtitle?.text ?? "";
  const ends = Object.entries(axes).map(([key, axis]) => [key, endsOf(axis, typed.ends[nameOf(key, axis)])]);
  const ranges = Object.fromEntries(ends.filter(([, range]) => range)), names = { ...typed.names };
  if (!Object.keys(ranges).length) return { ranges, names, hidden: [], subtitle: text };
  const fixed = Object.fromEntries(Object.entries(axes).map(([key, { range }]) => [key, range]));
  const visible = tracesInSight(data, layout, { ...fixed, ...ranges }), groups = new Set(visible.map(groupOf));
  return { ranges, names, hidden: data.map(groupOf).filter((group) => group && !groups.has(group)), subtitle: explainedInSight(text, data, visible) };
}
function axesOf2({ part, chart }) {
  const { layout } = required(part).figure, drawn = (
    /** @type {any} */
    chart?.plot?._fullLayout
  );
  const axes = ["xaxis", "yaxis"].map((key) => [key, { ...layout[key], range: drawn?.[key]?.range ? [...drawn[key].range] : layout[key]?.range }]);
  return Object.fromEntries(axes.filter(([, { range, type, ticktext }]) => range && (!ticktext || type === "log")));
}
var nameOf = (key, { type, title }) => [key, type, title?.text].join();
function endsOf({ range, type }, texts = []) {
  if (!texts.some((text) => text.trim())) return null;
  const ends = texts.map((typed, place2) => {
    const text = typed.trim().replace(",", "."), number2 = text && Number(text);
    return number2 === "" ? range[place2] : type === "log" ? Math.log10(number2) : number2;
  });
  return ends.every(Number.isFinite) && ends[0] < ends[1] === range[0] < range[1] && ends[0] !== ends[1] ? ends : null;
}
function showLabels(box, views, typed) {
  box.replaceChildren();
  const axes = views.map(axesOf2);
  for (const key of ["xaxis", "yaxis"]) {
    const names = axes.map((one) => one[key] && nameOf(key, one[key])), different = new Set(names.filter(Boolean));
    for (const name of different) {
      const places = [...names.keys()].filter((place2) => names[place2] === name), letters = places.map((place2) => panelLetter(place2, names.length).trim());
      const own = different.size > 1 ? ` of ${letters.join(", ")}` : "";
      addEnds(box, `${key[0]}${own}`, places.map((place2) => axes[place2][key]), typed.ends[name] ??= ["", ""]);
    }
  }
  for (const name of new Set(views.flatMap(namesOf))) addName(box, typed.names, name);
  if (views.length > 1) element("p", "dp-paper-hint", box).textContent = "What you enter holds in every panel: ends for all axes with the same title, a name for all curves with the same name.";
}
function namesOf({ part, chart }) {
  const named = required(part).figure.data.filter((trace) => trace.name && trace.visible !== false && trace.showlegend !== false && !chart?.hidden?.has(groupOf(trace)));
  return named.map(({ name }) => String(name));
}
function addEnds(box, name, axes, texts) {
  const row = element("div", "dp-row dp-paper-ends", box), [{ range, type }] = axes, isLog = type === "log", [letter] = name;
  element("span", "", row).textContent = `${name} from`;
  const addEnd = (place2) => {
    const usual = Number((isLog ? 10 ** range[place2] : range[place2]).toPrecision(4));
    const field = element("input", "dp-entry dp-paper-size", row, { type: "text", inputmode: "decimal", placeholder: String(usual), "aria-label": `${name} ${place2 ? "to" : "from"}` });
    field.value = texts[place2];
    return field;
  };
  const from = addEnd(0);
  row.append("to");
  const fields = [from, addEnd(1)], problem = element("p", "dp-problem", box, { role: "alert", hidden: "" });
  const tell = () => {
    problem.hidden = !texts.some((text) => text.trim()) || axes.every((axis) => endsOf(axis, texts));
    const order = range[0] < range[1] ? "the lower one first" : "the higher one first";
    problem.textContent = problem.hidden ? "" : `The ends of ${letter} must be numbers${isLog ? " above 0" : ""}, ${order} as on the page; until then they are those of the page.`;
  };
  for (const [place2, field] of fields.entries()) {
    field.oninput = () => {
      texts[place2] = field.value;
      tell();
    };
  }
  tell();
}
function addName(box, names, name) {
  const label = element("label", "dp-row dp-paper-name", box), field = element("input", "dp-entry", label, { type: "text", placeholder: name, maxlength: "80" });
  label.prepend("Name of ", name);
  field.value = names[name] ?? "";
  field.oninput = () => {
    const text = field.value.trim();
    if (text) names[name] = text;
    else delete names[name];
  };
}
var hasLabels = ({ ends, names }) => Object.keys(names).length > 0 || Object.values(ends).flat().some((text) => text.trim());

// browser/picture_form.js
var STORAGE2 = "dp_paper";
var DEFAULTS = { format: "svg", widthMm: 180, heightMm: 0, typePt: 8, typeface: "sans", arrangement: "", titled: true, greySafe: false, transparent: false };
var FOLDED = (
  /** @type {const} */
  ["heightMm", "typeface", "titled", "greySafe", "transparent"]
);
var SIZES = {
  widthMm: { name: "Width", least: 40, most: 400, suggested: [85, 120, 180], usual: String(DEFAULTS.widthMm) },
  heightMm: { name: "Height", least: 20, most: 500, suggested: [40, 60, 80, 100], usual: "automatic" }
};
var STORED = (
  /** @type {const} */
  ["widthMm", "heightMm", "typePt", "typeface"]
);
var ofPage2 = { page: "", ...looksOf(DEFAULTS) };
function looksOf({ arrangement, titled, greySafe, transparent }) {
  return { arrangement, titled, greySafe, transparent };
}
function lastChoices() {
  const { page, ...looks } = ofPage2.page === head.page ? ofPage2 : { page: "", ...looksOf(DEFAULTS) };
  const stored = storedPaper(), sizes = Object.fromEntries(STORED.filter((key) => typeof stored[key] === typeof DEFAULTS[key]).map((key) => [key, stored[key]]));
  return { ...DEFAULTS, ...sizes, ...looks, format: (
    /** @type {Paper["format"]} */
    head.picture
  ) };
}
function storedPaper() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE2) ?? "{}");
  } catch {
    return {};
  }
}
function rememberPaper(paper) {
  ofPage2 = { page: head.page, ...looksOf(paper) };
  try {
    localStorage.setItem(STORAGE2, JSON.stringify(Object.fromEntries(STORED.map((key) => [key, paper[key]]))));
  } catch {
  }
}
var fileName = ([first, ...others]) => others.length ? `${first}_panels` : first;
function captionOfViews(views, { greySafe, titled }) {
  const looks = views.map(({ part, chart, labels }) => {
    const hidden = /* @__PURE__ */ new Set([...chart?.hidden ?? [], ...labels?.hidden ?? []]);
    return legendLooks(required(part).figure.data, { hidden, names: labels?.names, isGrey: greySafe });
  });
  const all = looks.reduce((most, one) => one.size > most.size ? one : most), isShared = looks.every((one) => [...one.keys()].every((look2) => all.has(look2)));
  const titles = views.map(({ part, labels }, place2) => {
    const { layout } = required(part).figure, subtitle = labels ? { text: labels.subtitle } : layout.title?.subtitle;
    return { text: layout.title?.text, subtitle, marks: marksOf(isShared && looks[place2].size ? all : looks[place2]), line: settingLineOf(layout, labels?.ranges) };
  });
  const isSaid = titled && titles.every(({ marks, line }) => marks || line);
  const caption = captionOf(isSaid ? titles.map(({ marks, line }) => ({ marks, line })) : titles);
  return greySafe ? withoutColours(caption) : caption;
}
function addPictureForm(box, view, others, save, savePlot) {
  const paper = lastChoices(), typed = typedFor(view), labels = element("div", "dp-paper-fold");
  const chosen2 = () => others.filter((other) => other === view || typed.panels.has(required(required(other.part).name)));
  const panels = () => {
    labelPanels(chosen2(), typed);
    return chosen2();
  };
  addSelect2(box, paper, "Format", "format", [["svg", "SVG"], ["png", "PNG, 300 dpi"], ["pdf", "PDF"]]);
  addSize(box, paper, "widthMm");
  addSelect2(box, paper, "Font size", "typePt", [6, 7, 8, 9, 10, 11, 12].map((size) => [size, `${size} pt`]));
  const showFields2 = () => {
    showLabels(labels, chosen2(), typed);
    keepInSight(box);
  };
  if (others.length > 1) addPanels(box, paper, view, others, typed.panels, showFields2);
  if (others.length === 1) element("p", "dp-paper-hint", box).textContent = "Several charts in one picture: add each to the report, and save it there. Ends and names are then given there.";
  const more = element("details", "dp-paper-more", box);
  element("summary", "", more).textContent = "More";
  const fold = element("div", "dp-paper-fold", more);
  addSize(fold, paper, "heightMm");
  addSelect2(fold, paper, "Font", "typeface", [["sans", "Sans serif"], ["serif", "Serif"], ["modern", "Computer Modern"]]);
  addTick(fold, paper, "Include title", "titled");
  addTick(fold, paper, "Distinguishable in greyscale", "greySafe");
  addTick(fold, paper, "Transparent background", "transparent");
  showLabels(labels, chosen2(), typed);
  fold.append(labels);
  const texts = element("div", "dp-paper-texts", fold);
  addTexts(texts, paper, panels);
  addButton(texts, "matplotlib script", () => savePlot(paper, panels()), "dp-entry-button");
  more.ontoggle = () => {
    box.classList.toggle("dp-paper-open", more.open);
    keepInSight(box);
  };
  more.open = hasLabels(typed) || FOLDED.some((key) => paper[key] !== DEFAULTS[key]);
  box.addEventListener("change", () => rememberPaper(paper));
  addButton(box, "Save picture", () => save(paper, panels()), "dp-entry-button");
  return chosen2;
}
function addSelect2(box, paper, name, key, choices) {
  const label = element("label", "dp-row", box), select = element("select", "dp-select", label);
  label.prepend(name);
  for (const [value, text] of choices) element("option", "", select, { value }).textContent = text;
  select.value = String(paper[key]);
  if (select.selectedIndex < 0) Object.assign(paper, { [key]: DEFAULTS[key] }), select.value = String(DEFAULTS[key]);
  select.onchange = () => Object.assign(paper, { [key]: typeof DEFAULTS[key] === "number" ? Number(select.value) : select.value });
  return label;
}
function addSize(box, paper, key) {
  const { name, least, most, suggested, usual } = SIZES[key];
  const label = element("label", "dp-row", box), suggestions = element("datalist", "", box, { id: `dp-paper-${key}` });
  const field = element("input", "dp-entry dp-paper-size", label, { type: "text", inputmode: "decimal", placeholder: usual, list: suggestions.id });
  label.prepend(`${name} in mm`);
  for (const size of suggested) element("option", "", suggestions, { value: size });
  const problem = element("p", "dp-problem", box, { role: "alert", hidden: "" });
  if (paper[key] !== DEFAULTS[key] && !(paper[key] >= least && paper[key] <= most)) paper[key] = DEFAULTS[key];
  field.value = paper[key] === DEFAULTS[key] ? "" : String(paper[key]);
  field.oninput = () => {
    const text = field.value.trim().replace(",", ".").replace(/\s*mm$/, ""), size = Number(text);
    const isUsable = !text || usual.startsWith(text.toLowerCase()) || size >= least && size <= most;
    paper[key] = size >= least && size <= most ? size : DEFAULTS[key];
    problem.hidden = isUsable;
    problem.textContent = isUsable ? "" : `The ${name.toLowerCase()} must be from ${least} to ${most} mm; until then it is ${usual}.`;
  };
}
function addTick(box, paper, name, key) {
  const label = element("label", "dp-row dp-tick", box), tick = element("input", "", label, { type: "checkbox" });
  label.append(name);
  tick.checked = paper[key];
  tick.onchange = () => paper[key] = tick.checked;
}
function addPanels(box, paper, view, charts2, chosen2, act) {
  const panels = element("fieldset", "dp-paper-panels", box);
  element("legend", "", panels).textContent = "Further panels";
  for (const other of charts2) {
    if (other === view) continue;
    const label = element("label", "dp-row dp-tick", panels), tick = element("input", "", label, { type: "checkbox" });
    label.append(captionOf([{ text: required(other.part).figure.layout.title?.text }]).replace(/\.$/, ""));
    const name = required(required(other.part).name);
    tick.checked = chosen2.has(name);
    tick.onchange = () => {
      if (tick.checked) chosen2.add(name);
      else chosen2.delete(name);
      places.hidden = !chosen2.size;
      act();
    };
  }
  const places = addSelect2(panels, paper, "Panels", "arrangement", [["", "As many in a row as fit"], ["row", "Side by side"], ["column", "Below each other"]]);
  places.hidden = !chosen2.size;
}
function addTexts(box, paper, panels) {
  const parts = () => panels().map(({ part }) => required(part)), caption = () => captionOfViews(panels(), paper);
  addCopyButton(box, "Copy caption", caption, "The caption is copied.");
  const latex = () => latexFigure({ ...paper, name: fileName(parts().map(({ file }) => file)), caption: caption(), note: commentCitation(), key: citationKey() });
  addCopyButton(box, "Copy for LaTeX", latex, "The lines of LaTeX are copied.");
}

// browser/picture_files.js
var script = null;
var fonts = /* @__PURE__ */ new Map();
var fontsHere = /* @__PURE__ */ new Set();
var request = null;
var plotted = null;
function takeScript(bytes) {
  script = import(URL.createObjectURL(new Blob([bytes], { type: "text/javascript" })));
}
function takeFont(typeface, bytes) {
  fontsHere.add(typeface);
  requestedFont(typeface).resolve(bytes);
}
function requestedFont(typeface) {
  if (!fonts.has(typeface)) fonts.set(typeface, Promise.withResolvers());
  return required(fonts.get(typeface));
}
function missingTools(typeface) {
  return { script: !script, ...fontsHere.has(typeface) ? {} : { font: typeface } };
}
async function drawnPicture(part, format) {
  const tools = missingTools(DEFAULTS.typeface), paper = { ...DEFAULTS, format, titled: false };
  if (tools.script || tools.font) send({ ...tools, how: "none" });
  const font = await requestedFont(paper.typeface).promise, { pictureFile } = await required(script);
  const metadata = { name: required(part.name), alternative: part.alt, link: "", version: head.version, date: today(), font };
  const { blob } = await pictureFile(globalThis.Plotly, [{ figure: part.figure }], { ...paper, ...metadata });
  return format === "svg" ? blob.text() : dataAddress(blob);
}
var dataAddress = (blob) => new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.readAsDataURL(blob);
});
function showPictureForm(box, view, close) {
  const savePlot = (paper, views) => {
    plotted = view;
    requestPicture({ ...paper, format: "svg" }, views, true);
    close();
  };
  return addPictureForm(box, view, chartsOfPage(), requestPicture, savePlot);
}
var namesOf2 = (views) => views.map(({ part }) => required(required(part).name)).join("\n");
function chartsOfPage() {
  const views = [...stage.parts.values()].filter(({ chart, part }) => chart && part);
  return views.sort((a, b) => a.node.compareDocumentPosition(b.node) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
}
function requestPicture(paper, views, isProgram = false) {
  const names = views.map(({ part }) => required(required(part).name));
  const figures = new Map(views.map(({ chart, labels }, place2) => {
    const { hidden, ranges, heading, names: given } = labels, panel = { hidden: [...required(chart).hidden, ...hidden], ranges: { ...fixedRanges(required(chart)), ...ranges }, subtitle: heading, names: given };
    return [names[place2], { figure: { data: [], layout: {} }, ...panel }];
  }));
  request = { paper, views, figures, files: /* @__PURE__ */ new Map(), isProgram };
  const set = isProgram || paper.format === head.picture ? {} : { set: { picture: paper.format } };
  send({ chart: names, ...missingTools(paper.typeface), how: isProgram ? "none" : "replace", ...set });
}
function fixedRanges({ plot }) {
  const axes = Object.entries(plot._fullLayout ?? {}).filter(([key, axis]) => /^[xy]axis\d*$/.test(key) && axis.autorange === false);
  return Object.fromEntries(axes.map(([key, axis]) => [key, [...axis.range]]));
}
async function savePicture(part) {
  const panel = request?.figures.get(part.name ?? "");
  if (!request || !panel) return;
  const { paper, views, figures, files, isProgram } = request;
  panel.figure = part.figure;
  files.set(required(part.name), part.file);
  if (files.size < figures.size) return;
  request = null;
  const font = await requestedFont(paper.typeface).promise, { pictureFile } = await required(script);
  const parts = views.map((view) => required(view.part)), alternatives = parts.map(({ alt }, place2) => panelLetter(place2, parts.length) + alt);
  const name = fileName([...figures.keys()].map((key) => required(files.get(key))));
  const origin = { name, alternative: alternatives.join(" "), link: `${baseAddress()}${head.link}`, version: head.version, date: today(), font };
  const { blob, heightMm, columns, looks } = await pictureFile(globalThis.Plotly, [...figures.values()], { ...paper, ...origin });
  if (isProgram) {
    const { widthMm, typePt, titled } = paper;
    return send({ plot: namesOf2(views), at: baseAddress(), paper: { widthMm, heightMm: Math.round(100 * heightMm) / 100, typePt, titled, columns, looks } });
  }
  saveFile(`${name}.${paper.format}`, blob);
  const isHigher = paper.heightMm > 0 && heightMm > paper.heightMm + 0.5;
  showNote(views[0], isHigher ? `Its words need more room: the picture is ${Math.ceil(heightMm)} mm high.` : "", paper.titled ? "" : captionOfViews(views, paper));
}
function savePlotProgram(program) {
  const hasProgram = Boolean(program.text || program.zip), source = program.zip ? "each CSV in the zip" : `${program.file.replace(/py$/, "csv")}, which “Numbers as CSV” saves`;
  if (hasProgram) saveText(program);
  if (plotted) showNote(plotted, hasProgram ? `It draws ${source}. Its line WIDTH, HEIGHT, TYPE has the size.` : "There is no script for this kind of chart: only for lines, points and bars on one pair of axes.");
}
function showNote(view, sentence2, caption = "") {
  view.fileNote ??= element("div", "dp-done dp-file-note", view.node, { role: "status" });
  view.fileNote.replaceChildren();
  view.fileNote.hidden = !sentence2 && !caption;
  if (sentence2) element("p", "", view.fileNote).textContent = sentence2;
  if (!caption) return;
  element("p", "", view.fileNote).textContent = `Its caption: ${caption}`;
  addCopyButton(view.fileNote, "Copy caption", () => caption, "The caption is copied.");
}

// browser/report.js
var FILE_TYPES = (
  /** @type {Record<string, string>} */
  {
    "report.zip": "application/zip",
    "report.pdf": "application/pdf",
    "report.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  }
);
var STORAGE3 = "dp_report";
var KEYS = (
  /** @type {const} */
  ["title", "notes", "items", "appendix"]
);
var limits = [0, 0];
var unstored = "";
var isOpen2 = false;
var awaitsOwn = false;
var lastOwn = null;
var isLinkFollowed = false;
var ownTexts = /* @__PURE__ */ new Set();
var nextFocus = null;
var plotly;
var ownerPlace;
var fileNote;
var removedItems = "";
var addedPlace;
function storedReport() {
  try {
    return localStorage.getItem(STORAGE3) ?? unstored;
  } catch {
    return unstored;
  }
}
function storeReport(text) {
  unstored = text;
  try {
    localStorage.setItem(STORAGE3, text);
  } catch {
  }
  showItemCount();
}
var parseReport = (query) => {
  const params = new URLSearchParams(query);
  return {
    title: params.get("title") ?? "",
    notes: params.get("notes") ?? "",
    items: params.get("items") ?? "",
    appendix: params.get("appendix") ?? "with"
  };
};
var reportText = (report) => KEYS.map((key) => `${key}=${encodeURIComponent(report[key])}`).join("&");
var EMPTY = reportText(parseReport(""));
var itemsOf = (report) => report.items.split("~").filter(Boolean);
var ownReport = () => parseReport(storedReport());
var pageReport = () => parseReport(queryOf(head.link));
var isOwn = () => lastOwn !== null;
var isReport = () => head?.page === "Report";
function addToReport(name, place2) {
  addedPlace = place2;
  const { items } = ownReport(), tokens = [...items.matchAll(/@([0-9a-f]{16})/g)].map(([, token]) => token);
  showAdded("Adding it to the report…");
  send({ add: name, room: limits[1] - items.length - 1, tokens, how: "none" });
}
function takeItem({ item, refused, is_kept }) {
  if (refused) return showAdded(refused);
  const report = ownReport(), items = [...itemsOf(report), item], [mostItems, mostCharacters] = limits;
  if (itemsOf(report).some((other) => other.split("#")[0] === item)) return showAdded("The report contains this item already.");
  if (items.length > mostItems) return showAdded(`A report has at most ${mostItems} items. Remove one first.`);
  if (items.join("~").length + 1 > mostCharacters) {
    return showAdded("The link of the report has no room for another item. Remove one first.");
  }
  storeReport(reportText({ ...report, items: items.join("~") }));
  const isOfSession = /@/.test(item.split("?")[0]), kept = isOfSession ? ` until you ${is_kept ? "" : "reload or "}close this tab` : "";
  return showAdded(`Added to the report as item ${items.length}${kept}. What you change here does not change it.`);
}
function showAdded(sentence2) {
  const previous = document.querySelector(".dp-report-notice"), box = previous ?? element("div", "dp-report-notice");
  if (!previous) {
    element("span", "", box, { role: "status" });
    element("a", "", box, { "data-page": "" });
    addButton(box, "×", () => box.remove(), "dp-menu").setAttribute("aria-label", "Close");
  }
  const place2 = addedPlace?.isConnected ? addedPlace : stage.node;
  if (box.parentElement !== place2) place2.append(box);
  const note = required(box.querySelector("span")), link2 = required(box.querySelector("a")), count = itemsOf(ownReport()).length;
  note.textContent = sentence2;
  link2.textContent = `Open report (${count})`;
  link2.href = reportLink();
  link2.hidden = count === 0;
  box.scrollIntoView?.({ block: "nearest" });
}
var NAVIGATION = '.dp-pages a[href*="/Report?"]';
var navigationLink = () => (
  /** @type {HTMLAnchorElement | null} */
  document.querySelector(NAVIGATION)
);
function reportLink() {
  const link2 = navigationLink(), shared = new URLSearchParams(link2 ? new URL(link2.href).searchParams : location.search);
  for (const key of KEYS) shared.delete(key);
  return `./Report?${shared}&${reportText(ownReport())}`;
}
function showItemCount() {
  const link2 = navigationLink();
  if (link2) link2.dataset.many = String(itemsOf(ownReport()).length || "");
}
function startReport(reportLimits) {
  limits = reportLimits;
  for (const kind of ["pointerdown", "focusin", "click"]) {
    addEventListener(kind, (event) => {
      const link2 = (
        /** @type {HTMLAnchorElement | null} */
        /** @type {Element} */
        event.target.closest?.(NAVIGATION)
      );
      if (link2) link2.href = reportLink();
    }, true);
  }
  addEventListener("storage", (event) => {
    if (event.key !== STORAGE3) return;
    showItemCount();
    if (!stage || !isReport()) return;
    if (isOwn()) openOwn("replace");
    else showOwner();
  });
}
function followReport() {
  showItemCount();
  if (!isReport()) {
    isOpen2 = false;
    return;
  }
  const shown2 = reportText(pageReport()), own = reportText(ownReport());
  if (!isOpen2) {
    [isOpen2, lastOwn, awaitsOwn, isLinkFollowed] = [true, null, true, false];
    if (shown2 === EMPTY && own !== EMPTY) send({ set: ownReport(), how: "replace" });
  }
  if ((awaitsOwn || isLinkFollowed) && shown2 === own) [awaitsOwn, lastOwn] = [false, own];
  if (isOwn() && shown2 !== lastOwn) {
    const isOfLink = isLinkFollowed && !ownTexts.has(shown2);
    if (own === lastOwn && !isOfLink) storeReport(lastOwn = shown2);
    else lastOwn = null;
    isLinkFollowed = false;
  }
  if (lastOwn !== null) ownTexts.add(lastOwn);
  showOwner();
}
function noticeFollowedLink(query) {
  isLinkFollowed = isReport() && reportText(parseReport(query)) !== lastOwn;
}
function openOwn(how) {
  [awaitsOwn, lastOwn] = [true, null];
  send({ set: ownReport(), how });
}
function showOwner() {
  const place2 = ownerPlace;
  if (!place2?.isConnected) return;
  const ownCount = itemsOf(ownReport()).length, shownCount = itemsOf(pageReport()).length;
  const add = (name, act) => void addButton(place2, name, act, "dp-entry-button");
  place2.replaceChildren();
  const canUndo = shownCount === 0 && removedItems !== "";
  if (isOwn() && shownCount === 0 && !canUndo) return;
  const sentence2 = element("p", "", place2);
  if (canUndo) {
    sentence2.textContent = "All items were removed.";
    add("Undo", () => setParameters({ items: removedItems }));
    return;
  }
  if (isOwn()) {
    sentence2.textContent = "This is your report. Your browser stores it, and items from other pages are added to it.";
    add("Remove all items", () => {
      removedItems = pageReport().items;
      setParameters({ items: "" });
    });
    return;
  }
  const items = `${ownCount} item${ownCount === 1 ? "" : "s"}`;
  sentence2.textContent = `This report comes from a link. ${ownCount ? `Your own report (${items}) is not changed.` : "Items from other pages are not added to it."}`;
  add(ownCount ? `Replace my report (${items}) by this one` : "Make this my report", () => {
    storeReport(lastOwn = reportText(pageReport()));
    showOwner();
  });
  if (ownCount) add("Open my report", () => openOwn("push"));
}
function showFiles(view, { names, missing }) {
  view.bar ??= element("div", "dp-files", view.node);
  ownerPlace = view.owner ??= element("div", "dp-owner", view.node);
  view.bar.replaceChildren();
  view.bar.hidden = names.length === 0;
  const add = (name, act) => {
    const button = addButton(view.bar, name, () => {
      note.textContent = "The file is being created…";
      act();
    });
    button.disabled = Boolean(missing);
  };
  add("HTML file", () => requestFile("report.html"));
  add("PDF", () => requestPaper("report.pdf", "svg"));
  add("Word file", () => requestPaper("report.docx", "png"));
  add("Numbers as CSV, zipped", () => requestFile("report.zip"));
  const note = fileNote = element("span", "dp-done", view.bar, { role: "status" });
  note.textContent = missing;
  addAddressField(view.bar, (sentence2) => {
    note.textContent = sentence2;
  });
  showOwner();
}
function requestFile(file) {
  send({ file, at: baseAddress(), plotly: file === "report.html" && !plotly, how: "none" });
}
async function requestPaper(file, format) {
  const charts2 = [...stage.parts.values()].filter((view) => view.chart && view.part);
  const pictures = {};
  for (const view of charts2) pictures[required(view.part?.name)] = await drawnPicture(required(view.part), format);
  send({ file, at: baseAddress(), pictures, how: "none" });
}
function takePlotly(bytes) {
  plotly = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}
async function takeFile(name, bytes) {
  if (fileNote) fileNote.textContent = "";
  if (name !== "report.html") return saveFile(name, new Blob([bytes], { type: FILE_TYPES[name] }));
  const script2 = required(await plotly), text = new TextDecoder().decode(bytes).replace("/* Plotly */", () => script2);
  return saveFile(name, new Blob([text], { type: "text/html" }));
}
function showItem(view, part, showContent) {
  const { place: place2, of } = part;
  view.item ??= addItemHeader(view);
  view.body ??= element("div", "dp-paper", view.node);
  view.place = place2;
  const { buttons, title, source, note } = (
    /** @type {ReturnType<typeof addItemHeader>} */
    view.item
  ), [up, down, remove2] = buttons;
  up.disabled = place2 === 0;
  down.disabled = place2 === of - 1;
  up.setAttribute("aria-label", `Move item ${place2 + 1} up`);
  down.setAttribute("aria-label", `Move item ${place2 + 1} down`);
  remove2.setAttribute("aria-label", `Remove item ${place2 + 1}`);
  setHtml(title, `${place2 + 1}. ${part.heading}`);
  source.textContent = part.source;
  if (part.link) source.href = `.${part.link}`;
  else source.removeAttribute("href");
  note.setAttribute("aria-label", `Note on item ${place2 + 1}`);
  showText(note, part.note);
  showContent(view.body);
  if (nextFocus?.place !== place2) return;
  const button = buttons[required(nextFocus).button];
  nextFocus = null;
  (button.disabled ? buttons.find((other) => !other.disabled) : button)?.focus();
}
function addItemHeader(view) {
  const header = element("div", "dp-item-head", view.node);
  const names = element("div", "dp-item-names", header);
  const title = element("h2", "dp-title", names), source = element("a", "", names);
  const tools = element("div", "dp-item-tools", header);
  const buttons = [
    addButton(tools, "↑ Up", () => moveItem(view.place, -1, 0)),
    addButton(tools, "↓ Down", () => moveItem(view.place, 1, 1)),
    addButton(tools, "Remove", () => changeItems((items) => items.filter((_, place2) => place2 !== view.place)))
  ];
  const note = element("input", "dp-entry dp-item-note", view.node, {
    type: "text",
    maxlength: 300,
    placeholder: "Note on this item",
    autocomplete: "off"
  });
  note.onchange = () => changeItems((items) => items.map((item, place2) => place2 === view.place ? withNote(item, note.value) : item));
  return { title, source, buttons, note };
}
var withNote = (item, note) => item.split("#")[0] + (note.trim() && `#${encodeURIComponent(note.trim()).replaceAll("~", "%7E")}`);
function changeItems(edit) {
  setParameters({ items: edit(itemsOf(pageReport())).join("~") });
}
function moveItem(place2, by, button) {
  nextFocus = { place: place2 + by, button };
  changeItems((items) => items.with(place2, items[place2 + by]).with(place2 + by, items[place2]));
}

// browser/statements.js
var chosen = "public";
function showStatement(panel) {
  for (
    const text of
    /** @type {NodeListOf<HTMLElement>} */
    panel.querySelectorAll(".dp-statement")
  ) text.hidden = text.dataset.length !== chosen;
  for (
    const input of
    /** @type {NodeListOf<HTMLInputElement>} */
    panel.querySelectorAll(".dp-lengths input")
  ) input.checked = input.value === chosen;
}
function startStatements(panel) {
  panel.addEventListener("change", ({ target }) => {
    chosen = /** @type {HTMLInputElement} */
    target.value;
    showStatement(panel);
  });
  panel.addEventListener("click", ({ target }) => {
    const button = (
      /** @type {Element} */
      target.closest("[data-add]")
    );
    if (button) addToReport(button.dataset.add ?? "", required(stage.answerText.parentElement));
  });
}

// browser/answer_buttons.js
var DELAY = 300;
function newAnswerPanel(parent, lead, buttons) {
  const node = element("section", "dp-answer-panel", lead, { id: "dp-answer-panel", tabindex: -1 });
  node.hidden = true;
  const top = element("div", "dp-panel-top", node), title = element("b", "", top), content = element("div", "dp-panel-content", node);
  const closer = addButton(top, "Close", () => closePanel(true));
  node.onclick = (event) => void copyText(
    /** @type {Element} */
    event.target.closest("[data-copy]")
  );
  startStatements(node);
  const news = element("p", "dp-hidden", parent, { role: "status" });
  const copyNote = element("p", "dp-hidden", parent, { role: "status" });
  return { node, title, closer, content, buttons, news, copyNote, names: "", buttonNames: (
    /** @type {Record<string, string>} */
    {}
  ), open: (
    /** @type {OpenPanel | null} */
    null
  ), timer: 0 };
}
function startAnswerButtons() {
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && stage?.panel.open && !head.present && !isForField(event)) closePanel(true);
  });
}
function showAnswerButtons(buttonNames) {
  const { panel } = stage, names = JSON.stringify(buttonNames);
  panel.buttonNames = buttonNames;
  if (panel.names !== names) {
    panel.names = names;
    panel.buttons.replaceChildren();
    for (const [key, name] of Object.entries(buttonNames)) {
      const button = addButton(panel.buttons, name, () => panel.open?.key === key ? closePanel() : openPanel(key), "");
      button.dataset.panel = key;
      button.setAttribute("aria-controls", "dp-answer-panel");
    }
  }
  if (panel.open && !buttonNames[panel.open.key]) panel.open = null;
  showPanel();
}
function openPanel(key) {
  const { node } = stage.panel;
  stage.panel.open = { key, view: null, html: "" };
  node.scrollTop = 0;
  showPanel();
  node.focus({ preventScroll: node.getBoundingClientRect().top < innerHeight / 2 });
}
function closePanel(isFromWithin = false) {
  const { panel } = stage;
  const button = panel.buttons.querySelector(`[data-panel="${panel.open?.key}"]`);
  panel.open = null;
  showPanel();
  if (isFromWithin) button?.focus();
}
function takePanel(key, html) {
  const open2 = stage?.panel.open;
  if (open2?.key === key) Object.assign(open2, { view: head.view, html });
}
var isCurrent = () => {
  const open2 = stage.panel.open;
  return Boolean(open2?.view && stage.shownView && settingKey(open2.view) === settingKey(stage.shownView));
};
function showPanel() {
  const { node, title, closer, content, buttons, news, open: open2 } = stage.panel;
  for (
    const button of
    /** @type {Iterable<HTMLElement>} */
    buttons.children
  ) {
    button.setAttribute("aria-expanded", String(open2?.key === button.dataset.panel));
  }
  node.hidden = !open2;
  if (!open2) {
    setHtml(content, "");
    news.textContent = node.style.minHeight = "";
    return;
  }
  const name = stage.panel.buttonNames[open2.key] ?? "", isReady = isCurrent();
  node.setAttribute("aria-label", name);
  title.textContent = name;
  closer.setAttribute("aria-label", `Close ${name}`);
  node.setAttribute("role", "region");
  node.setAttribute("aria-busy", String(!isReady));
  node.style.minHeight = isReady ? "" : `${node.offsetHeight}px`;
  setHtml(content, isReady ? open2.html : "<p>Computing for this setting …</p>");
  showStatement(node);
  const sentence2 = isReady ? `${name}: shown over the picture` : `${name}: computing`;
  if (news.textContent !== sentence2) news.textContent = sentence2;
  if (!isReady) requestPanel(open2.view ? DELAY : 0);
}
function requestPanel(wait) {
  clearTimeout(stage.panel.timer);
  stage.panel.timer = Number(setTimeout(() => {
    if (!stage?.panel.open || isCurrent()) return;
    if (!isIdle() || isHeld) requestPanel(DELAY);
    else send({ panel: stage.panel.open.key, view: head.view, how: "none" });
  }, wait));
}
async function copyText(button) {
  if (!button) return;
  const text = required(button.parentElement?.querySelector("code, p")), { copyNote } = stage.panel, what = `The ${button.dataset.copy}`;
  try {
    await navigator.clipboard.writeText(text.textContent);
    copyNote.textContent = `${what} is copied.`;
    button.textContent = "Copied";
  } catch {
    getSelection()?.selectAllChildren(text);
    copyNote.textContent = `${what} is selected: copy it from there.`;
    button.textContent = "Selected";
  }
}

// browser/sections.js
function newSections(parent) {
  const node = element("nav", "dp-sections", parent, { "aria-label": "Sections of this page" });
  const links = () => [...node.querySelectorAll("a")];
  const ends = ["Earlier sections", "Further sections"].map((name, place2) => newEnd(node, name, place2 === 0 ? -1 : 1));
  node.addEventListener("scroll", () => markEnds(node, ends), { passive: true });
  new ResizeObserver(() => markEnds(node, ends)).observe(node);
  return { node, links, ends, names: "", open: (
    /** @type {string | undefined} */
    void 0
  ) };
}
function showSections(tabs, open2) {
  const row = stage.sections, names = JSON.stringify(tabs);
  row.node.hidden = tabs.length < 2;
  if (row.names !== names) {
    row.names = names;
    row.node.replaceChildren(row.ends[0], ...tabs.map(sectionLink), row.ends[1]);
    if (head) followSections(head.link);
  }
  for (const link2 of row.links()) mark(link2, link2.dataset.path === void 0 && link2.dataset.section === open2);
  if (row.open !== open2) requestAnimationFrame(() => {
    scrollToOpen(row.node);
    markEnds(row.node, row.ends);
  });
  row.open = open2;
}
function sectionLink([page, key, name, leftOut]) {
  const link2 = element("a", "", null, { href: "#", "data-section": key, "data-left-out": leftOut.join(" ") });
  link2.textContent = name;
  if (page !== null) {
    link2.dataset.path = page;
    link2.dataset.page = "";
    return link2;
  }
  link2.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setParameters({ section: key });
  };
  return link2;
}
function followSections(address) {
  const query = queryOf(address), shared = new URLSearchParams(sharedEntries(new URLSearchParams(query)));
  for (const link2 of stage.sections.links()) {
    const section = link2.dataset.section ?? "", { path: path2 } = link2.dataset, own = section && `&section=${section}`;
    const kept = new URLSearchParams(query);
    for (const key of link2.dataset.leftOut?.split(" ") ?? []) kept.delete(key);
    link2.href = path2 === void 0 ? viewWith(`${location.pathname}?${kept}`, { section }) : `./${path2}?${shared}${own}`;
  }
}
function sharedKeys() {
  const navigation = document.querySelector(".dp-pages");
  return navigation?.dataset.shared?.split(" ") ?? [];
}
function sharedEntries(open2) {
  return open2.has("aside") ? [] : sharedKeys().map((key) => [key, open2.get(key) ?? ""]);
}
function mark(link2, isOpen3) {
  if (isOpen3) link2.setAttribute("aria-current", "page");
  else link2.removeAttribute("aria-current");
}
function scrollToOpen(row) {
  const link2 = row.querySelector("[aria-current]");
  if (!link2) return;
  const [whole, part] = [row, link2].map((node) => node.getBoundingClientRect());
  row.scrollLeft += part.left + part.width / 2 - whole.left - whole.width / 2;
}
function newEnd(row, name, by) {
  const end = element("button", "dp-end", null, { type: "button", "aria-label": name, hidden: "" });
  end.textContent = by < 0 ? "‹" : "›";
  end.onclick = () => row.scrollBy({ left: by * (row.clientWidth - 2 * end.offsetWidth) });
  return end;
}
function markEnds({ scrollLeft, scrollWidth, clientWidth }, ends) {
  const focused = ends.findIndex((end) => end === document.activeElement);
  ends[0].hidden = scrollLeft <= 4;
  ends[1].hidden = scrollLeft + clientWidth >= scrollWidth - 4;
  if (ends[focused]?.hidden) ends[1 - focused].focus({ preventScroll: true });
}
function followNavigation(address) {
  const open2 = new URL(address, location.href).searchParams;
  const page = pageAt(location.pathname), section = open2.get("section") ?? "";
  const links = (
    /** @type {HTMLAnchorElement[]} */
    [...document.querySelectorAll(".dp-pages .dp-group a")]
  );
  const tabs = (link2) => link2.dataset.tabs?.split(" ") ?? [];
  const current2 = links.find((link2) => tabs(link2).some((tab) => tab === `${page}/` || tab === `${page}/${section}`)) ?? links.find((link2) => tabs(link2)[0]?.startsWith(`${page}/`));
  for (const link2 of links) {
    const to = new URL(link2.href);
    for (const key of sharedKeys()) to.searchParams.delete(key);
    for (const [key, text] of sharedEntries(open2)) to.searchParams.set(key, text);
    if (link2.href !== to.href) link2.href = to.href;
    mark(link2, link2 === current2);
  }
}

// browser/history.js
var PATIENCE2 = 1e4;
var openedPage = "";
var link;
function followLink(head2, { isNewPage, isAnswer, how }) {
  const ownWay = isAnswer && how !== "none" ? how : "push";
  if (isNewPage || isAnswer || head2.link !== link) setAddress(head2.link, isNewPage ? "replace" : ownWay);
}
function noteLink(head2) {
  link = head2.link;
  const base = baseAddress(), foot = (
    /** @type {HTMLAnchorElement} */
    stage.foot.firstElementChild
  );
  foot.href = base + head2.shortLink;
  foot.nextSibling?.replaceWith(` (${base}${head2.page && `/${head2.page}`})`);
}
function setAddress(address, how) {
  const query = queryOf(address), { hash } = location;
  followSections(address);
  if (String(new URLSearchParams(location.search)) === String(new URLSearchParams(query))) return;
  history[how === "push" ? "pushState" : "replaceState"](history.state ?? {}, "", location.pathname + query + hash);
}
function leavePage() {
  pagesLeft.add(openedPage);
  openedPage = pageAt(location.pathname);
  pagesLeft.delete(openedPage);
  if (stage) stage.node.inert = true;
  dropQueue();
  forgetEdits();
  forgetPath();
}
function afterStep() {
  if (pageAt(location.pathname) !== openedPage) leavePage();
  if (!stage || pagesLeft.size) return false;
  unansweredTexts.clear();
  beginChange();
  noticeFollowedLink(location.search);
  send({ link: location.search || "?" });
  return true;
}
async function goTo(href) {
  const to = new URL(href, location.href), before = new URLSearchParams(link && queryOf(link));
  const leaving = { entered: pendingTexts() };
  if (pageAt(to.pathname) !== openedPage) {
    setDeparture(leaving);
    for (const start2 = performance.now(); (isBusy() || isRunning()) && performance.now() - start2 < PATIENCE2; ) await pause(20);
    if (departure !== leaving) return;
    setDeparture(null);
  }
  for (const [key, text] of Object.entries(leaving.entered)) {
    if (to.searchParams.has(key) && to.searchParams.get(key) === before.get(key)) to.searchParams.set(key, text);
  }
  openPage(to);
}
var isForNewTab = (event) => event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
function followPageLink(event) {
  const anchor = (
    /** @type {HTMLAnchorElement | null} */
    /** @type {Element} */
    event.target.closest?.("a[data-page], .dp-stage a[href^='./']")
  );
  if (!anchor || isForNewTab(event)) return;
  event.preventDefault();
  void goTo(anchor.href);
}
function startHistory() {
  openedPage = pageAt(location.pathname);
  followHistory({
    isRefused: (url) => pagesLeft.has(pageAt(url.pathname)),
    afterPush: () => pageAt(location.pathname) !== openedPage && leavePage(),
    // by a link of Streamlit
    afterStep
  });
  addEventListener("click", followPageLink);
}

// browser/room_votes.js
var LECTURE = "dp-lecture";
var ROOM = "dp-room";
var votesByQuestion = /* @__PURE__ */ new Map();
var ownVotes = null;
var onVotes = () => {
};
var onQuestion = () => {
};
var isFollowing = false;
var hasAsked = false;
var channel = null;
function open() {
  if (channel) return channel;
  channel = new BroadcastChannel("dp_room_votes");
  channel.onmessage = ({ data }) => {
    if (data === null) return void (ownVotes && channel?.postMessage(ownVotes));
    if (data.question) votesByQuestion.set(data.question, data.words);
    else votesByQuestion.clear();
    onVotes();
  };
  return channel;
}
function tellVotes(votes) {
  if (JSON.stringify(votes) === JSON.stringify(ownVotes) || !(votes.words || ownVotes)) return;
  ownVotes = votes;
  open().postMessage(votes);
}
function followVotes(listener) {
  onVotes = listener;
  open().postMessage(null);
}
var forgetVotes = () => votesByQuestion.clear();
var votesOn = (question) => votesByQuestion.get(question) ?? "";
function askOnPhones(room, how) {
  window.name = LECTURE;
  const tab = window.open("", ROOM), address = new URL(room, location.href);
  if (!tab) return;
  if (tab.location.pathname === address.pathname) {
    tab.postMessage({ set: Object.fromEntries(address.searchParams), how }, location.origin);
  } else {
    address.searchParams.set("present", "on");
    address.hash = how || "ask";
    tab.location.replace(address.href);
  }
  tab.focus();
}
function askedAtOnce() {
  const how = location.hash.slice(1);
  if (hasAsked || !isRoomTab() || !how.startsWith("ask")) return "";
  hasAsked = true;
  history.replaceState(history.state, "", location.pathname + location.search);
  return how;
}
function followQuestions(listener) {
  onQuestion = listener;
  if (isFollowing) return;
  isFollowing = true;
  addEventListener("message", ({ data, origin }) => {
    if (origin === location.origin && isRoomTab() && data?.set) onQuestion(data.set, data.how);
  });
}
var isRoomTab = () => window.name === ROOM;
var showLecture = () => void window.open("", LECTURE);

// browser/classroom.js
var PATIENCE3 = 15e3;
var SWEEP = 5e3;
var SHORTEST_FRAME = 90;
var LONGEST_FRAME = 600;
var MOST_FRAMES = 24;
var answers = /* @__PURE__ */ new Map();
var asked = /* @__PURE__ */ new Map();
var nextStep = null;
var isTravelling = false;
var openTitle = "";
var questionHeight = "";
var leftStep = "";
var openStep = "";
var moving = "";
var lastMotion = 0;
var ROOM_KEYS = [
  ["p", "", "Ask on phones", "Asks it at once in the room of the class, in another tab, where C closes the round and P leads back. At ε = 1 a vote needs some 100 students"],
  ["n", "ask_exactly", "Without noise", "Asks it on phones, of which each sends its answer as it is: for a small class"]
];
var isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
function newLesson(parent) {
  const node = element("section", "dp-lesson"), header = element("div", "dp-lesson-head", node);
  parent.prepend(node);
  const title = element("strong", "", header), place2 = element("span", "dp-lesson-place", header);
  const back = element("a", "dp-lesson-back", header);
  const tools = element("div", "dp-lesson-tools", header);
  const rooms = ROOM_KEYS.map(([key, how, name, title2]) => {
    const button = addKeyButton(tools, name, key.toUpperCase(), () => askOnPhones(required(head.demo?.quiz).room, how));
    button.title = title2;
    button.classList.add("dp-room-key");
    return { key, button };
  });
  const play = addKeyButton(tools, "Play", "space", () => void playOrPause()), fields = addKeyButton(tools, "Fields", "F", showFieldsOrPicture);
  play.title = "Move to this setting (space)";
  fields.title = "The fields and the answer of the page (F)";
  const previous = addButton(tools, "←", () => goStep(-1));
  const next = addButton(tools, "→", () => goStep(1));
  previous.setAttribute("aria-label", "Previous step");
  next.setAttribute("aria-label", "Next step");
  const code = addKeyButton(element("div", "dp-lesson-code", tools), "QR", "Q");
  code.setAttribute("aria-label", "QR code of this step");
  code.title = "QR code of this step (Q)";
  addPopover(code, (box, close) => {
    const { code: code2, links, place: place3 } = required(head.demo), link2 = `${baseAddress()}/${(code2 || links[place3 - 1]).slice(2)}`;
    element("p", "", box).textContent = "This step on a phone; it is not the vote, which P opens.";
    addCodePlace(box);
    element("p", "dp-done", box).textContent = link2;
    addLocalNote(box, link2);
    addButton(box, "Close", close, "dp-entry-button");
    requestCode(link2);
  });
  element("kbd", "", tools).textContent = "F11 full screen";
  addKeyButton(tools, "Leave", "Esc", leaveLesson);
  back.textContent = "Back to the step";
  const text = element("div", "dp-lesson-text", node, { role: "status" });
  const quiz = element("div", "dp-lesson-quiz", node, { role: "group", "aria-label": "Question" });
  return { node, title, place: place2, back, rooms, play, fields, previous, next, code, text, quiz, quizId: "" };
}
function addKeyButton(host, name, key, act = null) {
  const button = addButton(host, name, act);
  element("kbd", "", button, { "aria-hidden": "true" }).textContent = key;
  return button;
}
function showLesson(demo) {
  const { lesson } = stage;
  lesson.node.hidden = !demo;
  if (moving !== demo?.key) moving = "";
  if (openTitle !== (demo?.title ?? "")) forgetAnswers();
  if (openStep !== (demo?.key ?? "")) answers.delete(demo?.key ?? "");
  openStep = demo?.key ?? "";
  stage.node.classList.toggle("dp-teaching", Boolean(demo));
  stage.node.dataset.step = demo?.key ?? "";
  openTitle = demo?.title ?? "";
  if (!demo) return;
  if (nextStep === demo.place - 1) nextStep = null;
  lesson.node.setAttribute("aria-label", `Demonstration: ${demo.title}`);
  lesson.title.textContent = demo.title;
  lesson.place.textContent = `${demo.place} of ${demo.links.length}`;
  lesson.back.hidden = !demo.moved || Boolean(moving);
  lesson.back.href = demo.links[demo.place - 1];
  lesson.previous.disabled = demo.place === 1;
  lesson.next.disabled = demo.place === demo.links.length && (!demo.quiz || isAsking(demo));
  for (const { button } of lesson.rooms) button.hidden = !isAsking(demo) || !demo.quiz?.room;
  lesson.play.hidden = !demo.sweep || isStill() || isAsking(demo);
  required(lesson.play.firstChild).textContent = moving ? "Pause" : "Play";
  lesson.fields.setAttribute("aria-pressed", String(stage.node.classList.contains("dp-with-fields")));
  setHtml(lesson.text, verdict(demo) + classVotes(demo) + demo.text);
  const isElsewhere = demo.moved && !moving;
  lesson.text.style.visibility = isElsewhere ? "hidden" : "";
  stage.node.classList.toggle("dp-asking", isAsking(demo) && !demo.moved);
  showQuiz(demo);
}
function focusLeftDemonstration() {
  const link2 = (
    /** @type {HTMLElement | null} */
    leftStep && !head.demo && stage.node.querySelector(`a[href*="demo=${leftStep}&"]`)
  );
  if (!link2) return;
  leftStep = "";
  link2.focus();
}
function forgetAnswers() {
  answers.clear();
  asked.clear();
  forgetVotes();
  questionHeight = "";
  nextStep = null;
}
var isAsking = ({ key, quiz }) => Boolean(quiz) && (asked.has(key) || answers.has(key));
function verdict(demo) {
  const asking = demo.key.replace(/\d+$/, String(demo.place - 1)), isLast = demo.place === demo.links.length;
  const answer = isLast && answers.get(demo.key) || (isAsking(demo) ? void 0 : answers.get(asking));
  if (!answer || answer.isRight === null) return "";
  const line = element("p", answer.isRight ? "dp-lesson-right" : "dp-lesson-wrong");
  line.textContent = answer.line;
  return line.outerHTML;
}
function classVotes(demo) {
  const isEnd = demo.place === demo.links.length && answers.has(demo.key);
  const key = isEnd ? demo.key : demo.key.replace(/\d+$/, String(demo.place - 1)), words = votesOn(asked.get(key) ?? "");
  if (!words) return "";
  const line = element("p", "dp-lesson-votes");
  line.textContent = words;
  return line.outerHTML;
}
function showQuiz(demo) {
  const { key, quiz } = demo, { lesson } = stage, node = lesson.quiz, isOpen3 = isAsking(demo);
  const id = `${key} ${isOpen3} ${answers.get(key)?.place}`;
  const isEnd = !quiz && demo.place === demo.links.length;
  node.hidden = !quiz && !isEnd;
  if (lesson.quizId === id) return;
  lesson.quizId = id;
  if (isEnd) {
    node.replaceChildren();
    node.style.minHeight = questionHeight;
    element("p", "", node).textContent = "The end of the demonstration.";
  }
  if (!quiz) return;
  fillQuiz(demo);
  if (isOpen3) return;
  node.style.minHeight = "";
  questionHeight = `${node.offsetHeight}px`;
  node.style.minHeight = questionHeight;
  node.replaceChildren();
  addButton(node, "Show the question", ask);
}
function fillQuiz({ key, quiz }) {
  const { quiz: node } = stage.lesson, { question, choices } = required(quiz);
  node.replaceChildren();
  element("p", "", node).textContent = question;
  const row = element("div", "dp-lesson-choices", node);
  choices.forEach((choice, place2) => {
    const button = addButton(row, "", () => choose(place2));
    element("kbd", "", button).textContent = String(place2 + 1);
    button.append(` ${choice}`);
    button.setAttribute("aria-pressed", String(answers.get(key)?.place === place2));
  });
}
function choose(place2) {
  const demo = required(head.demo), { key, quiz } = demo, choice = quiz?.choices[place2];
  if (!quiz || choice === void 0 || nextStep !== null || !isAsking(demo)) return;
  const isRight = quiz.right === null ? null : place2 === quiz.right;
  const line = isRight ? "✓ Right." : `✗ Not “${choice}”, but “${quiz.choices[quiz.right ?? 0]}”.`;
  answers.set(key, { place: place2, isRight, line });
  showLesson(demo);
  goStep(1);
}
function ask() {
  const demo = required(head.demo);
  asked.set(demo.key, required(demo.quiz).question);
  showLesson(demo);
}
function showFieldsOrPicture() {
  stage.node.classList.toggle("dp-with-fields");
  showLesson(head.demo);
  redrawAll((chart) => Boolean(chart.height));
}
async function playOrPause() {
  const demo = required(head.demo), { key, sweep } = demo, steps = sweep && stage.fields[sweep.key]?.steps;
  if (!sweep || !steps || isStill() || isAsking(demo)) return;
  if (moving) return pausePlay();
  const ends = [Number(sweep.start), Number(sweep.end)], low = Math.min(...ends), high = Math.max(...ends);
  const within = steps.filter((step) => Number(step) > low && Number(step) < high), stride = Math.ceil(within.length / MOST_FRAMES);
  const between = within.filter((_, place2) => place2 % stride === 0);
  const frames = [sweep.start, ...ends[0] < ends[1] ? between : between.reverse(), sweep.end];
  const at = frames.indexOf(textOf(sweep.key)), rest = at < frames.length - 1 ? frames.slice(at + 1) : frames;
  const motion = ++lastMotion;
  moving = key;
  showLesson(demo);
  setHeld(true);
  stage.controls.addEventListener("pointerdown", pausePlay, { once: true });
  const lasting = Math.min(Math.max(SWEEP / frames.length, SHORTEST_FRAME), LONGEST_FRAME), start2 = performance.now();
  for (let place2 = 0; place2 < rest.length; place2 = Math.max(place2 + 1, Math.min(Math.floor((performance.now() - start2) / lasting), rest.length - 1))) {
    if (motion !== lastMotion || moving !== key || head.demo?.key !== key) return;
    moveParameter(sweep.key, rest[place2]);
    await pause(lasting);
    for (let waited = 0; drawnChange < change && waited < PATIENCE3; waited += 20) await pause(20);
  }
  if (motion === lastMotion && moving === key) pausePlay();
}
function pausePlay() {
  const { sweep } = required(head.demo);
  moving = "";
  if (sweep) releaseParameter(sweep.key);
  showLesson(head.demo);
}
var stepLink = (at) => new URL(required(head.demo).links[at], location.href).href;
function goStep(by) {
  const demo = required(head.demo), { place: place2, links } = demo;
  if (moving) pausePlay();
  if (by > 0 && nextStep === null && demo.quiz && !isAsking(demo)) return ask();
  const at = (nextStep ?? place2 - 1) + by;
  if (!links[at]) return;
  nextStep = at;
  if (!isTravelling) void travel();
}
async function travel() {
  isTravelling = true;
  const goal = nextStep;
  if (goal !== null && head.demo) {
    void goTo(stepLink(goal));
    for (let waited = 0; head.demo?.place !== goal + 1 && waited < PATIENCE3; waited += 20) await pause(20);
  }
  isTravelling = false;
  if (nextStep !== null && nextStep !== goal) void travel();
}
function leaveLesson() {
  nextStep = null;
  moving = "";
  leftStep = required(head.demo).key.replace(/\d+$/, "1");
  void goTo(new URL(required(head.demo).classroom, location.href).href);
}
function followKey(event) {
  if (!head?.demo || !stage || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const isCodeKey = event.key === "q" && (!isForField(event) || Boolean(
    /** @type {Element} */
    event.target.closest(".dp-lesson-code")
  ));
  if (!isCodeKey && isForField(event)) return;
  const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (by) goStep(by);
  else if (/^[1-4]$/.test(event.key)) choose(Number(event.key) - 1);
  else if (event.key === "Escape") leaveLesson();
  else if (event.key === "f") showFieldsOrPicture();
  else if (/^[pn]$/.test(event.key) && isAsking(head.demo)) askByKey(event.key);
  else if (isCodeKey) stage.lesson.code.click();
  else if (event.key === " " && head.demo.sweep && !/** @type {Element} */
  event.target.closest?.("button, a, summary")) void playOrPause();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
function askByKey(key) {
  const room = stage.lesson.rooms.find((way2) => way2.key === key);
  if (!room?.button.hidden) room?.button.click();
}
function blurField(event) {
  if (!head?.demo || event.detail === 0) return;
  setTimeout(() => {
    const field = (
      /** @type {HTMLElement | null} */
      document.activeElement
    );
    if (field?.matches("[type=range], [type=radio], .dp-handle, .dp-lesson-tools > .dp-tool")) field.blur();
  });
}
function startClassroom() {
  addEventListener("keydown", followKey, true);
  addEventListener("click", blurField);
  followVotes(() => head?.demo && stage && showLesson(head.demo));
}

// browser/invitation.js
var way = "ask";
var LOOK = 500;
function showInvitation(view, part) {
  view.part = part;
  view.words ??= element("div", "dp-invitation-words", view.node, { role: "status" });
  view.bar ??= element("div", "dp-invitation-actions", view.node);
  view.place ??= element("div", "dp-invitation-link", view.node);
  view.note ??= element("div", "dp-invitation-note", view.node);
  setHtml(view.words, part.html);
  setHtml(view.note, part.note);
  showActions(view, part.actions);
  stage.node.classList.toggle("dp-without-answers", isRoomTab() && !part.link);
  showLink(view, part.link);
  tellVotes(part.votes);
  followQuestions(ask2);
  const first = askedAtOnce();
  if (first) ask2({}, first);
}
function ask2(set, how) {
  way = how || way;
  send({ act: way, set, how: "replace" });
}
function showActions(view, actions) {
  const text = JSON.stringify(actions);
  if (view.text === text) return;
  view.text = text;
  view.bar.replaceChildren();
  for (const [act, name] of actions) {
    const button = addButton(view.bar, name, () => {
      if (act.startsWith("ask")) way = act;
      send({ act, how: "none" });
    });
    if (act === "close") element("kbd", "", button, { "aria-hidden": "true" }).textContent = "C";
  }
}
function closeRound() {
  const key = stage.node.querySelector(".dp-invitation-actions kbd");
  if (key instanceof HTMLElement) key.click();
}
function showLink(view, link2) {
  stage.node.classList.toggle("dp-with-room", Boolean(link2));
  if (view.link === link2) return;
  view.link = link2;
  view.place.replaceChildren();
  if (!link2) return;
  const address = `${baseAddress()}/${link2}`;
  const large = addButton(view.place, "", () => view.place.classList.toggle("dp-large"), "dp-invitation-code");
  large.setAttribute("aria-label", "QR code of the room; show it large, or as it was");
  addCodePlace(large);
  requestCode(address);
  const anchor = element("a", "", view.place, { href: address, target: "_blank", rel: "noopener" });
  anchor.textContent = address.replace(/^https?:\/\//, "");
  addLocalNote(view.place, address);
  void look(view, link2);
}
async function look(view, link2) {
  while (view.link === link2) {
    await pause(LOOK);
    if (!view.node.isConnected) {
      stage?.node.classList.remove("dp-with-room");
      view.link = void 0;
      return;
    }
    if (!isIdle()) continue;
    try {
      const response = await fetch(`./${link2}/question`, { cache: "no-store" });
      const { round, open: open2, reports } = response.ok ? await response.json() : { round: 0, open: false, reports: 0 };
      const isGone = response.status === 404, shown2 = JSON.stringify(view.part?.state);
      if (isGone || response.ok && JSON.stringify([round, open2, reports]) !== shown2) send({ how: "none" });
    } catch {
    }
  }
}

// browser/presentation.js
var modes = /* @__PURE__ */ new WeakMap();
var isPresented = () => Boolean(stage && modes.get(stage.node));
function markPresentation(present) {
  document.documentElement.classList.toggle("dp-presenting", present);
  stage.node.classList.toggle("dp-present", present);
}
function showPresentation(present) {
  markPresentation(present);
  if (modes.get(stage.node) === present) return;
  modes.set(stage.node, present);
  redrawAll((chart) => Boolean(chart.figure));
}
function goToSection(event) {
  const by = { PageDown: 1, PageUp: -1 }[event.key];
  if (!by || !isPresented() || head?.demo || isForField(event)) return;
  const [show, picture] = Object.entries(stage.fields).find(([key, { label }]) => label === "Show" && stage.controls.querySelector(`[data-key="${key}"]`)) ?? [];
  const options = Object.keys(picture?.options ?? {}), next = options[options.indexOf(picture?.used ?? "") + by];
  const links = stage.sections.links(), current2 = links.findIndex((link2) => link2.hasAttribute("aria-current"));
  event.preventDefault();
  event.stopImmediatePropagation();
  if (show && next) setParameters({ [show]: next });
  else links[current2 + by]?.click();
}
function moveFirstParameter(event) {
  if (!isPresented() || isForField(event)) return;
  if (event.key === "p" && isRoomTab()) return showLecture();
  if (event.key === "c") closeRound();
  if (event.key === "Escape") return setParameters({ present: "off" });
  const key = Object.keys(stage.fields).find((name) => stage.fields[name].steps?.length && stage.controls.querySelector(`[data-key="${name}"]`));
  const step = key && event.key.startsWith("Arrow") && keyStep(event, stage.fields[key].steps ?? [], valueOf(key));
  if (step) moveParameter(key, step);
}
function startPresentation() {
  addEventListener("keydown", goToSection, true);
  addEventListener("keydown", moveFirstParameter);
  addEventListener("keyup", (event) => {
    const key = nextParameter();
    if (key !== null && isPresented() && event.key.startsWith("Arrow")) releaseParameter(key);
  });
}

// browser/own_data.js
var PREFIX = "dp_own_data_";
var sentTo = /* @__PURE__ */ new Map();
var requested2 = /* @__PURE__ */ new Map();
function storedCopies() {
  const copies = /* @__PURE__ */ new Map();
  for (const key of storedKeys(sessionStorageOf(window))) {
    try {
      copies.set(key.slice(PREFIX.length), JSON.parse(required(sessionStorage.getItem(key))));
    } catch {
      sessionStorage.removeItem(key);
    }
  }
  return copies;
}
function sessionStorageOf(tab) {
  try {
    return tab.sessionStorage;
  } catch {
    return null;
  }
}
var storedKeys = (storage) => Object.keys(storage ?? {}).filter((key) => key.startsWith(PREFIX));
function storeCopy({ slot, token }, packed) {
  try {
    sessionStorage.setItem(PREFIX + slot, JSON.stringify([token, packed]));
  } catch {
    removeCopy(slot);
  }
}
function removeCopy(slot) {
  try {
    sessionStorage.removeItem(PREFIX + slot);
  } catch {
  }
}
function missingCopies({ session, data }) {
  const missing = {};
  for (const [slot, copy] of storedCopies()) {
    if (slot in data || sentTo.get(slot) === session) continue;
    sentTo.set(slot, session);
    missing[slot] = copy;
  }
  return Object.keys(missing).length ? missing : null;
}
function followOwnData({ data }) {
  const stored = storedCopies(), newSlots = [];
  for (const [slot, token] of Object.entries(data)) {
    if (!token) removeCopy(slot);
    else if (stored.get(slot)?.[0] !== token && requested2.get(slot) !== token) newSlots.push(slot);
    if (token) requested2.set(slot, token);
  }
  if (!newSlots.length) return;
  if (departure || pagesLeft.size) requested2.clear();
  else send({ dataCopies: newSlots, how: "none" });
}
function showIncludedData(sentence2) {
  if (!sentence2) return;
  const line = element("p", "", stage.notices);
  line.append(sentence2, " ");
  addButton(line, "Take my data out of the link", () => send({ exclude: true, how: "replace" }), "dp-entry-button");
  stage.notices.hidden = false;
}

// browser/packing.js
var TYPES2 = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };
function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start2 = bytes.byteOffset + 4 + size;
  const { arrays: places, ...message } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const arrays = places.map(([type, from, length, shape]) => {
    const flat = new TYPES2[type](bytes.buffer.slice(start2 + from, start2 + from + length));
    return shape ? Array.from({ length: shape[0] }, (_, row) => flat.subarray(row * shape[1], (row + 1) * shape[1])) : flat;
  });
  const fill = (value) => {
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return arrays[value.$];
    for (const key in value) value[key] = fill(value[key]);
    return value;
  };
  return fill(message);
}

// browser/deliveries.js
var MOST_REMEMBERED = 100;
var delivered = /* @__PURE__ */ new Set();
var decode = (bytes) => new TextDecoder().decode(bytes);
var RECIPIENTS = {
  reportItem: (bytes) => takeItem(JSON.parse(decode(bytes))),
  csv: (bytes) => saveText(unpack(bytes)),
  file: (bytes, name) => takeFile(name, bytes),
  font: (bytes, typeface) => takeFont(typeface, bytes),
  dataCopy: (bytes, about) => storeCopy(about, decode(bytes)),
  chart: (bytes) => savePicture(unpack(bytes)),
  plot: (bytes) => savePlotProgram(unpack(bytes)),
  matches: (bytes) => takeMatches(unpack(bytes)),
  panel: (bytes, key) => takePanel(key, decode(bytes)),
  plotly: takePlotly,
  qr: (bytes) => showCode(decode(bytes)),
  script: takeScript
};
function deliver(n, kind, about, bytes) {
  const key = JSON.stringify([n, kind, about]);
  if (n && delivered.has(key)) return;
  delivered.add(key);
  if (delivered.size > MOST_REMEMBERED) delivered.delete([...delivered][0]);
  void RECIPIENTS[kind]?.(bytes, about);
}

// browser/conditions.js
var MARKS = (
  /** @type {Record<string, string>} */
  { confirmed: "✓ ", denied: "✗ " }
);
var shown = /* @__PURE__ */ new WeakMap();
function showConditions(host, { lead, items }) {
  const keys = items.map(({ key }) => key).join(" ");
  host.hidden = items.length === 0;
  if (shown.get(host) !== keys) {
    shown.set(host, keys);
    host.replaceChildren(element("span", "dp-conditions-lead"), ...items.map(({ key }) => newCondition(key)));
  }
  if (!items.length) return;
  host.children[0].textContent = lead;
  items.forEach((item, place2) => showCondition(
    /** @type {HTMLElement} */
    host.children[place2 + 1],
    item
  ));
  refreshConditions(host);
}
function newCondition(key) {
  if (!key) return element("span", "dp-condition");
  const label = element("label", "dp-condition", null, { "data-key": key });
  element("span", "", label, { "aria-hidden": "true" });
  const select = element("select", "", label);
  select.onchange = () => setParameters({ [key]: select.value });
  label.onclick = ({ target }) => target !== select && select.showPicker?.();
  return label;
}
function showCondition(node, { key, words, state }) {
  if (!key) {
    node.textContent = words;
    return;
  }
  const [text, select] = (
    /** @type {[HTMLElement, HTMLSelectElement]} */
    /** @type {unknown} */
    [...node.children]
  );
  const { options = {}, label } = stage.fields[key];
  node.dataset.state = state;
  text.textContent = `${MARKS[state] ?? ""}${words}`;
  select.setAttribute("aria-label", `${label}: ${words}`);
  const names = JSON.stringify(options);
  if (select.dataset.names !== names) {
    select.dataset.names = names;
    select.replaceChildren(...Object.entries(options).map(([value, name]) => Object.assign(element("option"), { value, textContent: name })));
  }
}
function refreshConditions(host) {
  for (const label of host.querySelectorAll("label")) {
    const key = required(label.dataset.key);
    required(label.querySelector("select")).value = unansweredTexts.get(key) ?? stage.fields[key].used;
  }
}

// browser/lead_chart.js
var PHONE = 640;
var LEAST = 240;
var LEAST_ON_PHONE = 204;
var MOST = 760;
var MOST_ON_PHONE = 460;
var heights = /* @__PURE__ */ new WeakMap();
function leadHeight(chart) {
  const last = heights.get(stage.node);
  if (last && (!isLead(chart) || last.layout === layoutOf(chart))) return last.height;
  return fittingHeight(chart);
}
function refitLead() {
  const lead = [...charts].find(isLead), last = heights.get(stage.node);
  if (lead?.height && last && last.layout === layoutOf(lead) && fittingHeight(lead) < last.height) redrawAll((chart) => Boolean(chart.height));
}
var isLead = (chart) => chart.box === stage.first.querySelector(".dp-plot");
function layoutOf(chart) {
  const { leastHeight = 0, mostHeight = Infinity, heightOfWidth = 0 } = chart.figure?.layout.meta ?? {}, { node } = stage;
  const sizes = [leastHeight, mostHeight].map((size) => size * enlargement(chart));
  return [innerWidth, innerHeight, node.className, head.page, head.section, node.dataset.step, ...sizes, heightOfWidth].join(" ");
}
function fittingHeight(chart) {
  const { node, controls: controls2, moreSettings } = stage, last = heights.get(node), layout = layoutOf(chart);
  const { leastHeight = 0, mostHeight = Infinity, heightOfWidth } = chart.figure?.layout.meta ?? {};
  const rows = leastHeight * enlargement(chart);
  const nodeTop = node.getBoundingClientRect().top, stageTop = nodeTop + (scroller()?.scrollTop ?? 0) - heightAboveStage(node);
  const above = chart.box.getBoundingClientRect().top - nodeTop + stageTop;
  const tools = chart.legend.hidden ? Number(chart.frame.querySelector(":scope > .dp-exhibit-tools")?.clientHeight) : 0;
  const menu = head.demo && !node.classList.contains("dp-with-fields") ? 8 : Math.max(36, tools + 8 || 0);
  const below = (innerWidth <= PHONE ? controls2.offsetHeight : 0) + chart.legend.offsetHeight + menu;
  const needed = heightOfWidth ? heightOfWidth * chart.plot.clientWidth : Infinity;
  const room = Math.min(innerHeight - above - below, needed);
  const usual = innerWidth < PHONE ? MOST_ON_PHONE : Math.max(MOST, innerHeight - 320);
  const most = head.demo ? Math.max(usual, innerHeight) : usual;
  const own = mostHeight * enlargement(chart);
  const least = innerWidth < PHONE ? LEAST_ON_PHONE : LEAST;
  const fitting = Math.round(Math.min(Math.max(room, least), most, own)), height = Math.max(fitting, rows);
  setScrolling(chart.box, rows > fitting && innerWidth > PHONE && node.classList.contains("dp-present") ? `${fitting}px` : "");
  if (last?.layout === layout && (height >= last.height || moreSettings.node.open)) return last.height;
  heights.set(node, { layout, height });
  return height;
}
function setScrolling(box, height) {
  Object.assign(box.style, { maxHeight: height, overflowY: height && "auto" });
  if (height) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

// browser/more_settings.js
var PHONE2 = 640;
var ROW2 = 48;
function newMoreSettings(parent) {
  const node = element("details", "dp-more-settings", parent), summary = element("summary", "", node);
  const fields = element("div", "dp-more-fields", node);
  node.ontoggle = () => {
    parent.classList.toggle("dp-all-settings", node.open);
    fitSheet();
    if (node.open) parent.scrollTop = node.offsetTop;
  };
  return { node, name: element("span", "", summary), mark: element("span", "dp-changed", summary), fields, keys: (
    /** @type {string[]} */
    []
  ) };
}
function showMoreSettings(more, { keys, changed }) {
  more.keys = keys;
  more.node.hidden = keys.length === 0;
  more.name.textContent = `More settings (${keys.length})`;
  more.mark.textContent = changed ? `${changed} changed` : "";
  more.mark.hidden = changed === 0;
  showFields(more.fields, keys);
}
function openWhereProblem(more) {
  if (more.keys.some((key) => head.entered[key]?.[1])) more.node.open = true;
}
function fitSheet() {
  const { node, controls: controls2, knownFields, moreSettings, first } = stage;
  controls2.style.maxHeight = "";
  controls2.classList.remove("dp-below-picture", "dp-below-list");
  if (innerWidth > PHONE2) return controls2.classList.remove("dp-scrolls");
  const style = getComputedStyle(controls2), scrolls = style.overflowY === "auto" && !moreSettings.node.open;
  const end = first.getBoundingClientRect().bottom + (scroller()?.scrollTop ?? 0) - heightAboveStage(node);
  if (scrolls && first.offsetHeight) controls2.classList.add(end + ROW2 <= innerHeight ? "dp-below-picture" : "dp-below-list");
  const isCut = scrolls && controls2.scrollHeight > controls2.clientHeight + 1;
  controls2.classList.toggle("dp-scrolls", isCut);
  if (!isCut) return;
  const foot = moreSettings.node.offsetHeight;
  const rows = (
    /** @type {HTMLElement[]} */
    [...knownFields.children].map((row) => row.offsetTop + row.offsetHeight)
  );
  const whole = rows.filter((end2) => end2 + foot <= controls2.clientHeight);
  if (whole.length) controls2.style.maxHeight = `${Math.max(...whole) + foot + 1}px`;
}

// browser/articles.js
var plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/’/g, "'").toLowerCase();
function showArticles(view, part) {
  const content = JSON.stringify(part.articles);
  if (view.content !== content) {
    view.content = content;
    build(view, part.articles, part.parameter);
    view.open = "";
  }
  if (view.open === part.open) return;
  if (part.open) return openArticle(view, part.open);
  view.views.get(view.open).node.classList.remove("dp-open");
  view.open = "";
}
function build(view, articles, parameter) {
  const typed = view.search?.value ?? "", id = "dp_article_search";
  view.node.replaceChildren();
  const box = element("div", "dp-article-search", view.node, { role: "search" });
  element("label", "dp-symbol", box, { for: id }).textContent = "Search";
  view.search = element("input", "dp-entry", box, { id, type: "search", autocomplete: "off", spellcheck: "false" });
  view.note = element("p", "", box, { role: "status" });
  const index = element("details", "dp-article-index", view.node);
  index.open = matchMedia("(min-width: 1001px)").matches;
  element("summary", "", index).textContent = "Index";
  const names = element("nav", "", index, { "aria-label": "Index" });
  view.list = element("div", "dp-article-list", view.node);
  const address = (key) => `./${head.page}?${new URLSearchParams({ section: head.section, [parameter]: key })}`;
  view.views = new Map(articles.map((article) => [article.key, addArticle(view.list, article, address(article.key))]));
  for (const { key, name } of articles) {
    const link2 = element("a", "", names, { href: address(key) });
    link2.textContent = name;
    link2.addEventListener("click", () => openArticle(view, key));
  }
  view.search.value = typed;
  view.search.oninput = () => search(view);
  view.search.onkeydown = (event) => {
    if (event.key === "Enter" && view.search.value) view.list.querySelector(".dp-article:not([hidden]) a")?.click();
    if (event.key !== "Escape" || !view.search.value) return;
    view.search.value = "";
    search(view);
    event.stopPropagation();
  };
  search(view);
}
function addArticle(list, article, address) {
  const node = element("article", "dp-article", list), link2 = element("a", "", element("h2", "", node), { href: address });
  link2.textContent = article.name;
  setHtml(element("div", "dp-words", node), article.html);
  const more = element("details", "", node), summary = element("summary", "", more);
  summary.textContent = "More";
  element("span", "dp-hidden", summary).textContent = ` on ${article.name}`;
  const text = element("div", "dp-words", more);
  setHtml(text, article.more);
  more.hidden = !article.more;
  link2.addEventListener("click", () => more.open = true);
  const names = plain([article.name, ...article.names].join(" "));
  return { node, link: link2, more, names, words: `${names} ${plain(node.textContent)}` };
}
function search(view) {
  const typed = plain(view.search.value).split(/\s+/).filter(Boolean);
  const hasAll = (text) => typed.every((word) => text.includes(word));
  const all = (
    /** @type {ArticleView[]} */
    [...view.views.values()]
  ), found = all.filter(({ words }) => hasAll(words));
  const isNamed = new Map(found.map((article) => [article, hasAll(article.names)]));
  for (const article of all) article.node.hidden = !isNamed.has(article);
  const key = typed.join("_"), own = view.views.get(key);
  const rank = (article) => article === own ? 0 : isNamed.get(article) ? 1 : 2;
  view.list.append(...[...found].sort((a, b) => rank(a) - rank(b)).map(({ node }) => node));
  const count = `${found.length} ${found.length === 1 ? "entry" : "entries"}`;
  view.note.textContent = !typed.length ? "" : found.length ? count : `No entry for “${view.search.value.trim()}”. Try another word, or the index.`;
}
function openArticle(view, key) {
  const { node, link: link2, more } = view.views.get(key);
  view.open = key;
  if (node.hidden) {
    view.search.value = "";
    search(view);
  }
  for (const article of view.views.values()) article.node.classList.toggle("dp-open", article.node === node);
  more.open = true;
  link2.focus({ preventScroll: true });
  node.scrollIntoView?.({ block: "start" });
}

// browser/toolbar.js
function addToolbar(host) {
  const pin = addButton(host, "Pin", () => send({ pin: !head.pinned }));
  const present = addButton(host, "Present", () => setParameters({ present: head.present ? "off" : "on" }));
  const share = addButton(host, "Share"), keys = element("span", "dp-present-keys");
  keys.textContent = "← → first slider · Page Up, Page Down sections · F11 full screen · Esc leave";
  host.prepend(keys);
  pin.title = "Keep this setting to compare with others";
  addPopover(share, fillShareMenu);
  return () => {
    keys.hidden = !head.present || Boolean(head.demo);
    pin.hidden = head.pinned === null;
    pin.textContent = head.pinned ? "Unpin" : "Pin";
    pin.setAttribute("aria-pressed", String(Boolean(head.pinned)));
    present.textContent = head.present ? "Leave presentation" : "Present";
  };
}
function fillShareMenu(box, close) {
  const note = element("p", "dp-done", null, { role: "status" }), local = element("div");
  const addEntry2 = (name, act) => void addButton(box, name, act, "dp-entry-button");
  const copy = (text, sentence2) => navigator.clipboard.writeText(text).then(() => sentence2, () => text).then((line) => {
    note.textContent = line;
  });
  addEntry2("Copy link", () => copy(location.href, "The link is copied."));
  const cite = (text, sentence2) => {
    local.replaceChildren();
    addLocalNote(local, citedAddress(), "Readers");
    return copy(text, sentence2);
  };
  addEntry2("Copy citation", () => cite(plainCitation(), "The citation is copied."));
  addEntry2("Copy BibTeX", () => cite(bibtexCitation(), "The BibTeX entry is copied. It needs \\usepackage{url} or hyperref."));
  addEntry2("QR code of the link", () => {
    if (location.href.length > LONGEST_LINK) note.textContent = "The link is too long for a code.";
    else {
      requestCode(location.href);
      local.replaceChildren();
      addLocalNote(local, location.href);
    }
  });
  if (!isReport()) {
    addEntry2("Print or PDF", () => {
      close();
      setTimeout(print);
    });
  }
  addAddressField(box, (sentence2) => {
    local.replaceChildren();
    note.textContent = sentence2;
  });
  box.append(note, local);
  addCodePlace(box);
}
function showExhibitMenu(view, part) {
  view.part = part;
  if (view.menu) return;
  const { chart } = view, tools = element("div", "dp-exhibit-tools", chart?.frame ?? view.node);
  if (chart) addButton(tools, "Reset zoom", () => resetZoom(chart), "dp-menu dp-reset");
  if (!isReport()) addButton(tools, "Add to report", () => addToReport(required(view.part?.name), view.node), "dp-menu");
  view.menu = addButton(tools, "Save…", null, "dp-menu");
  view.menu.setAttribute("aria-label", chart ? "Save this chart" : "Save this table");
  addPopover(view.menu, (box, close) => fillExhibitMenu(view, box, close));
  if (!chart || !document.fullscreenEnabled) return;
  const full = addButton(tools, "", () => toggleFullScreen(chart), "dp-menu dp-full");
  full.setAttribute("aria-label", "Full screen");
  full.title = "Full screen, or back to the page";
}
function fillExhibitMenu(view, box, close) {
  const part = required(view.part), { chart } = view;
  const addEntry2 = (name, act) => {
    addButton(box, name, () => {
      close();
      act();
    }, "dp-entry-button");
  };
  if (part.confidential) element("p", "dp-confidential", box).textContent = part.confidential;
  const panels = chart ? showPictureForm(box, view, close) : () => [view];
  addEntry2("Numbers as CSV", () => send({ csv: namesOf2(panels()), at: baseAddress() }));
  const table = view.node.querySelector("table");
  if (!chart && table) addCopyButton(box, "Copy for LaTeX", () => latexTable(table, commentCitation()), "The table is copied.");
}

// browser/parts.js
var controls = {
  field: fieldOf,
  text: textOf,
  value: valueOf,
  move: moveParameter,
  release: releaseParameter,
  set: setParameters,
  prefetch
};
function showParts(parts, isLeadMissing = false) {
  parts = withStepPicture(parts, head.demo?.picture ?? "");
  const first = parts[0]?.kind === "side-by-side" ? parts[0].parts?.[0] : parts[0], used = /* @__PURE__ */ new Set();
  const hasLead = ["chart", "table"].includes(first?.kind ?? "");
  stage.node.classList.toggle("dp-without-lead", !hasLead && !isLeadMissing && parts.length > 0);
  arrange(stage.first, hasLead ? parts.slice(0, 1) : [], used, "lead");
  arrange(stage.below, hasLead ? parts.slice(1) : parts, used, "part");
  for (const [id, view] of stage.parts) {
    if (used.has(id)) continue;
    removePart(view);
    stage.parts.delete(id);
  }
}
function withStepPicture(parts, name) {
  const find = (within) => within.map((part) => part.kind === "chart" && part.name === name ? part : find(part.parts ?? [])).find(Boolean);
  const first = parts[0], picture = find(parts);
  if (!picture) return parts;
  const exchange = (part) => part === picture ? first : part === first ? picture : part.parts ? { ...part, parts: part.parts.map(exchange) } : part;
  return parts.map(exchange);
}
function removePart(view) {
  if (view.chart) closeChart(view.chart);
  view.node.remove();
}
function arrange(host, parts, used, prefix) {
  parts.forEach((part, place2) => {
    const id = part.name ? `${part.kind}_${part.name}` : `${prefix}_${part.kind}_${place2}`;
    used.add(id);
    let view = stage.parts.get(id);
    if (!view || view.host !== host) {
      if (view) removePart(view);
      view = { host, node: element("div", `dp-part dp-${part.kind}`) };
      stage.parts.set(id, view);
    }
    if (host.children[place2] !== view.node) host.insertBefore(view.node, host.children[place2] ?? null);
    showPart(view, part, used, id);
  });
}
function showPart(view, part, used, id) {
  if (part.kind === "words") return setHtml(view.node, part.html);
  if (part.kind === "fields") return showFieldsPart(view, part);
  if (part.kind === "item") return showItem(view, part, (host) => arrange(host, part.parts ?? [], used, id));
  if (part.kind === "articles") return showArticles(view, part);
  if (part.kind === "invitation") return showInvitation(view, part);
  if (part.kind === "downloads") return showDownloads(view, part);
  if (part.kind === "call") return showCall(view, part);
  if (part.kind === "files") return showFiles(
    view,
    /** @type {any} */
    part
  );
  if (["side-by-side", "cards"].includes(part.kind)) {
    view.node.classList.toggle("dp-several", (part.parts ?? []).length > 2);
    return arrange(view.node, part.parts ?? [], used, id);
  }
  if (part.kind === "fold") return showFold(view, part, used, id);
  if (part.kind === "card") return showCard(view, part, used, id);
  if (part.kind === "table") {
    view.table ??= element("div", "", view.node);
    setHtml(view.table, part.html);
  } else {
    view.chart ??= newChart(view.node, controls);
    hideForStep(view.chart, head.demo);
    if (stage.first.contains(view.host)) reachForStep(view.chart, required(part.figure), head.demo);
    setChart(view.chart, part, { dark: head.dark, height: stage.first.contains(view.host) ? leadHeight : null });
  }
  showExhibitMenu(view, part);
}
function showFieldsPart(view, part) {
  view.part = part;
  showFields(view.node, part.keys);
  if (!part.done) return view.button?.remove();
  view.node.hidden = false;
  view.button ??= addButton(view.node, "", () => {
    const [key, text] = view.part?.done ?? [];
    if (key) setParameters({ [key]: text });
  }, "dp-tool dp-done");
  if (view.node.lastElementChild !== view.button) view.node.append(view.button);
  view.button.textContent = part.done[2];
}
function showDownloads(view, part) {
  const text = JSON.stringify(part.files);
  if (view.text === text) return;
  view.text = text;
  view.bar ??= element("div", "dp-files", view.node);
  view.bar.replaceChildren();
  for (const [name, label] of part.files) {
    addButton(view.bar, label, () => send({ download: name, at: baseAddress(), how: "none" }), "dp-entry-button");
  }
}
function showCall(view, part) {
  if (!view.code) {
    view.code = element("code", "", element("pre", "", view.node));
    addCopyButton(view.node, "Copy", () => view.code.textContent, "The command is copied.");
  }
  view.code.textContent = part.text;
}
function showFold(view, part, used, id) {
  view.part = part;
  if (!view.details) {
    view.details = element("details", "", view.node);
    view.summary = element("summary", "", view.details);
    view.content = element("div", "", view.details);
    view.details.addEventListener("toggle", () => {
      if (view.details.open && view.part?.isLate && !view.part.parts?.length) send({ how: "none" });
    });
  }
  view.details.classList.toggle("dp-late", Boolean(part.isLate));
  view.summary.textContent = part.name;
  arrange(view.content, part.parts ?? [], used, id);
}
function showCard(view, part, used, id) {
  view.link ??= element("a", "", element("h2", "dp-card-question", view.node));
  view.picture ??= element("div", "dp-card-picture", view.node);
  view.text ??= element("div", "dp-card-text", view.node);
  view.link.href = part.link;
  view.link.textContent = part.question;
  setHtml(view.text, part.html);
  arrange(view.picture, part.parts ?? [], used, id);
}

// browser/progress.js
function newProgress(host) {
  const node = element("div", "dp-working", host, { role: "group", "aria-label": "Computation" });
  node.hidden = true;
  const text = element("span", "", node, { role: "status" });
  const bar = element("progress", "", node, { max: 1, "aria-label": "Processor time taken, of the most there is" });
  addButton(node, "Cancel", () => send({ stop: true, how: "none" }));
  return { node, text, bar };
}
function showProgress(working) {
  const { node, text, bar } = stage.progress;
  node.hidden = !working;
  stage.node.classList.toggle("dp-waiting", Boolean(working));
  text.textContent = working ? `Computing, for at most ${working[1]} s of processor time` : "";
  if (working) bar.value = Math.min(working[0] / working[1], 1);
}

// browser/stage.js
function newStage(parent) {
  const node = element("div", "dp-stage dp-without-lead", parent), top = element("div", "dp-top", node);
  const question = element("h1", "dp-question", top), lesson = newLesson(node);
  const notices = element("div", "dp-notices st-key-link_notice", node, { role: "status" });
  const answer = element("div", "dp-answer st-key-answer", node);
  const answerText = element("div", "dp-answer-text", answer), tools = element("span", "dp-answer-tools", answer);
  const answerButtons = element("span", "dp-answer-buttons", tools);
  const adder = addButton(tools, "Add to report", () => addToReport("answer", answer), "dp-menu");
  const conditions = element("div", "dp-conditions", answer, { role: "group", "aria-label": "Conditions of this answer" });
  const changes2 = element("div", "dp-changes", answer, { role: "status" });
  const progress = newProgress(answer);
  const problems = element("div", "dp-problems", answer, { role: "status" });
  const bar = element("div", "dp-bar", node), sections = newSections(bar);
  const showToolbar = addToolbar(element("div", "dp-tools", bar));
  const lead = element("div", "dp-lead", node);
  const controls2 = element("div", "dp-controls", lead, { role: "group", "aria-label": "Parameters" });
  const knownFields = element("div", "dp-known-fields", controls2), moreSettings = newMoreSettings(controls2);
  const first = element("div", "dp-first", lead), panel = newAnswerPanel(node, first, answerButtons);
  const sizes = new ResizeObserver(() => stage?.first === first && followSizes());
  for (const part of [notices, answer, first, controls2]) sizes.observe(part);
  return {
    node,
    question,
    lesson,
    notices,
    answerText,
    conditions,
    changes: changes2,
    progress,
    problems,
    panel,
    adder,
    sections,
    showToolbar,
    controls: controls2,
    knownFields,
    moreSettings,
    first,
    below: element("div", "dp-rest", node),
    foot: newFoot(node),
    fields: (
      /** @type {Record<string, import("./types").Field>} */
      {}
    ),
    /** @type {Map<string, {refresh: () => void}>} */
    widgets: /* @__PURE__ */ new Map(),
    /** @type {Map<string, import("./types").PartView>} */
    parts: /* @__PURE__ */ new Map(),
    shownView: "",
    /** @type {import("./stage_cache.js").CachedStage | undefined} */
    drawn: void 0,
    drawnUnder: ""
  };
}
function newFoot(node) {
  const foot = element("p", "dp-foot", node);
  element("a", "", foot).textContent = "Open in the Explorer";
  foot.append(" ");
  return foot;
}
function closeStage(old) {
  for (const view of old.parts.values()) removePart(view);
  old.node.remove();
}
function showStage(cached) {
  if (!cached || !stage) return;
  const under = JSON.stringify([head.page, head.section, head.present, head.demo]);
  if (stage.drawn === cached && stage.drawnUnder === under) {
    refreshConditions(stage.conditions);
    return showPanel();
  }
  stage.drawn = cached;
  stage.drawnUnder = under;
  const content = unpack(cached.bytes);
  stage.fields = content.fields;
  stage.shownView = cached.view;
  setHtml(stage.answerText, content.answer.join(""));
  showConditions(stage.conditions, content.conditions ?? { lead: "", items: [] });
  stage.adder.hidden = isReport() || Boolean(content.isAsking) || !content.parts.length;
  showAnswerButtons(content.answerButtons ?? {});
  showSections(content.tabs ?? [], content.section);
  showFields(stage.knownFields, content.controls);
  showMoreSettings(stage.moreSettings, content.moreSettings ?? { keys: [], changed: 0 });
  stage.controls.hidden = stage.knownFields.hidden && stage.moreSettings.node.hidden;
  showSentences(stage.changes, changesElsewhere());
  chooseAnswerHeight(content.section);
  showParts(content.parts, content.isLeadMissing);
  for (const key of Object.keys(stage.fields)) refreshFields(key);
  showProblems();
  fitSheet();
}
var PHONE3 = 640;
var LINE = 25;
var USUAL = 143;
function chooseAnswerHeight(section) {
  const { node, conditions } = stage, box = answerBox();
  const layout = [innerWidth, head.page, section, head.present, node.dataset.step].join();
  if (box.dataset.layout === layout) return;
  box.dataset.layout = layout;
  box.style.minHeight = "";
  const height = box.offsetHeight, hasRoom = innerWidth > PHONE3 && !conditions.hidden && !head.present;
  box.style.minHeight = `${hasRoom ? Math.max(height, Math.min(height + LINE, USUAL)) : height}px`;
}
var answerBox = () => required(stage.answerText.parentElement);
function followSizes() {
  const box = answerBox(), height = box.offsetHeight;
  if (!stage.problems.childElementCount && height > parseFloat(box.style.minHeight || "0")) box.style.minHeight = `${height}px`;
  fitSheet();
  refitLead();
}
function showSentences(node, sentences2) {
  node.hidden = sentences2.length === 0;
  node.replaceChildren(...sentences2.map((sentence2) => Object.assign(element("p"), { textContent: sentence2 })));
}
function showProblems() {
  const said = Object.entries(head.entered).filter(([key]) => stage.node.querySelector(`[data-key="${key}"]`)?.getClientRects().length);
  showSentences(stage.problems, head.problems.filter((sentence2) => !said.some(([, [, problem]]) => problem === sentence2)));
}
function showHead(head2) {
  showProgress(head2.working);
  stage.question.textContent = head2.question;
  stage.node.classList.toggle("dp-dark", head2.dark);
  showPresentation(head2.present);
  showSentences(stage.notices, head2.notices);
  showSentences(stage.changes, changesElsewhere());
  showIncludedData(head2.included);
  stage.showToolbar();
  for (const widget of stage.widgets.values()) widget.refresh();
  openWhereProblem(stage.moreSettings);
  showProblems();
  fitSheet();
  followNavigation(head2.link);
  followReport();
}

// browser/response.js
function receive(data) {
  const head2 = unpack(data), { bodies } = head2;
  if (head2.session === head?.session && head2.run < head.run) {
    for (const [kind, about, bytes] of bodies) if (!isStage(kind)) deliver(head2.n, kind, about, bytes);
    return false;
  }
  if (isLate(head2)) return true;
  const isLost = head !== null && head.session !== head2.session && isOpen();
  const isNewPage = !isOpen() || head?.session !== head2.session;
  accept(head2);
  for (const [kind, about, bytes] of bodies) takeBody(head2, kind, about, bytes);
  const restore = missingCopies(head2);
  if (isLost || restore) {
    restoreSession(isLost, restore);
    return true;
  }
  showResponse(head2, isNewPage);
  followOwnData(head2);
  return true;
}
var isStage = (kind) => kind === "stage" || kind === "prefetched";
function isLate(head2) {
  const late = pagesLeft.has(head2.page);
  if (late) noteAnswer(head2.n);
  else if (pagesLeft.size) noteAllAnswered();
  if (pagesLeft.size) interruptWait();
  if (pagesLeft.size && !late) {
    pagesLeft.clear();
    stage.node.inert = false;
  }
  return late;
}
function takeBody(head2, kind, about, bytes) {
  if (kind === "stage") store(head2.view, bytes);
  else if (kind === "prefetched") store(viewWith(head2.view, about), bytes);
  else deliver(head2.n, kind, about, bytes);
}
function restoreSession(isLost, restore) {
  const entries = { ...currentRequest()?.set, ...queuedTexts() }, hasEntries = currentRequest()?.set || queuedTexts();
  sendLinkFirst({ link: location.search, ...restore ? { restore } : {}, ...isLost && hasEntries ? { set: entries } : {} });
}
function showResponse(head2, isNewPage) {
  const isAnswer = noteAnswer(head2.n), answeredChange = changeOf(head2.n);
  const how = currentRequest()?.how;
  const isOutdated = hasQueuedLink() || (currentRequest()?.n ?? 0) > head2.n;
  if (!queuedTexts() && answeredChange >= change && !head2.working) unansweredTexts.clear();
  markPresentation(head2.present);
  showLesson(head2.demo);
  if (head2.working) send({ how: "none" });
  else if (answeredChange >= drawnChange) {
    noteDrawn(answeredChange);
    const cached = lookUp(head2.view);
    if (cached) showStage(cached);
    else send({ how: "none" });
  }
  showHead(head2);
  focusLeftDemonstration();
  if (!isOutdated) followLink(head2, { isNewPage, isAnswer, how });
  noteLink(head2);
  endWaitIfAnswered();
}

// browser/uploads.js
var watched = /* @__PURE__ */ new WeakSet();
var sentences = {};
function startUploads(uploadSentences) {
  sentences = uploadSentences;
  for (const kind of ["change", "drop"]) addEventListener(kind, watchUploader, true);
}
function watchUploader(event) {
  const uploader = uploaderOf(event);
  if (!uploader) return;
  uploader.querySelector(".dp-refused")?.remove();
  if (watched.has(uploader)) return;
  watched.add(uploader);
  new MutationObserver(() => replaceRefused(uploader)).observe(uploader, { childList: true, subtree: true });
}
function replaceRefused(uploader) {
  for (const { name, error, remove: remove2 } of refusedFiles(uploader)) {
    const sentence2 = uploader.querySelector(".dp-refused") ?? element("p", "dp-problem dp-refused", uploader, { role: "alert" });
    sentence2.textContent = `${name} was not taken. ${reason(error)}`;
    remove2();
  }
}
function reason(error) {
  const status = /status code (\d+)/.exec(error)?.[1];
  if (status && sentences[status]) return sentences[status];
  if (!status && !/AxiosError|Network Error/.test(error)) return error.replace(/^Error: /, "");
  return "It did not reach the server. Reload the page and choose it again.";
}

// browser/page.js
var stages2 = /* @__PURE__ */ new Map();
var responses = /* @__PURE__ */ new WeakMap();
var requestedTheme;
function drawStage({ data, parentElement, setTriggerValue }) {
  let stage2 = stages2.get(parentElement);
  if (!stage2) {
    for (const [element2, old] of stages2) if (!element2.isConnected) remove(element2, old);
    stages2.set(parentElement, stage2 = newStage(parentElement));
  }
  connect(setTriggerValue);
  setStage(stage2);
  takeResponse(stage2, data);
  followTheme();
  noteScrolling();
}
function takeResponse(stage2, data) {
  const last = responses.get(stage2);
  if (last === data) return;
  responses.set(stage2, data);
  if (!receive(data)) responses.set(stage2, last);
}
function remove(element2, stage2) {
  closeStage(stage2);
  stages2.delete(element2);
}
function followTheme() {
  const [red, green, blue] = required(background().match(/\d+/g)).map(Number);
  const dark = red + green + blue < 384, theme = `${dark} ${head?.page}`;
  if (!head || dark === head.dark) requestedTheme = void 0;
  else if (requestedTheme !== theme) {
    requestedTheme = theme;
    send({ theme: dark });
  }
}
function start({ plotlyPath: plotlyPath2, reportLimits, uploadSentences }) {
  whenCached(showStage);
  startCharts(plotlyPath2);
  startHistory();
  startFieldLinks();
  reopenAfterReconnection();
  reloadAfterFailure();
  addEventListener("scroll", noteScrolling, { capture: true, passive: true });
  addEventListener("click", closeNavigation);
  startUploads(uploadSentences);
  startPresentation();
  startAnswerButtons();
  startReport(reportLimits);
  startClassroom();
  keepStyle();
  (globalThis.dpStage ??= Promise.withResolvers()).resolve(drawStage);
  loadPlotly2().catch(() => {
  });
}
export {
  start
};
