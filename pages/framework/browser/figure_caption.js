// What stands with a picture in a paper: its caption, and the lines of LaTeX that show it.
import {panelLetter, textWithoutTags} from "../chart/export_encoding.js";
import {texOf} from "./latex_table.js";

/** @typedef {{text?: string, subtitle?: {text?: string}}} Title of a figure */

/** @param {string} text */
const sentence = (text) => (text && !/[.!?:]$/.test(text) ? `${text}.` : text);

/**
 * Return the caption of a picture: the title and the subtitle of each of its panels, which say what its marks mean.
 * @param {Title[]} titles
 */
export function captionOf(titles) {
  const captions = titles.map(({text = "", subtitle}) => [text, subtitle?.text ?? ""].map((line) => sentence(textWithoutTags(line))).filter(Boolean).join(" "));
  return captions.map((caption, place) => panelLetter(place, captions.length) + caption).join(" ");
}

/**
 * Return a caption as LaTeX, with its powers of ten as such.
 * @param {string} caption
 */
const texCaption = (caption) =>
  texOf(caption).replace(/(?<![\w.])(\d+(?:\.\d+)?)e(-?\d+)(?!\w)/g, (_, digits, power) => `$${digits === "1" ? "" : `${digits}\\cdot `}10^{${power}}$`);

/**
 * Return the lines of LaTeX that show a picture at its size, with caption and label.
 * @param {{name: string, format: string, widthMm: number, caption: string, note: string}} picture `note` is the comment above it
 */
export function latexFigure({name, format, widthMm, caption, note}) {
  const file = `${name}.${format === "png" ? "png" : "pdf"}`; // LaTeX reads no SVG
  const needs = `It needs \\usepackage{graphicx}${format === "svg" ? ", and the picture as PDF" : ""}.`;
  const lines = [
    "\\begin{figure}[htbp]", "  \\centering", `  \\includegraphics[width=${widthMm}mm]{${file}}`, `  \\caption{${texCaption(caption)}}`,
    `  \\label{fig:${name.replace(/[^0-9A-Za-z]+/g, "-")}}`, "\\end{figure}",
  ];
  return `% ${note.replace(/\s+/g, " ")}\n% ${needs}\n${lines.join("\n")}\n`;
}
