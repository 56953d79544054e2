// The file of a chart, and the script that makes it, which is loaded for the first file.
import {baseAddress} from "./citation.js";
import {saveFile, today} from "./downloads.js";
import {head} from "./page_state.js";
import {addPictureForm, DEFAULTS} from "./picture_form.js";
import {required} from "./required.js";
import {send} from "./transport.js";

/** @typedef {import("./types").PartView} PartView */
/** @typedef {import("../chart/export.js").Paper} Paper */

/** @type {Promise<typeof import("../chart/export.js")> | null} */
let script = null;

/** @type {Uint8Array<ArrayBuffer> | null} */
let font = null;

/** @type {Omit<import("../chart/export.js").Options, "name" | "link" | "version" | "date" | "font"> | null} The options with which the next picture is saved. */
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
  addPictureForm(box, (paper) => {
    requestPicture(view, paper);
    close();
  });
}

/**
 * @param {PartView} view
 * @param {Paper} paper
 */
function requestPicture(view, paper) {
  const part = required(view.part), chart = required(view.chart);
  options = {...paper, alternative: part.alt, hidden: [...chart.hidden], ranges: fixedRanges(chart)};
  const set = paper.format === head.picture ? {} : {set: {picture: paper.format}};
  send({chart: part.name, script: !script, how: "replace", ...set});
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
  const metadata = {name: part.file, link: `${baseAddress()}${head.link}`, version: head.version, date: today(), font: required(font)};
  const {name, blob} = await pictureFile(globalThis.Plotly, part.figure, {...paper, ...metadata});
  saveFile(name, blob);
}
