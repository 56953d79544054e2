// Charts that are redrawn, never rebuilt. `parts.js` makes one for every chart of the page and hands it each new figure.
import {element, setHtml} from "../browser/dom.js";
import {required} from "../browser/required.js";
import {background, loadPlotly as loadHostPlotly, scroller} from "../browser/streamlit_host.js";
import {lastMove, moveMarkers, resetZoom, watchClick, watchFingers, withoutMarkers} from "./drag_handles.js";
import {copyForPlotly, isSame, shareArrays} from "./figure_data.js";
import {groupOf, makeRoomForNames, placeNames, showLegend, watchHover} from "./legend.js";

/** @typedef {import("../browser/types").Controls} Controls */
/** @typedef {import("../browser/types").Part} Part */
/** @typedef {{data: any[], layout: any}} Figure */

/**
 * A chart: its elements, and what is drawn in it.
 * @typedef {object} Chart
 * @property {HTMLElement} frame
 * @property {HTMLElement} title
 * @property {HTMLElement} subtitle
 * @property {HTMLElement} box around the plot
 * @property {HTMLElement & {_fullLayout: any, layout?: any, on: (event: string, act: () => void) => void}} plot the element in which Plotly draws
 * @property {HTMLElement} legend
 * @property {string} legendId the content of the legend
 * @property {HTMLElement} names the names at the ends of lines
 * @property {Map<string, HTMLElement>} entries the buttons of the legend and of the names, by the group of their traces
 * @property {{picture: string, px: number}} room of the names of a picture
 * @property {Controls} controls
 * @property {Map<string, HTMLElement>} handles by the key of a parameter
 * @property {Set<string>} hidden the groups of the legend that are hidden
 * @property {string} step the step of a demonstration for which they were hidden
 * @property {Record<string, number[]>} stepAxes the ends of its axes at the setting of that step
 * @property {boolean | null} isSeen whether it is in sight, null until that is watched
 * @property {boolean} isLazy whether only its marker moved, so that its picture can wait
 * @property {number} width in px, of what is drawn
 * @property {number} drawTime in ms, that the last drawing took
 * @property {number} pinching the frame in which two fingers zoom
 * @property {boolean} dark
 * @property {string[]} picks the parameters of its axes, which a click sets
 * @property {string[]} marks the parameters of its markers
 * @property {Figure | null} figure
 * @property {Figure | null} drawnFigure the figure that is drawn
 * @property {Element | null} hoverLayer in which Plotly writes the numbers of a hover
 * @property {((chart: Chart) => number) | null} height the function that gives its height, if the figure does not
 */

const AXES = /** @type {const} */ (["xaxis", "yaxis"]);
const NEAR = 200; // px around what is visible that count as visible
const LARGE = 1.6; // how much larger type and lines are in a presentation and in full screen
const DEFAULT_HEIGHT = 450; // px
const SLOW_DRAW = 30; // ms: a chart that takes longer to draw waits until the answer above it is painted
const MENU_HEIGHT = 40; // px, of the buttons below a chart
const STILL = 500; // ms without a move after which a picture is drawn in which only a marker moved

/** @type {Set<Chart>} */
export const charts = new Set();

/** @type {Set<Chart>} Charts whose picture is older than their figure. */
const waiting = new Set();

/** @type {WeakMap<Element, Chart>} */
const chartOf = new WeakMap();

/** @type {IntersectionObserver | undefined} */
let watcher;

/** @type {ResizeObserver | undefined} */
let resizer;

/** @type {{cancel: () => void, isIdle: boolean} | null} The scheduled drawing of the next chart. */
let timer = null;
let lastDraw = 0;
let plotlyPath = "";

/**
 * Prepare for charts.
 * @param {string} path where the server has Plotly
 */
export function startCharts(path) {
  plotlyPath = path;
  addEventListener("beforeprint", () => [...waiting].forEach(draw));
  addEventListener("resize", () => redrawAll((chart) => Boolean(chart.height)));
}

export const loadPlotly = () => loadHostPlotly(plotlyPath);

/**
 * Make a chart in a host.
 * @param {Element} host
 * @param {Controls} controls what the chart asks of the page
 * @returns {Chart}
 */
