// The legend of a chart: buttons that hide a curve and show it again, at the ends of lines where there is room, the others below.
import {element} from "../browser/dom.js";
import {required} from "../browser/required.js";

/** @typedef {import("./chart.js").Chart} Chart */

/** @param {any} trace */
export const groupOf = (trace) => trace.legendgroup ?? trace.name;

/**
 * Show the legend of a figure, one entry for each group of traces.
 * @param {Chart} chart
 * @param {{data: any[], layout: any}} figure
 * @param {() => void} redraw the function that redraws the chart after a click
 */
export function showLegend(chart, {data, layout}, redraw) {
  const traces = data.filter((trace) => trace.showlegend !== false && trace.name && (layout.showlegend ?? data.length > 1));
  const entries = traces.filter((trace, place) => traces.findIndex((other) => groupOf(other) === groupOf(trace)) === place);
  const id = JSON.stringify(entries.map(({name, line, marker, mode, type, fillcolor, opacity}) => [name, line, marker?.color, marker?.symbol, marker?.opacity, mode, type, fillcolor, opacity]));
  chart.legend.hidden = entries.length === 0;
  if (chart.legendId === id) return;
  chart.legendId = id;
  chart.names.replaceChildren();
  chart.entries = new Map(entries.map((trace) => {
    const group = groupOf(trace);
    const button = element("button", "", null, {type: "button", "aria-pressed": String(!chart.hidden.has(group))});
    button.innerHTML = swatch(trace);
    element("span", "", button).textContent = plainText(trace.name);
    button.onclick = () => {
      if (!chart.hidden.delete(group)) chart.hidden.add(group);
      button.setAttribute("aria-pressed", String(!chart.hidden.has(group)));
      redraw();
    };
    return [group, button];
  }));
  chart.legend.replaceChildren(...chart.entries.values());
}

/**
 * Hide the curves that a step of a demonstration does not show before they are asked for; a click in the legend shows them.
 * @param {Chart} chart
 * @param {import("../browser/types").Demonstration | null} demo
 */
export function hideForStep(chart, demo) {
  const step = demo?.key ?? "";
  if (chart.step === step) return;
  if (chart.step || demo?.hidden.length) chart.hidden = new Set(demo?.hidden);
  chart.step = step;
  chart.stepAxes = {};
  for (const [group, button] of chart.entries) button.setAttribute("aria-pressed", String(!chart.hidden.has(group)));
}

const LEAST_WIDTH = 560, MOST_NAME = 200, BESIDE = 4, ROW = 16; // px: of a chart with names, of a name, beside a line, between names
const LEFT = 64; // px: of the numbers and the title of a y axis, which Plotly makes room for as it draws
const MOST_NEAR = 3; // lines whose names are moved apart

/**
 * Return the place of a value on an axis, 0 at its start and 1 at its end.
 * @param {{type?: string, range: number[]}} axis
 * @param {number} value
 */
const placeOn = ({type, range: [start, end]}, value) => ((type === "log" ? Math.log10(value) : value) - start) / (end - start);

/**
 * Return the right end of a line within the plot, from 0 to 1 across and up; nothing where no point lies left of the right side.
 * @param {any} trace
 * @param {any} xaxis
 * @param {any} yaxis
 */
function rightEnd({x, y}, xaxis, yaxis) {
  const across = Array.from(x, (value) => placeOn(xaxis, value));
  let last = -1;
  for (let n = 0; n < across.length; n++) if (across[n] <= 1 + 1e-9 && Number.isFinite(y[n]) && !(across[n] < across[last])) last = n;
  if (last < 0) return null;
  const up = placeOn(yaxis, y[last]), beyond = [last + 1, last - 1].find((n) => across[n] > 1 && Number.isFinite(y[n]));
  if (beyond === undefined) return {across: across[last], up};
  return {across: 1, up: up + (placeOn(yaxis, y[beyond]) - up) * (1 - across[last]) / (across[beyond] - across[last])};
}

/**
 * Return whether a trace has a visible mark, not a point to hover alone, where a line ends: its name stands beside that too.
 * @param {{trace: any, end: {across: number} | null}} drawn
 * @param {number} across the end of the line
 */
const hasMarkAt = ({trace: {mode = "lines", marker}, end}, across) =>
  mode.includes("markers") && marker?.opacity !== 0 && Boolean(end) && Math.abs(required(end).across - across) < 1e-9;

/**
 * Return the names of the lines that reach farthest to the right, where each has a row: how far across the plot its line ends, from 0 to 1,
 * and how far from the top its name stands, in px.
 * @param {Chart} chart
 * @param {{data: any[], layout: any}} figure
 * @param {number} height of the plot, in px
 * @param {number} scale how much larger than usual the type is
 * @returns {Map<string, {across: number, top: number, gap: number}>}
 */
