// The file of a chart, and the script that makes it, which is loaded for the first file.
import {baseAddress} from "./citation.js";
import {addCopyButton} from "./clipboard.js";
import {stage} from "./current_stage.js";
import {element} from "./dom.js";
import {saveFile, saveText, today} from "./downloads.js";
import {head} from "./page_state.js";
import {addPictureForm, captionOfViews, DEFAULTS, fileName} from "./picture_form.js";
import {panelLetter} from "../chart/export_encoding.js";
import {required} from "./required.js";
import {send} from "./transport.js";

/** @typedef {import("./types").PartView} PartView */
/** @typedef {import("../chart/export.js").Panel} Panel */
/** @typedef {import("../chart/export.js").Paper} Paper */

/** @type {Promise<typeof import("../chart/export.js")> | null} */
let script = null;

/** @type {Map<string, PromiseWithResolvers<Uint8Array<ArrayBuffer>>>} The fonts that are awaited or there, by typeface. */
const fonts = new Map();

/** @type {Set<string>} The typefaces whose fonts are there. */
const fontsHere = new Set();

/** @type {{paper: Paper, views: PartView[], figures: Map<string, Omit<Panel, "letter">>, files: Map<string, string>, isProgram: boolean} | null} The next picture, or the program that draws it: its panels as they are on the page, and those that have come. */
let request = null;

/** @type {PartView | null} The chart whose program was requested last. */
let plotted = null;

/** @param {Uint8Array<ArrayBuffer>} bytes */
export function takeScript(bytes) {
  script = import(URL.createObjectURL(new Blob([bytes], {type: "text/javascript"})));
}

/** @type {(typeface: string, bytes: Uint8Array<ArrayBuffer>) => void} */
export function takeFont(typeface, bytes) {
  fontsHere.add(typeface);
  requestedFont(typeface).resolve(bytes);
}

/** @param {string} typeface */
function requestedFont(typeface) {
  if (!fonts.has(typeface)) fonts.set(typeface, Promise.withResolvers());
  return required(fonts.get(typeface));
}

/**
 * Return the part of a request by which what is not there yet is sent: the script and a font.
 * @param {string} typeface
 */
function missingTools(typeface) {
  return {script: !script, ...(fontsHere.has(typeface) ? {} : {font: typeface})};
}

/**
 * Return the picture of a chart for a file of the whole page, which has the title and the link: the text of an SVG, or
 * the address `data:` of a PNG.
 * @param {import("./types").Part} part
 * @param {"svg" | "png"} format
 */
