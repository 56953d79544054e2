// Saved figures. A figure is drawn once more for its size on paper, in a font that goes with the file, out of sight;
// then margins grow until nothing is cut or overlaps (export_layout.js), and the drawing is written as SVG, PNG or PDF.
import {required} from "../browser/required.js";
import {cleanDrawing, verticalExtent, writeTextLengths} from "./export_clean.js";
import {base64, concatenate, creator, escapeXml, legalXml, shortNumber, svgElement, textWithoutTags, utf8} from "./export_encoding.js";
import {fitMargins, paperFigure, placeLabels} from "./export_layout.js";
import {pdfFile} from "./export_pdf.js";
import {FONT_FAMILIES, FONT_FAMILY, TYPE_SIZE} from "./export_style.js";
import {titleElements} from "./export_text.js";

/** @typedef {{data: any[], layout: any}} Figure */
/** @typedef {HTMLElement & {_fullLayout: any}} Plot a drawing of Plotly's, with the layout that it has computed */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{svg: SVGSVGElement, widthMm: number, heightMm: number, title: string}} Sheet */

/**
 * What the reader chooses of a file: its format, its size and type on paper, and its look.
 * @typedef {object} Paper
 * @property {"svg" | "png" | "pdf"} format
 * @property {number} widthMm
 * @property {number} typePt
 * @property {boolean} titled
 * @property {boolean} greySafe
 * @property {boolean} transparent
 */

/**
 * The metadata of a file, and the state of the chart.
 * @typedef {object} Origin
 * @property {string} name without ending
 * @property {string} alternative
 * @property {string} link
 * @property {string} version
 * @property {string} date as YYYY-MM-DD
 * @property {Uint8Array<ArrayBuffer>} font the bytes of figure_sans.ttf
 * @property {string[]} [hidden] groups of the legend to leave out
 * @property {Record<string, number[]>} [ranges] of axes, by name
 *
 * @typedef {Paper & Origin} Options
 */

const LEAST_WIDTH = 280; // px: the least width of a drawing at that type; on less paper the type gets smaller
const PNG_DPI = 300;

/**
 * Make a file of a figure in the figure's own colours, which should be those for a light ground.
 * @param {any} Plotly
 * @param {Figure} figure
 * @param {Options} options
 */
export async function pictureFile(Plotly, figure, options) {
  await loadFont(options.font);
  const host = document.createElement("div");
  host.style.cssText = "all:initial;position:fixed;left:-20000px;top:0"; // no style of the page reaches into it
  host.setAttribute("aria-hidden", "true");
  const holder = host.attachShadow({mode: "open"});
  holder.innerHTML = "<style>.main-svg {position: absolute; top: 0; left: 0}</style>"; // as Plotly's own style says
  document.body.append(host);
  try {
    const sheet = await drawSheet(Plotly, figure, options, holder);
    const blob = await {svg: svgFile, png: pngFile, pdf: pdfFile}[options.format](sheet, options);
    return {name: `${options.name}.${options.format}`, blob};
  } finally {
    host.remove();
  }
}

/** @type {FontFace | undefined} */
let fontFace;
/** @param {Uint8Array<ArrayBuffer>} bytes */
async function loadFont(bytes) {
  fontFace ??= await new FontFace(FONT_FAMILY, bytes).load();
  document.fonts.add(fontFace);
}

/**
 * Return the drawing as an SVG element in `holder`, and its width and height in mm.
 * @param {any} Plotly
 * @param {Figure} figure
 * @param {Options} options
 * @param {ShadowRoot} holder
 */
async function drawSheet(Plotly, figure, options, holder) {
  const paper = (options.widthMm / 25.4) * 96;
  const width = Math.max(LEAST_WIDTH, (paper * TYPE_SIZE * 0.75) / options.typePt);
  const paperPlot = paperFigure(figure, options, width);
  const plot = /** @type {Plot} */ (/** @type {HTMLElement} */ (document.createElement("div")));
  holder.append(plot);
  await Plotly.newPlot(plot, paperPlot.data, paperPlot.layout, {staticPlot: true});
  for (let round = 0; round < 4 && fitMargins(plot, paperPlot.layout); round++) await Plotly.react(plot, paperPlot.data, paperPlot.layout);
  for (let round = 0; !placeLabels(plot) && round < 3; round++) {
    paperPlot.layout.height += 80; // a note has no place: a taller picture has more
    await Plotly.react(plot, paperPlot.data, paperPlot.layout);
  }
  const svg = svgElement("svg", {"font-family": FONT_FAMILIES, "font-size": TYPE_SIZE, role: "img"});
  for (const layer of plot.querySelectorAll(".main-svg")) svg.append(...layer.cloneNode(true).childNodes);
  Plotly.purge(plot); // only now: it takes the drawing apart
  plot.remove();
  holder.append(svg);
  cleanDrawing(svg);
  const {top, bottom} = verticalExtent(svg, paperPlot.layout);
  const titles = options.titled ? titleElements(figure.layout, paperPlot.layout.font.color, width, top) : [];
  svg.append(...titles);
  const high = titles.length ? Math.min(...titles.map((line) => Number(line.getAttribute("y")) - 1.05 * Number(line.getAttribute("font-size")))) : top;
  const frame = [0, high, width, bottom - high].map(shortNumber);
  if (!options.transparent) svg.prepend(svgElement("rect", {x: frame[0], y: frame[1], width: frame[2], height: frame[3], fill: "#fff"}));
  const widthMm = options.widthMm, heightMm = (Number(frame[3]) * widthMm) / Number(frame[2]);
  svg.setAttribute("viewBox", frame.join(" "));
  svg.setAttribute("width", `${widthMm}mm`);
  svg.setAttribute("height", `${shortNumber(heightMm)}mm`);
  writeTextLengths(svg);
  return {svg, widthMm, heightMm, title: textWithoutTags(figure.layout.title?.text ?? options.name)};
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
function svgText(svg, title, {link, version, date, alternative, font}) {
  const whole = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const fields = {"dc:title": title, "dc:description": alternative, "dc:source": link, "dc:creator": creator(version), "dc:date": date};
  const facts = Object.entries(fields).map(([key, value]) => `<${key}>${escapeXml(value)}</${key}>`);
  const face = `@font-face{font-family:'${FONT_FAMILY}';src:url(data:font/ttf;base64,${base64(font)})}`;
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
