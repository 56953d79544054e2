// Saved figures: the drawing that Plotly made, as an SVG that every program reads.
import {shortNumber} from "./export_encoding.js";
import {EDGE} from "./export_style.js";
import {boxIn} from "./export_text.js";

/**
 * Return how far the drawing extends up and down: its words, its legend and the plot itself.
 * @param {Element} drawing
 * @param {{t: number, h: number}} plot its upper edge and its height
 */
export function verticalExtent(drawing, {t, h}) {
  const boxes = [...drawing.querySelectorAll("text, g.legend path")].map((node) => boxIn(drawing, node)).filter(({left, right}) => right > left);
  return {
    top: Math.min(t, ...boxes.map(({top}) => top)) - EDGE,
    bottom: Math.max(t + h, ...boxes.map(({bottom}) => bottom)) + EDGE,
  };
}

const DEFAULT_ATTRIBUTES = {
  "fill-opacity": "1", "stroke-opacity": "1", opacity: "1", "stroke-dasharray": "none", "font-weight": "normal", "font-style": "normal",
};
const STRAIGHT_LINE = /^M[-\d.]+,[-\d.]+[hv][-\d.]+$/; // it has no area, but some programs draw a filled one as a thin black line
const PAGE_ATTRIBUTES = /^(data-|style|pointer-events|vector-effect|font-family|xml:)/; // attributes
const STYLE_ATTRIBUTES = [
  ...Object.keys(DEFAULT_ATTRIBUTES), "fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap", "stroke-miterlimit",
  "font-size", "text-anchor", "baseline-shift", "display", "visibility", "clip-path", "image-rendering",
];

/**
 * Remove what only a page needs, and turn styles into attributes, which every program reads.
 * @param {SVGSVGElement} svg
 */
export function cleanDrawing(svg) {
  const pageParts = ".draglayer, .drag, .zoomlayer, .hoverlayer, .selectionlayer, .modebar-container, .legendtoggle, .scrollbar";
  for (const node of svg.querySelectorAll(pageParts)) node.remove();
  for (const node of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll("*"))) {
    const style = STYLE_ATTRIBUTES.map((key) => [key, node.style.getPropertyValue(key)]).filter(([, value]) => value);
    for (const {name} of [...node.attributes]) if (PAGE_ATTRIBUTES.test(name)) node.removeAttribute(name);
    for (const [key, value] of style) node.setAttribute(key, value.replace(/["']/g, "").replace(/([\d.]+)px/g, "$1"));
    for (const [key, value] of Object.entries(DEFAULT_ATTRIBUTES)) if (node.getAttribute(key) === value) node.removeAttribute(key);
    const transform = node.getAttribute("transform");
    if (transform) node.setAttribute("transform", transform.replace(/\d+\.\d{3,}/g, (digits) => shortNumber(Number(digits))));
  }
  for (const node of svg.querySelectorAll("path:not([fill])")) if (STRAIGHT_LINE.test(node.getAttribute("d") ?? "")) node.setAttribute("fill", "none");
  for (const node of svg.querySelectorAll("rect, path")) if (isInvisible(node)) node.remove();
  for (const text of svg.querySelectorAll("text")) trimSpaces(text);
  const values = [...svg.querySelectorAll("*")].flatMap((node) => [...node.attributes].map(({value}) => value));
  const used = new Set(values.map((value) => value.match(/^url\(#([^)]+)\)/)?.[1]));
  for (const node of svg.querySelectorAll("clipPath, linearGradient, pattern")) if (!used.has(node.id)) node.remove();
  for (let empty; (empty = svg.querySelectorAll("g:empty, defs:empty, text:empty")).length; ) for (const node of empty) node.remove();
}

/**
 * Remove the spaces of a text that are not visible, and the characters that only keep lines together.
 * @param {Element} text
 */
function trimSpaces(text) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const nodes = [];
  while (walker.nextNode()) nodes.push(/** @type {Text} */ (walker.currentNode));
  for (const node of nodes) node.data = node.data.replace(/[\u2060\u200b]/g, "").replace(/[ \t\r\n]+/g, " ");
  if (nodes.length) nodes[0].data = nodes[0].data.trimStart();
  const last = nodes.at(-1);
  if (last) last.data = last.data.trimEnd();
}

/** @param {Element} node */
function isInvisible(node) {
  if (node.closest("clipPath, defs")) return false;
  /** @param {string} key */
  const without = (key) => node.getAttribute(key) === "none" || Number(node.getAttribute(`${key}-opacity`) ?? 1) === 0;
  const stroked = node.hasAttribute("stroke") && !without("stroke") && Number(node.getAttribute("stroke-width") ?? 1) > 0;
  return node.getAttribute("opacity") === "0" || (without("fill") && !stroked);
}

/**
 * Write the length of each line of text, so that a program with another font sets it as long.
 * @param {SVGSVGElement} svg
 */
export function writeTextLengths(svg) {
  for (const text of svg.querySelectorAll("text")) {
    const lines = /** @type {NodeListOf<SVGTextContentElement>} */ (text.querySelectorAll("tspan.line"));
    for (const line of lines.length ? lines : [text]) {
      const length = line.getComputedTextLength();
      if (length > 0) line.setAttribute("textLength", shortNumber(length)), line.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
  for (const node of svg.querySelectorAll("[class]")) node.removeAttribute("class");
}
