// What stands with a picture in a paper: its caption, and the lines of LaTeX that show it.
import {greyDashes, panelLetter, textWithoutTags} from "../chart/export_encoding.js";
import {isExplanation, sentencesOf} from "./in_sight.js";
import {texOf} from "./latex_table.js";

/** @typedef {{text?: string, subtitle?: {text?: string}, marks?: string, line?: string}} Title of a figure, and what its lines and marks mean */

const DASHES = /** @type {Record<string, string>} */ ({solid: "solid", dash: "dashed", dot: "dotted", dashdot: "dash-dotted", longdash: "long dashes", longdashdot: "long dashes and dots"});
const SYMBOLS = /** @type {Record<string, string>} */ ({circle: "points", "circle-open": "open circles", star: "star", "star-open": "open star", x: "crosses", "cross-thin-open": "plus signs", diamond: "diamonds", square: "squares"});

/**
 * Return a colour such as "#0060A0" in a word, "" for another text.
 * @param {unknown} colour
 */
function colourWord(colour) {
  if (!/^#[0-9a-f]{6}$/i.test(String(colour))) return "";
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(String(colour).slice(at, at + 2), 16)), most = Math.max(red, green, blue), range = most - Math.min(red, green, blue);
  if (range < 40) return most < 70 ? "black" : "grey";
  const turn = most === red ? ((green - blue) / range + 6) % 6 : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return ["red", "orange", "yellow", "green", "green", "green", "teal", "blue", "blue", "purple", "purple", "rose"][Math.round(turn * 2 - 0.1) % 12];
}

/**
 * Return the line style, mark or shading of each name of a legend and its colour, under a key that tells them apart. In
 * greyscale each line has a style of its own, as in the picture.
 * @param {any[]} data
 * @param {{hidden?: Set<string>, names?: Record<string, string>, isGrey?: boolean}} picture the groups that are left out, and other names
 * @returns {Map<string, {look: string, name: string, colour: string}>}
 */
export function legendLooks(data, {hidden = new Set(), names = {}, isGrey = false} = {}) {
  const looks = new Map(), drawn = data.filter(({legendgroup, name}) => !hidden.has(legendgroup ?? name)), dashes = greyDashes(drawn);
  for (const trace of drawn) {
    const {type = "scatter", mode = "lines", name, visible, showlegend, line, marker, fill} = trace;
    if (type !== "scatter" || !name || visible === false || showlegend === false) continue;
    const isLine = mode.includes("lines") && line?.width !== 0, isShaded = !isLine && fill && fill !== "none";
    const shown = (isGrey ? dashes.get(trace) : undefined) ?? (line?.dash || "solid");
    const look = isLine ? DASHES[shown] ?? (shown ? "short dashes" : "with marks") : isShaded ? "shaded" : !isGrey && mode.includes("markers") && SYMBOLS[marker?.symbol ?? "circle"];
    const text = textWithoutTags(names[name] ?? name), colour = isGrey ? "" : colourWord(isLine ? line?.color : marker?.color);
    if (look) looks.set([look, text, colour].join(), {look, name: text, colour});
  }
  return looks;
}

/**
 * Return which look stands for what, where they differ: "Solid: Laplace; dashed: Gaussian; star: ε." Lines of one style
 * have their colours beside their names.
 * @param {ReturnType<typeof legendLooks>} looks
 */
export function marksOf(looks) {
  const all = [...looks.values()], styles = new Set(all.map(({look}) => look));
  if (styles.size < 2) return "";
  const text = [...styles].map((style) => {
    const group = all.filter(({look}) => look === style), isMixed = new Set(group.map(({colour}) => colour)).size > 1;
    return `${style}: ${[...new Set(group.map(({name, colour}) => (isMixed && colour ? `${name} (${colour})` : name)))].join(", ")}`;
  }).join("; ");
  return text[0].toUpperCase() + text.slice(1);
}

