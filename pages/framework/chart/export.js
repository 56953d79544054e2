// Saved figures. A figure is drawn once more for its size on paper, in a font that goes with the file, out of sight;
// then whatever would be cut or overlap is given room (export_layout.js), and the drawing is written as SVG, PNG or PDF.
const SAVED_TYPE = 13; // px of the words of a figure on a page: theme.TYPE
const SAVED_LEAST = 280; // px: the least width of a drawing at that type; on less paper the type gets smaller
const SAVED_FAMILY = "Figure Sans";
const SAVED_FONTS = `'${SAVED_FAMILY}', 'Source Sans 3', Arial, Helvetica, 'Liberation Sans', sans-serif`;
const SAVED_DPI = 300;
const SAVED_SPACE = "http://www.w3.org/2000/svg";

// A file of a figure {data, layout}: `format` svg, png or pdf; `widthMm` and `typePt` on paper; `titled`, `greySafe` and
// `transparent` as the reader wants it; `link`, `version`, `date` (YYYY-MM-DD), `alternative` for its metadata; `name`
// without ending; `font` the bytes of figure_sans.ttf. The colours are those of the figure: give the light one. What the
// reader has done to it: `hidden`, groups of the legend to leave out, and `ranges` of axes by name.
async function savedPicture(Plotly, figure, asked) {
  await savedFont(asked.font);
  const host = document.createElement("div");
  host.style.cssText = "all:initial;position:fixed;left:-20000px;top:0"; // no style of the page reaches into it
  host.setAttribute("aria-hidden", "true");
  const holder = host.attachShadow({mode: "open"});
  holder.innerHTML = "<style>.main-svg {position: absolute; top: 0; left: 0}</style>"; // as Plotly's own style says
  document.body.append(host);
  try {
    const sheet = await savedSheet(Plotly, figure, asked, holder);
    const blob = await {svg: savedSvg, png: savedPng, pdf: savedPdf}[asked.format](sheet, asked);
    return {name: `${asked.name}.${asked.format}`, blob};
  } finally {
    host.remove();
  }
}

let savedFace;
async function savedFont(bytes) {
  savedFace ??= await new FontFace(SAVED_FAMILY, bytes).load();
  document.fonts.add(savedFace);
}

// The drawing as an SVG element in `holder`, and its width and height in mm.
async function savedSheet(Plotly, figure, asked, holder) {
  const paper = (asked.widthMm / 25.4) * 96;
  const width = Math.max(SAVED_LEAST, (paper * SAVED_TYPE * 0.75) / asked.typePt);
  const drawn = savedFigure(figure, asked, width);
  const plot = document.createElement("div");
  holder.append(plot);
  await Plotly.newPlot(plot, drawn.data, drawn.layout, {staticPlot: true});
  for (let round = 0; round < 4 && savedRoom(plot, drawn.layout); round++) await Plotly.react(plot, drawn.data, drawn.layout);
  for (let round = 0; !savedPlaces(plot) && round < 3; round++) {
    drawn.layout.height += 80; // a note has no place: a taller picture has more
    await Plotly.react(plot, drawn.data, drawn.layout);
  }
  const svg = savedElement("svg", {"font-family": SAVED_FONTS, "font-size": SAVED_TYPE, role: "img"});
  for (const layer of plot.querySelectorAll(".main-svg")) svg.append(...layer.cloneNode(true).childNodes);
  Plotly.purge(plot); // only now: it takes the drawing apart
  plot.remove();
  holder.append(svg);
  savedClean(svg);
  const {top, bottom} = savedExtent(svg, drawn.layout);
  const titles = asked.titled ? savedTitles(figure.layout, drawn.layout.font.color, width, top) : [];
  svg.append(...titles);
  const high = titles.length ? Math.min(...titles.map((each) => each.getAttribute("y") - 1.05 * each.getAttribute("font-size"))) : top;
  const frame = [0, high, width, bottom - high].map(savedNumber);
  if (!asked.transparent) svg.prepend(savedElement("rect", {x: frame[0], y: frame[1], width: frame[2], height: frame[3], fill: "#fff"}));
  const widthMm = asked.widthMm, heightMm = (frame[3] * widthMm) / frame[2];
  svg.setAttribute("viewBox", frame.join(" "));
  svg.setAttribute("width", `${widthMm}mm`);
  svg.setAttribute("height", `${savedNumber(heightMm)}mm`);
  savedLengths(svg);
  return {svg, widthMm, heightMm, title: savedPlain(figure.layout.title?.text ?? asked.name)};
}

