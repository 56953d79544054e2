// Saved figures: room for every word. Margins grow to what sticks out of the plot, crowded tick labels go, long words
// wrap, the legend stands below all else, and a note or label that would lie on another one is moved beside it.
import {required} from "../browser/required.js";
import {greyFigure} from "./export_grey.js";
import {EDGE, familiesOf, FONT_ALLOWANCE, GAP, TYPE_SIZE} from "./export_style.js";
import {boxIn, moveNode, visibleTexts, wrapText} from "./export_text.js";
import {groupOf} from "./legend.js";

/** @typedef {import("./export.js").Box} Box */
/** @typedef {import("./export.js").Panel} Panel */
/** @typedef {import("./export.js").Paper} Paper */
/** @typedef {import("./export.js").Plot} Plot */
/** @typedef {{key: string, axis: any}} PlotAxis */

const LEGEND_SYMBOL = 50; // px from the left end of a legend's entry to its words
const LEGEND_LAYOUT = {
  orientation: "h", xref: "container", x: 0, xanchor: "left", yref: "container", y: 0, yanchor: "bottom", maxheight: 9999, itemwidth: 40,
};

/**
 * Return a copy of a figure for a width in px, without its title: what Plotly draws for paper.
 * @param {Panel} panel
 * @param {Paper} paper
 * @param {number} width
 * @param {number} stacked the height of its plot among panels below each other, 0 for that of the figure alone
 */
export function paperFigure({figure, hidden = [], ranges = {}, names = {}}, {greySafe, typeface}, width, stacked) {
  const families = familiesOf(typeface);
  const {title, ...layout} = copyFigure(figure.layout);
  const data = figure.data.filter((trace) => !isLeftOut(trace, hidden)).map(copyFigure);
  for (const trace of data) trace.name = names[trace.name] ?? trace.name;
  for (const [key, range] of Object.entries(ranges)) layout[key] = {...withTicks(layout[key], range), range, autorange: false};
  const tall = Math.max(0.8, (layout.height ?? 450) / 450);
  const plotHeight = Math.round((stacked || Math.min(420, Math.max(190, 0.56 * width))) * tall);
  Object.assign(layout, {
    width,
    height: plotHeight + 120,
    margin: {l: 60, r: 20, t: 60, b: 60},
    font: {...layout.font, family: families, size: TYPE_SIZE},
    paper_bgcolor: "rgba(0,0,0,0)",
    hovermode: false,
    legend: {...layout.legend, ...LEGEND_LAYOUT},
  });
  for (const key of Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name))) {
    const axis = layout[key], across = key[0] === "x";
    const [from, to] = axis.domain ?? [0, 1];
    Object.assign(axis, {automargin: false, tickangle: 0}, {ticklabelstandoff: across ? 8 : 3});
    if (axis.title?.text) {
      const length = across ? (width - 90) * (to - from) : Math.max(plotHeight * (to - from), 120);
      const font = {size: TYPE_SIZE, ...axis.title.font};
      axis.title = {...axis.title, font, text: wrapText(axis.title.text, font.size, length, families).join("<br>")};
    }
  }
  for (const {line, type = "scatter"} of data) if (line && type === "scatter") line.simplify = false; // else a smooth curve has corners in print
  for (const {colorbar} of data) if (colorbar) colorbar.tickangle = 0;
  for (const trace of data) if (trace.name) trace.name = wrapText(trace.name, TYPE_SIZE, (width - 74) / FONT_ALLOWANCE, families).join("<br>");
  if (greySafe) greyFigure(data, layout);
  return {data, layout};
}

/** @type {(trace: any, hidden: string[]) => boolean} whether a trace is of a group that is left out of a picture */
export const isLeftOut = (trace, hidden) => hidden.includes(groupOf(trace));

/**
 * Return an axis without the ticks of its own if fewer than two of them are within a range: Plotly then chooses some.
 * @param {any} axis
 * @param {number[]} range
 */
function withTicks(axis, range) {
  const [low, high] = [...range].sort((a, b) => a - b), {tickvals, ticktext, ...rest} = axis ?? {};
  const places = (tickvals ?? []).map((/** @type {number} */ value) => (rest.type === "log" ? Math.log10(value) : value));
  return tickvals && places.filter((/** @type {number} */ place) => place >= low && place <= high).length < 2 ? {...rest, tickmode: "auto"} : axis;
}