function endNames(chart, {data, layout}, height, scale) {
  const {xaxis, yaxis} = layout, ends = /** @type {{group: string, across: number, top: number, gap: number}[]} */ ([]);
  const isPlain = xaxis?.range && yaxis?.range && !layout.meta?.namesBelow && !layout.xaxis2 && !layout.yaxis2 && !chart.frame.classList.contains("dp-scaled");
  if (!isPlain || chart.width < LEAST_WIDTH * scale || (xaxis.type ?? "linear") === "category") return new Map();
  const drawn = data.filter((trace) => trace.x?.length && (trace.type ?? "scatter").startsWith("scatter") && trace.visible !== false)
    .map((trace) => ({trace, end: rightEnd(trace, xaxis, yaxis)}));
  const farthest = Math.max(...drawn.map(({end}) => end?.across ?? 0));
  for (const {trace, end} of drawn) {
    const {mode = "lines", line} = trace, group = groupOf(trace), button = chart.entries.get(group);
    if (!button || !mode.includes("lines") || line?.width === 0 || trace.x.length < 2 || button.offsetWidth > MOST_NAME * scale) continue;
    if (!end || end.across < farthest - 0.015 || end.up < 0 || end.up > 1 || ends.some((other) => other.group === group)) continue;
    const marks = drawn.filter((other) => groupOf(other.trace) === group && hasMarkAt(other, end.across));
    const gap = BESIDE + Math.max(0, ...marks.map((other) => Number(other.trace.marker?.size ?? 6) / 2));
    ends.push({group, across: end.across, top: (1 - end.up) * height, gap});
  }
  ends.sort((a, b) => a.top - b.top);
  const row = ROW * scale, lowest = height - row / 4, /** @type {(typeof ends)[]} */ bunches = [];
  for (const end of ends) {
    const bunch = bunches.at(-1);
    if (bunch && end.top - required(bunch.at(-1)).top < row) bunch.push(end);
    else bunches.push([end]);
  }
  for (const bunch of bunches.filter(({length}) => length > 1)) { // those that are near are moved apart
    const half = (bunch.length - 1) / 2, middle = Math.min((bunch[0].top + required(bunch.at(-1)).top) / 2, lowest - half * row);
    bunch.forEach((end, n) => (end.top = middle + (n - half) * row)); // above the numbers of the axis
  }
  const placed = bunches.filter((bunch, n) => bunch.length <= MOST_NEAR && bunches.every((other, k) => k === n
    || other.every(({top}) => bunch.every((end) => Math.abs(end.top - top) >= row - 0.5))));
  return new Map(placed.flat().map(({group, across, top, gap}) => [group, {across, top, gap}]));
}

/**
 * Make room in the layout of a figure for the names at the ends of its lines. While the picture stays, the room does not shrink: the axes keep still.
 * @param {Chart} chart
 * @param {{data: any[], layout: any}} figure
 * @param {number} scale
 */
export function makeRoomForNames(chart, figure, scale) {
  if (!chart.entries.size) return;
  const {margin, height, uirevision} = figure.layout, picture = `${uirevision} ${chart.width}`, most = chart.width - Math.max(margin.l, LEFT);
  const rooms = [...endNames(chart, figure, height - margin.t - margin.b, scale)]
    .map(([group, {across, gap}]) => most - (most - required(chart.entries.get(group)).offsetWidth - BESIDE - gap) / across); // room makes the plot narrower
  const before = chart.room.picture === picture ? chart.room.px : 0;
  chart.room = {picture, px: Math.max(before, ...rooms)};
  margin.r = Math.max(margin.r, chart.room.px);
}

/**
 * Put the names of lines beside their ends in the picture as it is drawn, and the others into the legend below.
 * @param {Chart} chart
 * @param {number} scale
 */
export function placeNames(chart, scale) {
  const {plot, entries, names, legend} = chart;
  if (!entries.size) return;
  const {xaxis, yaxis} = plot._fullLayout, {data} = /** @type {any} */ (plot), keys = [...entries.keys()];
  const placed = endNames(chart, {data, layout: plot._fullLayout}, yaxis._length, scale);
  for (const [group, button] of entries) {
    const end = placed.get(group), left = end ? xaxis._offset + end.across * xaxis._length + end.gap : Infinity;
    const fits = left + button.offsetWidth <= chart.width;
    if (end && fits) Object.assign(button.style, {left: `${left}px`, top: `${yaxis._offset + end.top}px`});
    if (button.parentElement === (fits ? names : legend)) continue;
    const after = fits ? undefined : keys.slice(keys.indexOf(group) + 1).find((key) => entries.get(key)?.parentElement === legend);
    (fits ? names : legend).insertBefore(button, after ? required(entries.get(after)) : null);
  }
}

