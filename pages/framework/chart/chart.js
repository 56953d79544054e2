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
  return chart.height?.(chart) ?? (chart.figure.layout.height ?? 450) * largeness(chart);
}

const isFull = (chart) => document.fullscreenElement === chart.frame;
const largeness = (chart) => (innerWidth > 640 && (isFull(chart) || chart.frame.closest(".dp-present")) ? LARGE : 1);

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
  const id = JSON.stringify(entries.map(({name, line, marker, mode, type, fillcolor, opacity}) => [name, line, marker?.color, marker?.symbol, mode, type, fillcolor, opacity]));
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
const MARKS = {
  x: (colour) => `<path d="M10 2l8 8m0-8l-8 8" stroke="${colour}" stroke-width="3"/>`,
  diamond: (colour) => `<path d="M14 1l5 5-5 5-5-5z" fill="${colour}"/>`,
  square: (colour) => `<rect x="10" y="2" width="8" height="8" fill="${colour}"/>`,
  "triangle-up": (colour) => `<path d="M14 1l5 9H9z" fill="${colour}"/>`,
  star: (colour) => `<path d="M14 0l1.5 4.2h4.5l-3.6 2.7 1.3 4.3-3.7-2.6-3.7 2.6 1.3-4.3-3.6-2.7h4.5z" fill="${colour}"/>`,
  "triangle-right": (colour) => `<path d="M10 1l9 5-9 5z" fill="${colour}"/>`,
  "square-open": (colour) => `<rect x="10.5" y="2.5" width="7" height="7" fill="none" stroke="${colour}" stroke-width="2"/>`,
  "circle-open": (colour) => `<circle cx="14" cy="6" r="3.5" fill="none" stroke="${colour}"/>`,
};
function swatch({line, marker, mode = "lines", type, fillcolor, fill, opacity = 1}) {
  const colour = (typeof line?.color === "string" && line.color) || (typeof marker?.color === "string" && marker.color) || fillcolor || "currentColor";
  const safe = /^[#a-z0-9(),.% ]+$/i.test(colour) ? colour : "currentColor";
  const dash = DASHES[line?.dash] ?? line?.dash?.replace(/px/g, "").replace(/,/g, " ") ?? "";
  const parts = [];
  if (type === "bar" || type === "histogram" || (fill && !line?.width)) parts.push(`<rect x="3" y="1" width="22" height="10" fill="${/^[#a-z0-9(),.% ]+$/i.test(fillcolor ?? "") ? fillcolor : safe}"/>`);
  else if (mode.includes("lines")) parts.push(`<path d="M0 6H28" stroke="${safe}" stroke-width="${Math.min(line?.width ?? 2, 4)}" stroke-dasharray="${/^[\d. ]*$/.test(dash) ? dash : ""}"/>`);
  if (mode.includes("markers")) parts.push(MARKS[marker?.symbol]?.(safe) ?? `<circle cx="14" cy="6" r="4" fill="${safe}"/>`);
  return `<svg width="28" height="12" opacity="${Number(opacity)}" aria-hidden="true">${parts.join("")}</svg>`;
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
  for (const side of ["t", "r", "b", "l"]) margin[side] *= by;
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