// ------------------------------------------------------------------------------------------------------------- files

async function savedSvg({svg, title}, asked) {
  return new Blob([savedMarkup(svg, title, asked)], {type: "image/svg+xml"});
}

// The text of the SVG, with the font and what it is inside.
function savedMarkup(svg, title, {link, version, date, alternative, font}) {
  const whole = svg.cloneNode(true);
  const told = {"dc:title": title, "dc:description": alternative, "dc:source": link, "dc:creator": savedMaker(version), "dc:date": date};
  const facts = Object.entries(told).map(([key, value]) => `<${key}>${savedEscaped(value)}</${key}>`);
  const face = `@font-face{font-family:'${SAVED_FAMILY}';src:url(data:font/ttf;base64,${savedBase64(font)})}`;
  const style = savedElement("style");
  style.textContent = face;
  const [name, words] = [savedElement("title"), savedElement("desc")];
  [name.textContent, words.textContent] = [title, `${alternative} ${savedMaker(version)}, ${date}: ${link}`];
  whole.prepend(name, words, style);
  const space = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"';
  const metadata = `<metadata><rdf:RDF ${space}><rdf:Description rdf:about="">${facts.join("")}</rdf:Description></rdf:RDF></metadata>`;
  const text = savedXml(new XMLSerializer().serializeToString(whole));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replace("</desc>", () => `</desc>${metadata}`)}\n`;
}

async function savedPng(sheet, asked) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((sheet.widthMm / 25.4) * SAVED_DPI);
  canvas.height = Math.round((sheet.heightMm / 25.4) * SAVED_DPI);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(savedMarkup(sheet.svg, sheet.title, asked))}`;
  await image.decode();
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  await new Promise((resolve) => setTimeout(resolve, 30)); // Safari has the font of an image only at its second drawing
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return new Blob([savedMarkedPng(new Uint8Array(await blob.arrayBuffer()), sheet.title, asked)], {type: "image/png"});
}

// The PNG with its resolution and what it is, in chunks after its head (8 bytes of signature, 25 of IHDR).
function savedMarkedPng(bytes, title, {link, version, date, alternative}) {
  const perMetre = Math.round(SAVED_DPI / 0.0254);
  const resolution = new Uint8Array(9);
  new DataView(resolution.buffer).setUint32(0, perMetre);
  new DataView(resolution.buffer).setUint32(4, perMetre);
  resolution[8] = 1; // a metre
  const told = {Title: title, Description: alternative, Source: link, Software: savedMaker(version), "Creation Time": date};
  const words = Object.entries(told).map(([key, value]) => savedChunk("iTXt", savedUtf8(`${key}\0\0\0\0\0${value}`)));
  return savedJoined([bytes.subarray(0, 33), savedChunk("pHYs", resolution), ...words, bytes.subarray(33)]);
}

function savedChunk(type, data) {
  const body = savedJoined([savedUtf8(type), data]);
  const ends = new DataView(new ArrayBuffer(8));
  ends.setUint32(0, data.length);
  let rest = 0xffffffff;
  for (const byte of body) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  ends.setUint32(4, ~rest >>> 0);
  return savedJoined([new Uint8Array(ends.buffer, 0, 4), body, new Uint8Array(ends.buffer, 4)]);
}

// ------------------------------------------------------------------------------------------------------------- small

const savedMaker = (version) => `DP Trade-off Explorer ${version}`;
const savedNumber = (value) => String(Math.round(value * 100) / 100);
const savedUtf8 = (text) => new TextEncoder().encode(text);
// A name may have characters that no XML file holds, such as U+FFFF: one of them would make the whole file unreadable.
const savedXml = (text) => text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}");
const savedEscaped = (text) => savedXml(String(text)).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function savedElement(name, attributes = {}) {
  const element = document.createElementNS(SAVED_SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function savedJoined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) whole.set(part, at), (at += part.length);
  return whole;
}

function savedBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

// Plotly's few tags and entities taken out of a text: "a<br>b &lt; <b>c</b>" is "a b < c".
function savedPlain(text) {
  const field = document.createElement("textarea");
  field.innerHTML = String(text).replace(/<br\s*\/?>/gi, " ").replace(/<\/?(b|i|u|s|em|sub|sup|span|a)\b[^<>]*>/gi, "");
  return field.value.replace(/\u2060/g, "").trim();
}