/** @type {Record<string, string>} */
const DASHES = {solid: "", dot: "2 3", dash: "7 4", longdash: "11 4", dashdot: "7 3 2 3", longdashdot: "11 3 2 3"};

/** @type {Record<string, (colour: string) => string>} */
const MARKERS = {
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
  "circle-open": (colour) => `<circle cx="14" cy="6" r="3.5" fill="none" stroke="${colour}"/>`,
};

const SAFE_COLOUR = /^[#a-z0-9(),.% ]+$/i;

/**
 * Return a small picture of a trace.
 * @param {any} trace
 */
function swatch({line, marker, mode = "lines", type, fillcolor, fill, opacity = 1}) {
  const colour = [line?.color, marker?.color].find((part) => typeof part === "string" && part) || fillcolor || "currentColor";
  const safe = SAFE_COLOUR.test(colour) ? colour : "currentColor";
  const dash = DASHES[line?.dash] ?? line?.dash?.replace(/px/g, "").replace(/,/g, " ") ?? "";
  const parts = [];
  if (type === "bar" || type === "histogram" || (fill && !line?.width)) parts.push(`<rect x="3" y="1" width="22" height="10" fill="${SAFE_COLOUR.test(fillcolor ?? "") ? fillcolor : safe}"/>`);
  else if (mode.includes("lines")) parts.push(`<path d="M0 6H28" stroke="${safe}" stroke-width="${Math.min(line?.width ?? 2, 4)}" stroke-dasharray="${/^[\d. ]*$/.test(dash) ? dash : ""}"/>`);
  if (mode.includes("markers")) parts.push(MARKERS[marker?.symbol]?.(safe) ?? `<circle cx="14" cy="6" r="4" fill="${safe}"/>`);
  const visible = Number(opacity) * (type === "bar" ? Number(marker?.opacity ?? 1) : 1);
  return `<svg width="28" height="12" viewBox="0 0 28 12" opacity="${visible}" aria-hidden="true">${parts.join("")}</svg>`;
}

/**
 * Return a text of Plotly's, which knows a few tags, without them.
 * @param {string} markup
 */
function plainText(markup) {
  const box = document.createElement("template");
  box.innerHTML = markup; // of a template nothing is loaded or run
  return box.content.textContent;
}

const HOVER_EDGE = 4; // px between the numbers of a hover and the plot's edge

/**
 * Keep the numbers of a hover off the lines that they compare: Plotly puts them at half the height of the plot, and here they go to its top or
 * bottom where fewer points of lines are. The side is Plotly's.
 * @param {Chart} chart
 */
export function watchHover(chart) {
  const layer = chart.plot.querySelector(".hoverlayer");
  if (!layer || chart.hoverLayer === layer) return;
  chart.hoverLayer = layer;
  new MutationObserver(() => placeHover(chart, layer)).observe(layer, {childList: true, subtree: true});
}

/**
 * @param {Chart} chart
 * @param {Element} layer
 */
function placeHover(chart, layer) {
  const box = layer.querySelector("g.legend"), [, left, top] = /translate\(([-\d.]+),\s*([-\d.]+)\)/.exec(box?.getAttribute("transform") ?? "") ?? [];
  const {xaxis, yaxis} = chart.plot._fullLayout ?? {};
  if (!box || left === undefined || !xaxis?.d2p) return;
  const ground = required(box.querySelector(".bg")), width = Number(ground.getAttribute("width")), height = Number(ground.getAttribute("height"));
  const x = Number(left) - xaxis._offset, lowest = yaxis._length - height - HOVER_EDGE;
  const ups = /** @type {number[]} */ ([]);
  for (const trace of /** @type {any} */ (chart.plot).data) {
    if (trace.visible === false || trace.visible === "legendonly" || (trace.type ?? "scatter") !== "scatter") continue;
    for (let n = 0; n < (trace.x?.length ?? 0); n++) {
      const across = xaxis.d2p(trace.x[n]);
      if (across >= x - HOVER_EDGE && across <= x + width + HOVER_EDGE) ups.push(yaxis.d2p(trace.y[n]));
    }
  }
  /** @param {number} from */
  const covered = (from) => ups.filter((up) => up >= from - HOVER_EDGE && up <= from + height + HOVER_EDGE).length;
  const places = [Number(top) - yaxis._offset, HOVER_EDGE, lowest].filter((from) => from >= 0 && from <= lowest);
  const best = places.reduce((least, from) => (covered(from) < covered(least) ? from : least), places[0] ?? HOVER_EDGE);
  box.setAttribute("transform", `translate(${left},${best + yaxis._offset})`);
}
