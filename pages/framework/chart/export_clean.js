// Saved figures: the drawing that Plotly made, as an SVG that every program reads.

// How far the drawing reaches up and down: its words, its legend and the plot itself.
function savedExtent(svg, {margin, height}) {
  const boxes = [...svg.querySelectorAll("text, g.legend")].map((node) => savedBox(svg, node)).filter(({left, right}) => right > left);
  return {
    top: Math.min(margin.t, ...boxes.map(({top}) => top)) - SAVED_EDGE,
    bottom: Math.max(height - margin.b, ...boxes.map(({bottom}) => bottom)) + SAVED_EDGE,
  };
}

const SAVED_DEFAULTS = {
  "fill-opacity": "1", "stroke-opacity": "1", opacity: "1", "stroke-dasharray": "none", "font-weight": "normal", "font-style": "normal",
};
const SAVED_GONE = /^(data-|style|pointer-events|vector-effect|font-family|xml:)/; // attributes
const SAVED_KEPT = [
  ...Object.keys(SAVED_DEFAULTS), "fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap", "stroke-miterlimit",
  "font-size", "text-anchor", "baseline-shift", "display", "visibility", "clip-path", "image-rendering",
];

// Takes out what only a page needs, and makes styles attributes, which every program reads.
function savedClean(svg) {
  const gone = ".draglayer, .drag, .zoomlayer, .hoverlayer, .selectionlayer, .modebar-container, .legendtoggle, .scrollbar";
  for (const node of svg.querySelectorAll(gone)) node.remove();
  for (const node of svg.querySelectorAll("*")) {
    const style = SAVED_KEPT.map((key) => [key, node.style.getPropertyValue(key)]).filter(([, value]) => value);
    for (const {name} of [...node.attributes]) if (SAVED_GONE.test(name)) node.removeAttribute(name);
    for (const [key, value] of style) node.setAttribute(key, value.replace(/["']/g, "").replace(/([\d.]+)px/g, "$1"));
    for (const [key, value] of Object.entries(SAVED_DEFAULTS)) if (node.getAttribute(key) === value) node.removeAttribute(key);
    const moved = node.getAttribute("transform");
    if (moved) node.setAttribute("transform", moved.replace(/\d+\.\d{3,}/g, (digits) => savedNumber(digits)));
  }
  for (const node of svg.querySelectorAll("rect, path")) if (savedUnseen(node)) node.remove();
  for (const text of svg.querySelectorAll("text")) savedTrimmed(text);
  const values = [...svg.querySelectorAll("*")].flatMap((node) => [...node.attributes].map(({value}) => value));
  const used = new Set(values.map((value) => value.match(/^url\(#([^)]+)\)/)?.[1]));
  for (const node of svg.querySelectorAll("clipPath, linearGradient, pattern")) if (!used.has(node.id)) node.remove();
  for (let empty; (empty = svg.querySelectorAll("g:empty, defs:empty, text:empty")).length; ) for (const node of empty) node.remove();
}

// Leaves of the spaces in a text those that are seen, and nothing that only keeps lines together.
function savedTrimmed(text) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) node.data = node.data.replace(/[\u2060\u200b]/g, "").replace(/[ \t\r\n]+/g, " ");
  if (nodes.length) nodes[0].data = nodes[0].data.trimStart();
  if (nodes.length) nodes.at(-1).data = nodes.at(-1).data.trimEnd();
}

function savedUnseen(node) {
  if (node.closest("clipPath, defs")) return false;
  const without = (key) => node.getAttribute(key) === "none" || Number(node.getAttribute(`${key}-opacity`) ?? 1) === 0;
  const stroked = node.hasAttribute("stroke") && !without("stroke") && Number(node.getAttribute("stroke-width") ?? 1) > 0;
  return node.getAttribute("opacity") === "0" || (without("fill") && !stroked);
}

// Says how long each line of words is, so that a program with another font sets it as long.
function savedLengths(svg) {
  for (const text of svg.querySelectorAll("text")) {
    const lines = text.querySelectorAll("tspan.line");
    for (const line of lines.length ? lines : [text]) {
      const length = line.getComputedTextLength();
      if (length > 0) line.setAttribute("textLength", savedNumber(length)), line.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
  for (const node of svg.querySelectorAll("[class]")) node.removeAttribute("class");
}

function savedCopy(value) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map(savedCopy) : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, savedCopy(part)]));
}