export function newChart(host, controls) {
  const frame = element("figure", "dp-chart", host, {role: "figure"});
  const title = element("h2", "dp-title", frame), subtitle = element("p", "dp-subtitle", frame);
  const box = element("div", "dp-plot", frame), legend = element("div", "dp-legend", frame);
  const plot = /** @type {Chart["plot"]} */ (/** @type {HTMLElement} */ (element("div", "", box))), names = element("div", "dp-names", box);
  /** @type {Chart} */
  const chart = {
    frame, title, subtitle, box, plot, legend, legendId: "", names, entries: new Map(), room: {picture: "", px: 0}, controls, handles: new Map(), hidden: new Set(), step: "", stepAxes: {}, isSeen: null, isLazy: false,
    width: 0, drawTime: 0, pinching: 0, dark: false, picks: [], marks: [], figure: null, drawnFigure: null, height: null, hoverLayer: null,
  };
  chartOf.set(plot, chart);
  plot.setAttribute("aria-hidden", "true"); // the figure has its own text alternative
  plot.addEventListener("pointerdown", (event) => watchClick(chart, event), true);
  watchFingers(chart);
  charts.add(chart);
  return chart;
}

/**
 * Show a figure in a chart.
 * @param {Chart} chart
 * @param {Part} part
 * @param {{dark: boolean, height: Chart["height"]}} options
 */
export function setChart(chart, part, {dark, height}) {
  const old = chart.figure, {figure} = part;
  Object.assign(chart, {picks: part.picks, marks: part.marks, dark, height});
  chart.frame.dataset.chart = part.name;
  chart.frame.setAttribute("aria-label", part.alt);
  chart.frame.classList.toggle("dp-scaled", figure.data.some((/** @type {{colorbar?: object}} */ trace) => trace.colorbar)); // a bar of colours below the plot
  setHtml(chart.title, part.title);
  setHtml(chart.subtitle, part.subtitle);
  showLegend(chart, figure, () => {
    redraw(chart);
    wake();
  });
  figure.layout.uirevision ??= `${part.name} ${axesOf(figure)}`;
  figure.data = shareArrays(figure.data, old?.data);
  chart.figure = figure;
  // If only the marker moved, it is moved at once, and the rest of the picture is drawn when the browser is idle.
  chart.isLazy = Boolean(chart.drawnFigure && chart.marks.length
    && isSame(withoutMarkers(figure, chart.marks), withoutMarkers(chart.drawnFigure, chart.marks)) && moveMarkers(chart));
  chart.plot.style.height = `${plotHeight(chart)}px`;
  if (chart.isSeen === null) watch(chart);
  waiting.add(chart);
  if (timer?.isIdle && !chart.isLazy) stopTimer();
  loadPlotly().then(drawNext, (error) => showFailure(chart, error));
}

/**
 * Let the linear axes of a figure reach as far as a step of a demonstration says and, while a parameter of the step is
 * moved, as far as at the step: what a class compares stands on the same axes.
 * @param {Chart} chart
 * @param {Figure} figure
 * @param {import("../browser/types").Demonstration | null} demo
 */
export function reachForStep(chart, {layout}, demo) {
  if (!demo) return;
  for (const name of AXES) {
    const axis = layout[name], ends = [axis?.range, demo.axes[name], demo.moved && chart.stepAxes[name]].filter(Boolean).flat();
    if (!axis || !ends.length || axis.type === "log" || axis.range?.[0] > axis.range?.[1]) continue;
    axis.range = [Math.min(...ends), Math.max(...ends)];
    if (!demo.moved) chart.stepAxes[name] = axis.range;
  }
}

/**
 * Watch whether a chart is in sight, and its size.
 * @param {Chart} chart
 */
function watch(chart) {
  if (!watcher || !(/** @type {Element | null} */ (watcher.root)?.isConnected)) {
    watcher = new IntersectionObserver(followSight, {root: scroller(), rootMargin: `${NEAR}px 0px`});
  }
  resizer ??= new ResizeObserver(followSize);
  const {top, bottom} = chart.plot.getBoundingClientRect();
  chart.isSeen = bottom > -NEAR && top < innerHeight + NEAR;
  watcher.observe(chart.plot);
  resizer.observe(chart.plot);
}

/** @param {Chart} chart */
export function closeChart(chart) {
  waiting.delete(chart);
  charts.delete(chart);
  watcher?.unobserve(chart.plot);
  resizer?.unobserve(chart.plot);
  if (chart.drawnFigure) globalThis.Plotly.purge(chart.plot);
  chart.frame.remove();
}

/**
 * Redraw a chart whose size or type has changed.
 * @param {Chart} chart
 */
function redraw(chart) {
  chart.isLazy = false;
  chart.plot.style.height = `${plotHeight(chart)}px`;
  waiting.add(chart);
}

/** @param {(chart: Chart) => boolean} isAffected */
export function redrawAll(isAffected) {
  for (const chart of charts) if (isAffected(chart)) redraw(chart);
  wake();
}