/**
 * Give a plot the margins and tick labels that fit. Return whether anything changed, so that it must be drawn again.
 * @param {Plot} plot
 * @param {any} layout
 */
export function fitMargins(plot, layout) {
  const thinned = visibleAxes(plot).map((axis) => thinTickLabels(plot, axis, layout)).some(Boolean);
  for (const axis of visibleAxes(plot)) placeAxisTitle(plot, axis);
  const {l, r, w} = plot._fullLayout._size;
  let [left, right] = [l, l + w];
  for (const {box, kind} of visibleTexts(plot)) {
    const middle = (box.left + box.right) / 2;
    if (kind === "legend" || (kind !== "fixed" && middle > l && middle < l + w)) continue;
    const more = (FONT_ALLOWANCE - 1) * (box.right - box.left) * (middle > l && middle < l + w ? 0.5 : 1);
    left = Math.min(left, box.left - more);
    right = Math.max(right, box.right + more);
  }
  const margin = {...layout.margin, l: Math.ceil(l - left) + EDGE, r: Math.max(10, Math.ceil(right - l - w) + EDGE)};
  margin.l = Math.max(10, margin.l);
  const isWider = Math.abs(margin.l - l) > 1 || Math.abs(margin.r - r) > 1;
  if (isWider) layout.margin = margin;
  return thinned || isWider;
}

/** @param {Plot} plot */
function visibleAxes(plot) {
  const {_fullLayout: all} = plot;
  return Object.keys(all).filter((key) => /^[xy]axis\d*$/.test(key) && all[key].visible !== false).map((key) => ({key, axis: all[key]}));
}

/**
 * Return the ends and the middle of the labels of a linear axis, where every second label would leave out its end: 0, 0.5
 * and 1 of 0, 0.2, …, 1. There are none where the labels are other texts, or the middle of whole numbers is none.
 * @param {{x: number, text: string}[]} ticks those with labels
 * @param {any} axis
 */
function endsAndMiddle(ticks, {type, range}) {
  const places = ticks.map(({x}) => x).sort((a, b) => a - b), first = places[0], last = places[places.length - 1], middle = (first + last) / 2;
  const step = (last - first) / (places.length - 1), isEven = places.every((x, place) => Math.abs(x - first - step * place) < 1e-6 * step);
  const isPlain = type === "linear" && isEven && ticks.every(({x, text}) => Math.abs(Number(text) - x) < 1e-6 * step);
  const isToEnd = Math.abs(last - Math.max(...range)) < 1e-6 * Math.abs(last - first), isWhole = places.every(Number.isInteger);
  return isPlain && places.length % 2 === 0 && isToEnd && (!isWhole || Number.isInteger(middle)) ? [first, middle, last] : null;
}

/**
 * Remove tick labels of an axis until none overlap; their grid lines stay.
 * @param {Plot} plot
 * @param {PlotAxis} axis
 * @param {any} layout
 */
function thinTickLabels(plot, {key, axis}, layout) {
  const across = key[0] === "x";
  const ticks = [...plot.querySelectorAll(`.${axis._id}tick text`)].map((node) => ({box: boxIn(plot, node), tick: /** @type {any} */ (node).__data__}));
  const labelled = ticks.filter(({box, tick}) => tick.text && box.right > box.left);
  labelled.sort((a, b) => (across ? a.box.left - b.box.left : b.box.bottom - a.box.bottom));
  /** @type {(a: typeof ticks[0], b: typeof ticks[0]) => boolean} */
  const free = (a, b) => (across ? b.box.left - a.box.right >= 5 : a.box.top - b.box.bottom >= 2);
  const all = ticks.map(({tick}) => tick).filter(({text}) => text), isCut = all.length > labelled.length; // Plotly hides some
  const few = endsAndMiddle(all, axis);
  if (!isCut && labelled.every((label, place) => place === 0 || free(labelled[place - 1], label))) return false;
  if (few) {
    Object.assign(layout[key], {tickmode: "array", tickvals: few, ticktext: few.map(String)});
    return true;
  }
  if (isCut) return false;
  let remaining = labelled;
  const steps = labelled.slice(1).map(({tick}, place) => Math.abs(tick.x - labelled[place].tick.x));
  const even = Math.max(...steps) - Math.min(...steps) < 1e-6 * Math.max(...steps);
  for (let every = 2; even && every < labelled.length; every++) {
    remaining = labelled.filter((_, place) => place % every === 0);
    if (remaining.every((label, place) => place === 0 || free(remaining[place - 1], label))) break;
  }
  if (!even) {
    remaining = [];
    for (const label of labelled) if (remaining.length === 0 || free(remaining[remaining.length - 1], label)) remaining.push(label);
  }
  /** @param {typeof ticks[0]} label */
  const value = ({tick}) => (axis.type === "log" ? 10 ** tick.x : tick.x);
  /** @param {typeof ticks[0]} label */
  const text = (label) => (remaining.includes(label) ? label.tick.text : "");
  Object.assign(layout[key], {tickmode: "array", tickvals: labelled.map(value), ticktext: labelled.map(text)});
  return true;
}

