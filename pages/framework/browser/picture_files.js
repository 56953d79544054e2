// The file of a chart: the author's choices, and the script that makes it, which is loaded for the first file.
import {addButton} from "./buttons.js";
import {baseAddress} from "./citation.js";
import {element} from "./dom.js";
import {saveFile, today} from "./downloads.js";
import {head} from "./page_state.js";
import {required} from "./required.js";
import {send} from "./transport.js";

/** @typedef {import("./types").PartView} PartView */

const STORAGE = "dp_paper"; // the browser remembers the choices under this name
const DEFAULTS = {format: /** @type {import("../chart/export.js").Options["format"]} */ ("svg"), widthMm: 180, typePt: 8, titled: true, greySafe: false, transparent: false};

/** @type {Promise<typeof import("../chart/export.js")> | null} */
let script = null;

/** @type {Uint8Array<ArrayBuffer> | null} */
let font = null;

/** @type {Omit<import("../chart/export.js").Options, "link" | "version" | "date" | "font"> | null} The options with which the next picture is saved. */
let options = null;

/** @param {Uint8Array<ArrayBuffer>} bytes */
export function takeScript(bytes) {
  script = import(URL.createObjectURL(new Blob([bytes], {type: "text/javascript"})));
}

/** Resolved when the script and the font are there. */
const loaded = Promise.withResolvers();

/** @param {Uint8Array<ArrayBuffer>} bytes */
export function takeFont(bytes) {
  font = bytes;
  loaded.resolve(null);
}

/**
 * Return the picture of a chart for a file of the whole page, which has the title and the link: the text of an SVG, or
 * the address `data:` of a PNG.
 * @param {import("./types").Part} part
 * @param {"svg" | "png"} format
 */
export async function drawnPicture(part, format) {
  if (!script) send({script: true, how: "none"});
  await loaded.promise;
  const {pictureFile} = await required(script), paper = {...DEFAULTS, format, titled: false};
  const metadata = {name: required(part.name), alternative: part.alt, link: "", version: head.version, date: today(), font: required(font)};
  const {blob} = await pictureFile(globalThis.Plotly, part.figure, {...paper, ...metadata});
  return format === "svg" ? blob.text() : dataAddress(blob);
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
const dataAddress = (blob) => new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.readAsDataURL(blob);
});

/**
 * Fill a box with the choices for the file of a chart, and a button that saves it.
 * @param {HTMLElement} box
 * @param {PartView} view
 * @param {() => void} close
 */
export function showPictureForm(box, view, close) {
  const paper = {...DEFAULTS, ...rememberedPaper(), format: head.picture};
  box.replaceChildren();
  if (view.part?.confidential) element("p", "dp-confidential", box).textContent = view.part.confidential;
  /** @type {(name: string, key: "format" | "widthMm" | "typePt", options: [string | number, string][]) => void} */
  const addSelect = (name, key, choices) => {
    const label = element("label", "dp-row", box), select = element("select", "dp-select", label);
    label.prepend(name);
    for (const [value, text] of choices) element("option", "", select, {value}).textContent = text;
    select.value = String(paper[key]);
    select.onchange = () => Object.assign(paper, {[key]: key === "format" ? select.value : Number(select.value)});
  };
  addSelect("Format", "format", [["svg", "SVG"], ["png", "PNG, 300 dpi"], ["pdf", "PDF"]]);
  addSelect("Width", "widthMm", [[85, "85 mm"], [120, "120 mm"], [180, "180 mm"]]);
  addSelect("Font size", "typePt", [6, 7, 8, 9, 10, 11, 12].map((size) => [size, `${size} pt`]));
  /** @type {["titled" | "greySafe" | "transparent", string][]} */
  const ticks = [["titled", "Include title"], ["greySafe", "Distinguishable in greyscale"], ["transparent", "Transparent background"]];
  for (const [key, name] of ticks) {
    const label = element("label", "dp-row dp-tick", box), tick = element("input", "", label, {type: "checkbox"});
    label.append(name);
    tick.checked = paper[key];
    tick.onchange = () => (paper[key] = tick.checked);
  }
  addButton(box, "Save", () => {
    rememberPaper(paper);
    requestPicture(view, paper);
    close();
  }, "dp-entry-button");
  box.querySelector("select")?.focus();
}

/**
 * @param {PartView} view
 * @param {typeof DEFAULTS} paper
 */
function requestPicture(view, paper) {
  const part = required(view.part), chart = required(view.chart);
  options = {...paper, name: required(part.name), alternative: part.alt, hidden: [...chart.hidden], ranges: fixedRanges(chart)};
  const set = paper.format === head.picture ? {} : {set: {picture: paper.format}};
  send({chart: part.name, script: !script, how: "replace", ...set});
}

/** Return the stored choices of the last file, if the browser stores any. */
function rememberedPaper() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {typeof DEFAULTS} paper */
function rememberPaper(paper) {
  try {
    localStorage.setItem(STORAGE, JSON.stringify(paper));
  } catch {} // as above
}

/**
 * Return the ranges of the axes that are fixed, by their figure or by a zoom.
 * @param {import("../chart/chart.js").Chart} chart
 */
function fixedRanges({plot}) {
  const axes = Object.entries(plot._fullLayout ?? {}).filter(([key, axis]) => /^[xy]axis\d*$/.test(key) && axis.autorange === false);
  return Object.fromEntries(axes.map(([key, axis]) => [key, [...axis.range]]));
}

/**
 * Save the file of a chart in the colours of paper, if one was requested.
 * @param {import("./types").Part} part
 */
export async function savePicture(part) {
  const {pictureFile} = await required(script), paper = options;
  if (!paper) return;
  options = null;
  const metadata = {link: `${baseAddress()}${head.link}`, version: head.version, date: today(), font: required(font)};
  const {name, blob} = await pictureFile(globalThis.Plotly, part.figure, {...paper, ...metadata});
  saveFile(name, blob);
}
