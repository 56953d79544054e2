// The choices for the file of a chart: few in sight, the rest under "More".
import {addButton} from "./buttons.js";
import {element} from "./dom.js";
import {head} from "./page_state.js";

/** @typedef {import("../chart/export.js").Paper} Paper */

const STORAGE = "dp_paper"; // the browser remembers the choices under this name
/** @type {Paper} */
export const DEFAULTS = {format: "svg", widthMm: 180, typePt: 8, titled: true, greySafe: false, transparent: false};
const STORED = /** @type {const} */ (["widthMm", "typePt"]); // what a paper asks of each of its pictures

/** The choices that one picture asks for: they last as long as its page is open. */
let ofPage = {page: "", ...looksOf(DEFAULTS)};

/** @param {Paper} paper */
function looksOf({titled, greySafe, transparent}) {
  return {titled, greySafe, transparent};
}

/** @returns {Paper} */
function lastChoices() {
  const {page, ...looks} = ofPage.page === head.page ? ofPage : {page: "", ...looksOf(DEFAULTS)};
  const stored = storedPaper(), sizes = Object.fromEntries(STORED.filter((key) => key in stored).map((key) => [key, stored[key]]));
  return {...DEFAULTS, ...sizes, ...looks, format: /** @type {Paper["format"]} */ (head.picture)};
}

/** @returns {Partial<Paper>} what the browser stores, if it stores anything */
function storedPaper() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Paper} paper */
function rememberPaper(paper) {
  ofPage = {page: head.page, ...looksOf(paper)};
  try {
    localStorage.setItem(STORAGE, JSON.stringify(Object.fromEntries(STORED.map((key) => [key, paper[key]]))));
  } catch {} // as above
}

/**
 * Fill a box with the choices for the file of a chart, and a button that saves it.
 * @param {HTMLElement} box
 * @param {(paper: Paper) => void} save
 */
export function addPictureForm(box, save) {
  const paper = lastChoices();
  addSelect(box, paper, "Format", "format", [["svg", "SVG"], ["png", "PNG, 300 dpi"], ["pdf", "PDF"]]);
  addSelect(box, paper, "Width", "widthMm", [[85, "85 mm"], [120, "120 mm"], [180, "180 mm"]]);
  addSelect(box, paper, "Font size", "typePt", [6, 7, 8, 9, 10, 11, 12].map((size) => [size, `${size} pt`]));
  const more = element("details", "dp-paper-more", box);
  element("summary", "", more).textContent = "More";
  addTick(more, paper, "Include title", "titled");
  addTick(more, paper, "Distinguishable in greyscale", "greySafe");
  addTick(more, paper, "Transparent background", "transparent");
  more.open = Object.entries(looksOf(paper)).some(([key, value]) => value !== looksOf(DEFAULTS)[/** @type {keyof typeof DEFAULTS} */ (key)]);
  addButton(box, "Save picture", () => {
    rememberPaper(paper);
    save(paper);
  }, "dp-entry-button");
}

/**
 * @param {HTMLElement} box
 * @param {Paper} paper
 * @param {string} name
 * @param {"format" | "widthMm" | "typePt"} key
 * @param {[value: string | number, name: string][]} choices
 */
function addSelect(box, paper, name, key, choices) {
  const label = element("label", "dp-row", box), select = element("select", "dp-select", label);
  label.prepend(name);
  for (const [value, text] of choices) element("option", "", select, {value}).textContent = text;
  select.value = String(paper[key]);
  select.onchange = () => Object.assign(paper, {[key]: typeof DEFAULTS[key] === "number" ? Number(select.value) : select.value});
  return label;
}

/**
 * @param {HTMLElement} box
 * @param {Paper} paper
 * @param {string} name
 * @param {"titled" | "greySafe" | "transparent"} key
 */
function addTick(box, paper, name, key) {
  const label = element("label", "dp-row dp-tick", box), tick = element("input", "", label, {type: "checkbox"});
  label.append(name);
  tick.checked = paper[key];
  tick.onchange = () => (paper[key] = tick.checked);
}