/**
 * Move an axis' title beside its tick labels.
 * @param {Plot} plot
 * @param {PlotAxis} axis
 */
function placeAxisTitle(plot, {axis}) {
  const title = plot.querySelector(`.g-${axis._id}title`);
  if (!title?.textContent) return;
  const box = boxIn(plot, title), {l, t, w, h} = plot._fullLayout._size;
  const ticks = [...plot.querySelectorAll(`.${axis._id}tick text`)].map((node) => boxIn(plot, node)).filter(({left, right}) => right > left);
  const more = (FONT_ALLOWANCE - 1) * Math.max(0, ...ticks.map(({left, right}) => right - left)) + GAP;
  const [from, to] = axis._anchorAxis?.domain ?? [0, 1];
  if (axis.side === "bottom") {
    const aside = Math.max(0, EDGE - box.left) - Math.max(0, box.right - plot._fullLayout.width + EDGE);
    moveNode(title, aside, Math.max(t + h * (1 - from), ...ticks.map(({bottom}) => bottom)) + 2 - box.top);
  } else if (axis.side === "left") moveNode(title, Math.min(l + w * from, ...ticks.map(({left}) => left)) - more - box.right, 0);
  else if (axis.side === "right") moveNode(title, Math.max(l + w * to, ...ticks.map(({right}) => right)) + more - box.left, 0);
}

/**
 * Move the legend below all else, and notes and labels apart, in a plot that fits. Return whether each has a place.
 * @param {Plot} plot
 * @param {{foot: number, legend: number}} room how far words of other panels reach below the plot, and the width of the legend
 */