/**
 * Return what the thin dashed line of the setting is, "Thin dashed line: α = 0.05", where a figure has one within its ends.
 * @param {any} layout
 * @param {Record<string, number[]>} [ranges] those that the picture has instead of the figure's
 */
export function settingLineOf({shapes = [], annotations = [], ...axes}, ranges = {}) {
  /** @param {any} shape */
  const isInside = ({x0, x1, y0, y1}) => [["xaxis", x0, x1], ["yaxis", y0, y1]].every(([key, start, end]) => {
    const place = axes[key]?.type === "log" ? Math.log10(start) : start, [low, high] = [...(ranges[key] ?? [])].sort((a, b) => a - b);
    return start !== end || !(place < low || place > high);
  });
  const names = new Set(shapes.filter((/** @type {any} */ shape) => shape.type === "line" && shape.name && isInside(shape)).map((/** @type {any} */ {name}) => name));
  const labels = annotations.filter((/** @type {any} */ {name, text}) => text && names.has(name)).map((/** @type {any} */ {text}) => textWithoutTags(text));
  return labels.length ? `Thin dashed line${labels.length > 1 ? "s" : ""}: ${labels.join(", ")}` : "";
}

const COLUMN_MM = 120; // a wider picture spans the columns of a paper that has two

/** @param {string} text */
const sentence = (text) => (text && !/[.!?:]$/.test(text) ? `${text}.` : text);

/**
 * Return the caption of a picture: the title and the subtitle of each of its panels, and what its lines and marks mean. A
 * title that all panels have stands once, before them. What explains a look in several panels stands once, after all of
 * them: "(a, b) Dotted: outside the theorem."
 * @param {Title[]} titles
 */
export function captionOf(titles) {
  const common = titles.length > 1 && titles.every(({text}) => text === titles[0].text) ? titles[0].text ?? "" : "";
  const panels = titles.map(({text = "", subtitle, marks = "", line = ""}) => [common ? "" : text, ...sentencesOf(subtitle?.text ?? ""), marks, line].map((part) => sentence(textWithoutTags(part))).filter(Boolean));
  const lettersOf = (/** @type {string} */ part) => [...panels.keys()].filter((place) => panels[place].includes(part)).map((place) => panelLetter(place, panels.length).slice(1, -2)).join(", ");
  const shared = [...new Set(panels.flat())].filter((part) => isExplanation(part) && lettersOf(part).includes(","));
  const own = panels.map((parts) => parts.filter((part) => !shared.includes(part)).join(" ")), isEmpty = own.every((part) => !part);
  const captions = isEmpty ? [] : own.map((part, place) => panelLetter(place, panels.length) + part);
  const owners = new Set(shared.map(lettersOf));
  return [...(common ? [sentence(textWithoutTags(common))] : []), ...captions, ...[...owners].map((letters) => `(${letters}) ${shared.filter((part) => lettersOf(part) === letters).join(" ")}`)].join(" ");
}

/**
 * Return the lines of LaTeX that show a picture at its size, with caption and label.
 * @param {{name: string, format: string, widthMm: number, caption: string, note: string, key: string}} picture `note` is the comment above it, and `key` that of its citation in BibTeX
 */
export function latexFigure({name, format, widthMm, caption, note, key}) {
  const file = `${name}.${format === "png" ? "png" : "pdf"}`; // LaTeX reads no SVG
  const kind = widthMm > COLUMN_MM ? "figure*" : "figure";
  const needs = `It needs \\usepackage{graphicx,url}${format === "svg" ? ", and the picture as PDF" : ""}.`;
  const lines = [
    `\\begin{${kind}}[htbp]`, "  \\centering", `  \\includegraphics[width=${widthMm}mm]{${file}}`, `  \\caption{${texOf(caption)}}`,
    `  \\label{fig:${name.replace(/[^0-9A-Za-z]+/g, "-")}}`, `\\end{${kind}}`,
  ];
  return `% ${note.replace(/\s+/g, " ")}\n% Cite it by \\cite{${key}}: “Share” has its BibTeX.\n% ${needs}\n${lines.join("\n")}\n`;
}