/** @param {Chart} chart */
function plotHeight(chart) {
  if (isFull(chart)) {
    const above = chart.plot.getBoundingClientRect().top - chart.frame.getBoundingClientRect().top;
    return innerHeight - above - Math.max(chart.legend.offsetHeight, MENU_HEIGHT) - 16;
  }
  return chart.height?.(chart) ?? (chart.figure?.layout.height ?? DEFAULT_HEIGHT) * enlargement(chart);
}

/** @param {Chart} chart */
const isFull = (chart) => document.fullscreenElement === chart.frame;

/**
 * Return how much larger than usual type is. A list that does not fit is not scaled with the window: a larger one has more rows.
 * @param {Chart} chart
 */
export function enlargement(chart) {
  if (innerWidth <= 640 || !(isFull(chart) || chart.frame.closest(".dp-present"))) return 1;
  const scale = LARGE * windowScale(), rows = chart.figure?.layout.meta?.leastHeight ?? 0;
  return rows * scale > 0.6 * innerHeight ? LARGE : scale; // the part below the answer
}

/** How much larger than 1280 × 720 the window is, as stage.css scales the type of a presentation. */
const windowScale = () => Math.max(1, Math.min(innerWidth / 1280, innerHeight / 720));

// ---------------------------------------------------------------------------------------------------------- drawing

function stopTimer() {
  timer?.cancel();
  timer = null;
}

/** Draw the charts that wait: those in sight first, from the top, one a frame; the others when the browser is idle. */
function drawNext() {
  if (timer || waiting.size === 0 || !globalThis.Plotly) return;
  const isUrgent = [...waiting].some((chart) => chart.isSeen && !chart.isLazy);
  const wait = [...waiting].every((chart) => chart.isLazy) ? STILL - (performance.now() - lastMove) : 0; // not while it moves on
  const drawFirst = () => {
    timer = null;
    const chart = firstWaiting();
    try {
      if (chart) draw(chart);
    } finally {
      drawNext(); // one chart that fails does not block the others
    }
  };
  if (wait > 0) {
    const id = setTimeout(() => {
      timer = null;
      drawNext();
    }, wait);
    timer = {cancel: () => clearTimeout(id), isIdle: true};
  } else if (!isUrgent) {
    timer = {cancel: whenIdle(drawFirst), isIdle: true};
  } else if (document.hidden || (performance.now() - lastDraw > 100 && firstWaiting().drawTime < SLOW_DRAW)) {
    const id = setTimeout(drawFirst);
    timer = {cancel: () => clearTimeout(id), isIdle: false};
  } else {
    let id = requestAnimationFrame(() => {
      id = 0;
      afterPaint(drawFirst);
    });
    timer = {cancel: () => cancelAnimationFrame(id), isIdle: false};
  }
}

/**
 * Call a function when the browser is idle, and return what cancels that. Safari has no event for that.
 * @param {() => void} act
 */