export async function drawnPicture(part, format) {
  const tools = missingTools(DEFAULTS.typeface), paper = {...DEFAULTS, format, titled: false};
  if (tools.script || tools.font) send({...tools, how: "none"});
  const font = await requestedFont(paper.typeface).promise, {pictureFile} = await required(script);
  const metadata = {name: required(part.name), alternative: part.alt, link: "", version: head.version, date: today(), font};
  const {blob} = await pictureFile(globalThis.Plotly, [{figure: part.figure}], {...paper, ...metadata});
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
 * Fill a box with the choices for the file of a chart, and a button that saves it; return what gives its panels.
 * @param {HTMLElement} box
 * @param {PartView} view
 * @param {() => void} close
 */
export function showPictureForm(box, view, close) {
  const savePlot = (/** @type {Paper} */ paper, /** @type {PartView[]} */ views) => {
    plotted = view;
    requestPicture({...paper, format: "svg"}, views, true);
    close();
  };
  return addPictureForm(box, view, chartsOfPage(), requestPicture, savePlot);
}

/**
 * Return the names of the panels of a picture, one a line.
 * @param {PartView[]} views
 */
export const namesOf = (views) => views.map(({part}) => required(required(part).name)).join("\n");

/** Return the charts of the page, in the order in which they stand there. */
function chartsOfPage() {
  const views = [...stage.parts.values()].filter(({chart, part}) => chart && part);
  return views.sort((a, b) => (a.node.compareDocumentPosition(b.node) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

/**
 * @param {Paper} paper
 * @param {PartView[]} views the panels
 * @param {boolean} [isProgram] whether the picture is drawn for the program that draws it elsewhere
 */
function requestPicture(paper, views, isProgram = false) {
  const names = views.map(({part}) => required(required(part).name));
  const figures = new Map(views.map(({chart, labels}, place) => {
    const {hidden, ranges, heading, names: given} = labels, panel = {hidden: [...required(chart).hidden, ...hidden], ranges: {...fixedRanges(required(chart)), ...ranges}, subtitle: heading, names: given};
    return [names[place], {figure: {data: [], layout: {}}, ...panel}];
  }));
  request = {paper, views, figures, files: new Map(), isProgram};
  const set = isProgram || paper.format === head.picture ? {} : {set: {picture: paper.format}};
  send({chart: names, ...missingTools(paper.typeface), how: isProgram ? "none" : "replace", ...set});
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
 * Take a chart in the colours of paper, and save the file for which it was requested once all of its panels are there, or
 * request the program that draws it as high and with the same looks.
 * @param {import("./types").Part} part
 */
export async function savePicture(part) {
  const panel = request?.figures.get(part.name ?? "");
  if (!request || !panel) return;
  const {paper, views, figures, files, isProgram} = request;
  panel.figure = part.figure;
  files.set(required(part.name), part.file);
  if (files.size < figures.size) return;
  request = null;
  const font = await requestedFont(paper.typeface).promise, {pictureFile} = await required(script);
  const parts = views.map((view) => required(view.part)), alternatives = parts.map(({alt}, place) => panelLetter(place, parts.length) + alt);
  const name = fileName([...figures.keys()].map((key) => required(files.get(key))));
  const origin = {name, alternative: alternatives.join(" "), link: `${baseAddress()}${head.link}`, version: head.version, date: today(), font};
  const {blob, heightMm, columns, looks} = await pictureFile(globalThis.Plotly, [...figures.values()], {...paper, ...origin});
  if (isProgram) {
    const {widthMm, typePt, titled} = paper;
    return send({plot: namesOf(views), at: baseAddress(), paper: {widthMm, heightMm: Math.round(100 * heightMm) / 100, typePt, titled, columns, looks}});
  }
  saveFile(`${name}.${paper.format}`, blob);
  const isHigher = paper.heightMm > 0 && heightMm > paper.heightMm + 0.5;
  showNote(views[0], isHigher ? `Its words need more room: the picture is ${Math.ceil(heightMm)} mm high.` : "", paper.titled ? "" : captionOfViews(views, paper));
}

/**
 * Save the program that draws a chart with matplotlib, if its kind of chart has one; that of several panels with their CSV.
 * @param {import("./downloads.js").TextOrZip} program
 */
export function savePlotProgram(program) {
  const hasProgram = Boolean(program.text || program.zip), source = program.zip ? "each CSV in the zip" : `${program.file.replace(/py$/, "csv")}, which “Numbers as CSV” saves`;
  if (hasProgram) saveText(program);
  if (plotted) showNote(plotted, hasProgram ? `It draws ${source}. Its line WIDTH, HEIGHT, TYPE has the size.` : "There is no script for this kind of chart: only for lines, points and bars on one pair of axes.");
}

/**
 * Say something of a file below its chart; an empty text removes what was said.
 * @param {PartView} view
 * @param {string} sentence
 * @param {string} [caption] what a picture without title leaves to its caption
 */
function showNote(view, sentence, caption = "") {
  view.fileNote ??= element("div", "dp-done dp-file-note", view.node, {role: "status"});
  view.fileNote.replaceChildren();
  view.fileNote.hidden = !sentence && !caption;
  if (sentence) element("p", "", view.fileNote).textContent = sentence;
  if (!caption) return;
  element("p", "", view.fileNote).textContent = `Its caption: ${caption}`;
  addCopyButton(view.fileNote, "Copy caption", () => caption, "The caption is copied.");
}
