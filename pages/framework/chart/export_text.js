// Saved figures: where words stand, and how they break into lines.
import {required} from "../browser/required.js";
import {shortNumber, svgElement, textWithoutTags} from "./export_encoding.js";
import {EDGE, FONT_ALLOWANCE, GAP, ruler, TITLE_SCALE, TYPE_SIZE} from "./export_style.js";

/** @typedef {import("./export.js").Box} Box */
/** @typedef {import("./export.js").Plot} Plot */

/**
 * List the visible texts: what moves with each, its box in px, and its kind (fixed, legend, note or mark).
 * @param {Plot} plot
 */
export function visibleTexts(plot) {
  const kinds = {".legend": "legend", ".annotation": "note", ".textpoint": "mark", ".bartext": "mark"};
  const words = [];
  for (const text of plot.querySelectorAll(".main-svg text")) {
    const box = boxIn(plot, text);
    if (box.right - box.left < 0.5) continue;
    const [key, kind] = Object.entries(kinds).find(([selector]) => text.closest(selector)) ?? ["text", "fixed"];
    const node = required(text.closest(key));
    words.push({node, box, kind: kind === "note" && node.querySelector(".annotation-arrow-g") ? "fixed" : kind});
  }
  return words;
}

/**
 * @param {Element} root
 * @param {Element} node
 * @returns {Box}
 */
export function boxIn(root, node) {
  const [box, zero] = [node.getBoundingClientRect(), root.getBoundingClientRect()];
  return {left: box.left - zero.left, right: box.right - zero.left, top: box.top - zero.top, bottom: box.bottom - zero.top};
}

/**
 * @param {Element} node
 * @param {number} dx
 * @param {number} dy
 */
export function moveNode(node, dx, dy) {
  node.setAttribute("transform", `translate(${shortNumber(dx)},${shortNumber(dy)})${node.getAttribute("transform") ?? ""}`);
}

/**
 * Return a text in lines that are at most `width` px long in the figure's font, broken at its spaces but not around a sign of
 * relation or before a unit: "ε = 1" and "5 %" stay whole.
 * @param {string} text
 * @param {number} size
 * @param {number} width
 * @param {string} families
 */
export function wrapText(text, size, width, families) {
  ruler.font = `${size}px ${families}`;
  const lines = [];
  for (const part of String(text).split(/<br\s*\/?>/i)) {
    const words = part.replace(/ ([=≈<>≤≥]) /g, "\u00a0$1\u00a0").replace(/(\d) (?=[%×])/g, "$1\u00a0").split(/ (?![^<]*>)/);
    let line = words.shift() ?? "";
    for (const word of words) {
      if (ruler.measureText(textWithoutTags(`${line} ${word}`)).width <= width) line += ` ${word}`;
      else lines.push(line), (line = word);
    }
    lines.push(line);
  }
  return lines;
}

/** @typedef {{text: string, subtitle: string}} Head the words above a drawing */

/**
 * @param {Head} head
 * @param {number} width
 * @param {string} families
 */
function headLines({text, subtitle}, width, families) {
  /** @type {(words: string, size: number) => {line: string, size: number}[]} */
  const lines = (words, size) => (words ? wrapText(textWithoutTags(words), size, (width - 2 * EDGE) / FONT_ALLOWANCE, families).map((line) => ({line, size})) : []);
  return [...lines(text, TYPE_SIZE * TITLE_SCALE), ...lines(subtitle, TYPE_SIZE)];
}

/**
 * Return how much room the words above a drawing take, in px.
 * @param {Head} head
 * @param {number} width
 * @param {string} families
 */
export function titleHeight(head, width, families) {
  const sizes = headLines(head, width, families).map(({size}) => size);
  return sizes.length ? GAP + sizes.reduce((sum, size) => sum + 1.3 * size, 0.08 * sizes[0]) : 0;
}

/**
 * Return the title and subtitle as elements above the height `top`.
 * @param {Head} head
 * @param {string | undefined} colour
 * @param {number} width
 * @param {number} top
 * @param {string} families
 */
export function titleElements(head, colour, width, top, families) {
  const every = headLines(head, width, families);
  let y = top - GAP - every.reduce((sum, {size}) => sum + 1.3 * size, 0);
  return every.map(({line, size}) => {
    y += 1.3 * size;
    const text = svgElement("text", {x: EDGE, y: shortNumber(y - 0.33 * size), "font-size": size, fill: colour ?? "#000"});
    text.textContent = line;
    return text;
  });
}