function whenIdle(act) {
  if ("requestIdleCallback" in globalThis) {
    const id = requestIdleCallback(act, {timeout: 600});
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(act, 50);
  return () => clearTimeout(id);
}

function wake() {
  if (timer?.isIdle) stopTimer();
  drawNext();
}

/** @param {() => void} act */
function afterPaint(act) {
  const {port1, port2} = new MessageChannel();
  port1.onmessage = act;
  port2.postMessage(0);
}

function firstWaiting() {
  /** @param {Chart} chart */
  const rank = (chart) => (chart.isLazy ? 2 : chart.isSeen ? 0 : 1);
  const places = new Map([...charts].map((chart, place) => [chart, place]));
  return [...waiting].sort((a, b) => rank(a) - rank(b) || (places.get(a) ?? 0) - (places.get(b) ?? 0))[0];
}

/** @param {Chart} chart */
function draw(chart) {
  waiting.delete(chart);
  const {plot} = chart, figure = required(chart.figure);
  chart.width = plot.clientWidth;
  if (chart.width === 0) return; // hidden: drawn when it gets a width
  const copy = {data: figure.data.map((trace) => copyForPlotly(trace)), layout: copyForPlotly(figure.layout, true)};
  const {data, layout} = enlarge(copy, enlargement(chart));
  delete layout.title; // stands above the chart as text
  Object.assign(layout, {width: chart.width, height: plotHeight(chart), autosize: false});
  layout.showlegend = false; // stands below the chart, where it can wrap
  for (const trace of data) if (chart.hidden.has(groupOf(trace))) trace.visible = false;
  makeRoomForNames(chart, {data, layout}, enlargement(chart));
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false;
  const zoomed = zoomedRanges(chart, figure), start = performance.now();
  try {
    globalThis.Plotly.react(plot, data, layout, {displayModeBar: false, displaylogo: false, showSendToCloud: false, doubleClick: false, showTips: false});
    watchHover(chart);
    if (Object.keys(zoomed).length) globalThis.Plotly.relayout(plot, zoomed);
  } catch (error) {
    return showFailure(chart, /** @type {Error} */ (error));
  }
  lastDraw = performance.now();
  chart.drawTime = lastDraw - start;
  if (!chart.drawnFigure) {
    plot.on("plotly_relayout", () => {
      moveMarkers(chart);
      markZoom(chart);
      placeNames(chart, enlargement(chart));
    });
    plot.on("plotly_doubleclick", () => resetZoom(chart)); // Plotly's own would go to ranges of its choice
  }
  chart.drawnFigure = figure;
  moveMarkers(chart);
  markZoom(chart);
  placeNames(chart, enlargement(chart));
}

/**
 * Mark a chart whose axes show another range than that of its figure, so that it has a button that resets them.
 * @param {Chart} chart
 */
function markZoom({frame, plot, figure}) {
  const layout = required(figure).layout;
  const isZoomed = AXES.some((name) => {
    const own = layout[name], shown = plot._fullLayout?.[name];
    if (!own || !shown || own.fixedrange || layout.yaxis.scaleanchor) return false;
    if (!own.range) return shown.autorange === false;
    const slack = Math.abs(own.range[1] - own.range[0]) * 1e-6;
    return own.range.some((/** @type {number} */ end, /** @type {number} */ place) => Math.abs(end - shown.range[place]) > slack);
  });
  frame.classList.toggle("dp-zoomed", isZoomed);
}

/**
 * Return what the axes of a figure show, without numbers: where it changes, a zoom is reset.
 * @param {Figure} figure
 */
const axesOf = ({layout}) => AXES.map((name) => `${layout[name]?.type} ${layout[name]?.title?.text?.replace(/[\d.,]+/g, "")}`).join(" ");

/**
 * Return the ranges to which the user has zoomed in axes whose own range changes with a figure: Plotly would reset these,
 * and keep the zoom of the others.
 * @param {Chart} chart
 * @param {Figure} figure
 * @returns {Record<string, number[]>}
 */
function zoomedRanges({plot, drawnFigure}, figure) {
  if (!drawnFigure || drawnFigure.layout.uirevision !== figure.layout.uirevision) return {};
  const own = drawnFigure.layout, next = figure.layout, shown = plot.layout ?? {};
  const zoomed = AXES.filter((name) => own[name]?.range && next[name]?.range && shown[name]?.range
    && !own[name].fixedrange && !isSame(own[name].range, shown[name].range) && !isSame(own[name].range, next[name].range));
  return Object.fromEntries(zoomed.map((name) => [`${name}.range`, [...shown[name].range]]));
}

/**
 * @param {Chart} chart
 * @param {Error} error
 */
function showFailure({plot}, error) {
  plot.textContent = `This chart can’t be drawn: ${error.message}. Its numbers are in the menu below.`;
  plot.removeAttribute("aria-hidden");
}

/**
 * Make type and lines of a figure larger by a factor.
 * @param {Figure} figure
 * @param {number} by
 */
function enlarge(figure, by) {
  if (by === 1) return figure;
  /** @type {(value: any, key: string) => any} */
  const walk = (value, key) => {
    if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
    for (const [name, part] of Object.entries(value)) {
      const isSize = typeof part === "number" && ((name === "size" && (/font$/.test(key) || key === "marker")) || (name === "width" && key === "line") || /^[xy]shift$/.test(name));
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

/** @param {IntersectionObserverEntry[]} entries */
function followSight(entries) {
  for (const {target, isIntersecting} of entries) required(chartOf.get(target)).isSeen = isIntersecting;
  wake();
}

/** @param {ResizeObserverEntry[]} entries */
function followSize(entries) {
  for (const {target} of entries) {
    const chart = required(chartOf.get(target));
    if (Math.abs(chart.plot.clientWidth - chart.width) >= 1) redraw(chart);
  }
  wake();
}

/**
 * Show a chart on the full screen, or leave that.
 * @param {Chart} chart
 */
export async function toggleFullScreen(chart) {
  if (document.fullscreenElement) return document.exitFullscreen();
  chart.frame.style.background = background();
  chart.frame.onfullscreenchange = () => requestAnimationFrame(() => {
    redraw(chart);
    wake();
  });
  return chart.frame.requestFullscreen();
}