export function placeLabels(plot, room) {
  separateTickLabels(plot);
  for (const axis of visibleAxes(plot)) placeAxisTitle(plot, axis);
  const {l, t, w, h} = plot._fullLayout._size, legend = plot.querySelector("g.legend");
  /** @param {Element[]} without */
  const foot = (without) => {
    const above = visibleTexts(plot).filter(({node}) => !without.some((part) => part.contains(node)));
    return Math.max(t + h, ...above.map(({box}) => box.bottom));
  };
  const bars = [...plot.querySelectorAll(".colorbar")].filter((bar) => boxIn(plot, bar).bottom > t + h); // not beside the plot
  const below = [...bars, ...(legend ? [legend] : [])];
  for (const bar of bars) {
    moveNode(bar, 0, foot(below) + GAP - boxIn(plot, bar).top);
    thinColourBarLabels(plot, bar);
  }
  const words = visibleTexts(plot), lowest = foot(legend ? [legend] : []);
  if (legend) placeLegend(plot, legend, Math.max(lowest, t + h + room.foot) + GAP, room.legend);
  const inside = {left: EDGE, right: plot._fullLayout.width - EDGE, top: -Infinity, bottom: lowest};
  const plotBox = {left: l, right: l + w, top: t, bottom: t + h};
  const obstacles = words.filter(({kind}) => kind === "fixed").map(({box}) => widenBox(box));
  for (const {node, box: own} of words.filter(({kind}) => kind === "note" || kind === "mark")) {
    const box = widenBox(own), [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const within = x > plotBox.left && x < plotBox.right && y > plotBox.top && y < plotBox.bottom;
    const move = smallestMove(box, within ? {...inside, top: t, bottom: t + h} : inside, obstacles, within);
    if (!move) return false;
    if (move[0] || move[1]) moveNode(node, move[0], move[1]);
    obstacles.push(shiftBox(box, move[0], move[1]));
  }
  return true;
}

/**
 * Remove tick labels that overlap those of another axis.
 * @param {Plot} plot
 */
function separateTickLabels(plot) {
  /** @type {Box[]} */
  const remaining = [];
  for (const node of plot.querySelectorAll("[class$=tick] text")) {
    const box = boxIn(plot, node);
    if (remaining.some((other) => overlaps(box, other, 0))) node.textContent = "";
    else if (box.right > box.left) remaining.push(box);
  }
}

/**
 * Remove labels of a colour bar below the plot until none overlap.
 * @param {Plot} plot
 * @param {Element} bar
 */
function thinColourBarLabels(plot, bar) {
  const ticks = [...bar.querySelectorAll("[class$=tick] text")].map((node) => ({node, box: widenBox(boxIn(plot, node))}));
  ticks.sort((a, b) => a.box.left - b.box.left);
  let end = -Infinity;
  for (const {node, box} of ticks) {
    if (box.left < end + 3) node.textContent = "";
    else end = box.right;
  }
}

/**
 * Arrange the entries of a legend in rows, each as long as its words, from the height `top` on.
 * @param {Plot} plot
 * @param {Element} legend
 * @param {number} top
 * @param {number} width
 */
function placeLegend(plot, legend, top, width) {
  const entries = [...legend.querySelectorAll(".traces")].map((node) => ({node, box: boxIn(plot, required(node.querySelector("text")))}));
  let [x, y, tallest] = [0, top, 0];
  for (const {node, box} of entries) {
    const [length, tall] = [FONT_ALLOWANCE * (box.right - box.left) + LEGEND_SYMBOL, box.bottom - box.top + 2];
    if (x > 0 && x + length > width - EDGE) [x, y, tallest] = [0, y + tallest, 0];
    moveNode(node, x - box.left + LEGEND_SYMBOL, y - box.top);
    x += length + 2 * GAP;
    tallest = Math.max(tallest, tall);
  }
  for (const clipped of legend.querySelectorAll("[clip-path]")) clipped.removeAttribute("clip-path");
  for (const node of legend.querySelectorAll(".bg")) node.remove();
}

/**
 * Return the least move that brings a box into `frame` and off all others, if there is one: not downwards unless `both`.
 * @param {Box} box
 * @param {Box} frame
 * @param {Box[]} others
 * @param {boolean} both
 * @returns {number[] | undefined}
 */
function smallestMove(box, frame, others, both) {
  const home = Math.max(0, frame.left - box.left) - Math.max(0, box.right - frame.right);
  const lift = Math.max(0, frame.top - box.top) - Math.max(0, box.bottom - frame.bottom);
  /** @param {number[]} move */
  const fits = ([dx, dy]) => {
    const there = shiftBox(box, dx, dy);
    return isInside(there, frame) && !others.some((other) => overlaps(there, other));
  };
  if (fits([home, lift])) return [home, lift];
  const moves = [];
  for (let dx = -240; dx <= 240; dx += 4) {
    for (let dy = -240; dy <= (both ? 240 : 0); dy += 2) moves.push([home + dx, lift + dy, Math.abs(dx) + Math.abs(dy)]);
  }
  moves.sort((a, b) => a[2] - b[2]);
  return moves.find(fits);
}

/**
 * @param {Box} box
 * @param {number} dx
 * @param {number} dy
 */
const shiftBox = ({left, right, top, bottom}, dx, dy) => ({left: left + dx, right: right + dx, top: top + dy, bottom: bottom + dy});

/**
 * @param {Box} box
 * @returns {Box}
 */
function widenBox({left, right, ...vertical}) {
  const more = ((FONT_ALLOWANCE - 1) * (right - left)) / 2;
  return {left: left - more, right: right + more, ...vertical};
}

/**
 * @param {Box} box
 * @param {Box} frame
 */
function isInside(box, frame) {
  const [across, down] = [box.left >= frame.left - 0.5 && box.right <= frame.right + 0.5, box.top >= frame.top - 0.5];
  return across && down && box.bottom <= frame.bottom + 0.5;
}

/**
 * Return whether two boxes are closer than `gap` px.
 * @param {Box} a
 * @param {Box} b
 * @param {number} [gap]
 */
function overlaps(a, b, gap = 2) {
  const across = a.left < b.right + gap && b.left < a.right + gap;
  return across && a.top < b.bottom + gap && b.top < a.bottom + gap;
}

/**
 * @param {any} value
 * @returns {any}
 */
function copyFigure(value) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map(copyFigure) : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyFigure(part)]));
}
