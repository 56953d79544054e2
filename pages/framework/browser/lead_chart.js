// The height of the lead chart of a page.
import {charts, enlargement, redrawAll} from "../chart/chart.js";
import {stage} from "./current_stage.js";
import {head} from "./page_state.js";
import {heightAboveStage, scroller} from "./streamlit_host.js";

/** @typedef {import("../chart/chart.js").Chart} Chart */

const PHONE = 640; // px: on a window up to this wide the parameters stand below the chart
const LEAST = 240, LEAST_ON_PHONE = 204, MOST = 760, MOST_ON_PHONE = 460; // px

/** @type {WeakMap<Element, {layout: string, height: number}>} The height of each stage, and the layout for which it was chosen. */
const heights = new WeakMap();

/**
 * Return the height of the lead chart, which a chart beside it has too. It is measured where the layout is another one: to ask for sizes lays out
 * the page once more, at each move.
 * @param {Chart} chart
 */
export function leadHeight(chart) {
  const last = heights.get(stage.node);
  if (last && (!isLead(chart) || last.layout === layoutOf(chart))) return last.height;
  return fittingHeight(chart);
}

/** Draw the lead chart lower where what stands above or below it has grown. */
export function refitLead() {
  const lead = [...charts].find(isLead), last = heights.get(stage.node);
  if (lead?.height && last && last.layout === layoutOf(lead) && fittingHeight(lead) < last.height) redrawAll((chart) => Boolean(chart.height));
}

/** @param {Chart} chart */
const isLead = (chart) => chart.box === stage.first.querySelector(".dp-plot");

/**
 * Return how many rows of a list, and what else, make a chart as high as it is: where it changes, its height is chosen anew.
 * @param {Chart} chart
 */
function layoutOf(chart) {
  const {leastHeight = 0, mostHeight = Infinity, heightOfWidth = 0} = chart.figure?.layout.meta ?? {}, {node} = stage;
  const sizes = [leastHeight, mostHeight].map((size) => size * enlargement(chart));
  return [innerWidth, innerHeight, node.className, head.page, head.section, node.dataset.step, ...sizes, heightOfWidth].join(" ");
}

/**
 * Return the height that fills the rest of the first screen. It does not grow while a parameter moves, while the box of own
 * data pushes the chart down, or while more settings are open.
 * @param {Chart} chart
 */
function fittingHeight(chart) {
  const {node, controls, moreSettings} = stage, last = heights.get(node), layout = layoutOf(chart);
  const {leastHeight = 0, mostHeight = Infinity, heightOfWidth} = chart.figure?.layout.meta ?? {};
  const rows = leastHeight * enlargement(chart); // of a chart with a row for each entry of a list
  const nodeTop = node.getBoundingClientRect().top, stageTop = nodeTop + (scroller()?.scrollTop ?? 0) - heightAboveStage(node);
  const above = chart.box.getBoundingClientRect().top - nodeTop + stageTop;
  const tools = chart.legend.hidden ? Number(chart.frame.querySelector(":scope > .dp-exhibit-tools")?.clientHeight) : 0; // in a row of their own, in a presentation a high one
  const menu = head.demo && !node.classList.contains("dp-with-fields") ? 8 : Math.max(36, tools + 8 || 0);
  const below = (innerWidth <= PHONE ? controls.offsetHeight : 0) + chart.legend.offsetHeight + menu;
  const needed = heightOfWidth ? heightOfWidth * chart.plot.clientWidth : Infinity; // of a picture with one scale for x and y
  const room = Math.min(innerHeight - above - below, needed);
  const usual = innerWidth < PHONE ? MOST_ON_PHONE : Math.max(MOST, innerHeight - 320);
  const most = head.demo ? Math.max(usual, innerHeight) : usual; // a class looks at the picture
  const own = mostHeight * enlargement(chart); // of a picture with something below it to be seen
  const least = innerWidth < PHONE ? LEAST_ON_PHONE : LEAST;
  const fitting = Math.round(Math.min(Math.max(room, least), most, own)), height = Math.max(fitting, rows);
  setScrolling(chart.box, rows > fitting && innerWidth > PHONE && node.classList.contains("dp-present") ? `${fitting}px` : "");
  if (last?.layout === layout && (height >= last.height || moreSettings.node.open)) return last.height;
  heights.set(node, {layout, height});
  return height;
}

/**
 * Let the rows of a list that is higher than the screen scroll in their place, below the answer; show all of them without a height.
 * @param {HTMLElement} box
 * @param {string} height
 */
function setScrolling(box, height) {
  Object.assign(box.style, {maxHeight: height, overflowY: height && "auto"});
  if (height) box.tabIndex = 0; // so that keys scroll it
  else box.removeAttribute("tabindex");
}
