// Saved figures. One figure or several are drawn once more for their size on paper, in a font that goes with the file
// (export_sheet.js), and the drawing is written as SVG, PNG or PDF.
import {required} from "../browser/required.js";
import {base64, concatenate, creator, escapeXml, legalXml, panelLetter, svgElement, utf8} from "./export_encoding.js";
import {pdfFile} from "./export_pdf.js";
import {drawSheet} from "./export_sheet.js";
import {familyOf} from "./export_style.js";

/** @typedef {{data: any[], layout: any}} Figure */
/** @typedef {HTMLElement & {_fullLayout: any}} Plot a drawing of Plotly's, with the layout that it has computed */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{svg: SVGSVGElement, widthMm: number, heightMm: number, columns: number, looks: any[], title: string}} Sheet */

/**
 * What the reader chooses of a file: its format, its size and type on paper, and its look.
 * @typedef {object} Paper
 * @property {"svg" | "png" | "pdf"} format
 * @property {number} widthMm
 * @property {number} heightMm 0 for the height that the figure has at this width
 * @property {number} typePt
 * @property {import("./export_style.js").Typeface} typeface
 * @property {"" | "row" | "column"} arrangement how several panels stand: side by side, below each other, or as many in a row as fit
 * @property {boolean} titled
 * @property {boolean} greySafe
 * @property {boolean} transparent
 */

/**
 * A figure with the state of its chart: what of the legend is left out, the ranges of axes, other names for curves, by
 * name, and another subtitle. `letter` stands before its title, "" where it is alone.
 * @typedef {{figure: Figure, letter: string, hidden?: string[], ranges?: Record<string, number[]>, names?: Record<string, string>, subtitle?: string}} Panel
 */

/**
 * The metadata of a file.
 * @typedef {object} Origin
 * @property {string} alternative
 * @property {string} link
 * @property {string} version
 * @property {string} date as YYYY-MM-DD
 * @property {Uint8Array<ArrayBuffer>} font the bytes of the typeface: figure_sans.ttf, figure_serif.ttf or figure_modern.ttf
 *
 * @typedef {Paper & Origin} Options
 */

const PNG_DPI = 300;

/**
 * Make a file of figures in their own colours, which should be those for a light ground; several become panels (a), (b), …
 * Return it, and the height, the columns and the looks of the drawing.
 * @param {any} Plotly
 * @param {Omit<Panel, "letter">[]} figures
 * @param {Options} options
 */
export async function pictureFile(Plotly, figures, options) {
  await loadFont(options);
  const host = document.createElement("div");
  host.style.cssText = "all:initial;text-rendering:geometricPrecision;position:fixed;left:-20000px;top:0"; // no style of the page reaches into it
  host.setAttribute("aria-hidden", "true");
  const holder = host.attachShadow({mode: "open"});
  holder.innerHTML = "<style>.main-svg {position: absolute; top: 0; left: 0}</style>"; // as Plotly's own style says
  document.body.append(host);
  try {
    const panels = figures.map((figure, place) => ({...figure, letter: panelLetter(place, figures.length)}));
    const sheet = await drawSheet(Plotly, panels, options, holder);
    const blob = await {svg: svgFile, png: pngFile, pdf: pdfFile}[options.format](sheet, options);
    return {blob, heightMm: sheet.heightMm, columns: sheet.columns, looks: sheet.looks};
  } finally {
    host.remove();
  }
}

/** @type {Map<string, FontFace>} those that are loaded, by their families */
const fontFaces = new Map();
/** @param {Options} options */
async function loadFont({typeface, font}) {
  const family = familyOf(typeface), face = fontFaces.get(family) ?? (await new FontFace(family, font).load());
  fontFaces.set(family, face);
  document.fonts.add(face);
}

// ------------------------------------------------------------------------------------------------------------- files

/**
 * @param {Sheet} sheet
 * @param {Options} options
 */
async function svgFile({svg, title}, options) {
  return new Blob([svgText(svg, title, options)], {type: "image/svg+xml"});
}

/**
 * Return the text of the SVG, which holds its font and its metadata.
 * @param {SVGSVGElement} svg
 * @param {string} title
 * @param {Options} options
 */
function svgText(svg, title, {link, version, date, alternative, typeface, font}) {
  const whole = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const fields = {"dc:title": title, "dc:description": alternative, "dc:source": link, "dc:creator": creator(version), "dc:date": date};
  const facts = Object.entries(fields).map(([key, value]) => `<${key}>${escapeXml(value)}</${key}>`);
  const face = `@font-face{font-family:'${familyOf(typeface)}';src:url(data:font/ttf;base64,${base64(font)})}`;
  const style = svgElement("style");
  style.textContent = face;
  const [name, words] = [svgElement("title"), svgElement("desc")];
  [name.textContent, words.textContent] = [title, `${alternative} ${creator(version)}, ${date}: ${link}`];
  whole.prepend(name, words, style);
  const space = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"';
  const metadata = `<metadata><rdf:RDF ${space}><rdf:Description rdf:about="">${facts.join("")}</rdf:Description></rdf:RDF></metadata>`;
  const text = legalXml(new XMLSerializer().serializeToString(whole));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replace("</desc>", () => `</desc>${metadata}`)}\n`;
}

/**
 * @param {Sheet} sheet
 * @param {Options} options
 */
async function pngFile(sheet, options) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((sheet.widthMm / 25.4) * PNG_DPI);
  canvas.height = Math.round((sheet.heightMm / 25.4) * PNG_DPI);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(sheet.svg, sheet.title, options))}`;
  await image.decode();
  const context = required(canvas.getContext("2d"));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  await new Promise((resolve) => setTimeout(resolve, 30)); // Safari has the font of an image only at its second drawing
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return new Blob([pngWithMetadata(new Uint8Array(await blob.arrayBuffer()), sheet.title, options)], {type: "image/png"});
}

/**
 * Return the PNG with its resolution and metadata, in chunks after its head (8 bytes of signature, 25 of IHDR).
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} title
 * @param {Options} options
 */
function pngWithMetadata(bytes, title, {link, version, date, alternative}) {
  const perMetre = Math.round(PNG_DPI / 0.0254);
  const resolution = new Uint8Array(9);
  new DataView(resolution.buffer).setUint32(0, perMetre);
  new DataView(resolution.buffer).setUint32(4, perMetre);
  resolution[8] = 1; // a metre
  const fields = {Title: title, Description: alternative, Source: link, Software: creator(version), "Creation Time": date};
  const words = Object.entries(fields).map(([key, value]) => pngChunk("iTXt", utf8(`${key}\0\0\0\0\0${value}`)));
  return concatenate([bytes.subarray(0, 33), pngChunk("pHYs", resolution), ...words, bytes.subarray(33)]);
}

/**
 * @param {string} type
 * @param {Uint8Array<ArrayBuffer>} data
 */
function pngChunk(type, data) {
  const body = concatenate([utf8(type), data]);
  const ends = new DataView(new ArrayBuffer(8));
  ends.setUint32(0, data.length);
  let checksum = 0xffffffff;
  for (const byte of body) {
    checksum ^= byte;
    for (let bit = 0; bit < 8; bit++) checksum = (checksum >>> 1) ^ (checksum & 1 ? 0xedb88320 : 0);
  }
  ends.setUint32(4, ~checksum >>> 0);
  return concatenate([new Uint8Array(ends.buffer, 0, 4), body, new Uint8Array(ends.buffer, 4)]);
}
