// A saved figure as PDF: one page of its exact size, lines as lines, words as words in the font that goes with the file.
// The drawing is walked as the browser shows it, so a word stands where it stands in the SVG.
import {required} from "../browser/required.js";
import {deflate} from "./export_encoding.js";
import {fontTables, pdfDocument} from "./export_pdf_file.js";

/** @typedef {import("./export.js").Options} Options */
/** @typedef {import("./export.js").Sheet} Sheet */
/** @typedef {{fill: number, stroke: number}} Opacity */
/** @typedef {{x: number, y: number, size: number, length: number, colour: number[]}} TextPlace */
/** @typedef {{across: number, down: number, colours: Uint8Array<ArrayBuffer>, mask: Uint8Array<ArrayBuffer>}} Picture */

/**
 * What is written so far: the font, the letter of each glyph in use, the names of the states of opacity, pictures, and the
 * lines of the page.
 * @typedef {object} Drawing
 * @property {ReturnType<typeof fontTables>} font
 * @property {Map<number, string>} used
 * @property {Map<string, string>} states
 * @property {Picture[]} images
 * @property {string[]} lines
 */

const [LINE_CAPS, LINE_JOINS] = [["butt", "round", "square"], ["miter", "round", "bevel"]]; // as PDF counts them

/**
 * @param {Sheet} sheet
 * @param {Options} options
 */
export async function pdfFile({svg, widthMm, heightMm, title}, options) {
  const font = fontTables(options.font);
  /** @type {Drawing} */
  const drawing = {font, used: new Map(), states: new Map(), images: [], lines: []};
  const scale = (widthMm * 72) / 25.4 / svg.viewBox.baseVal.width;
  const [x, y, , high] = required(svg.getAttribute("viewBox")).split(" ").map(Number);
  drawing.lines.push(pdfOperator([scale, 0, 0, -scale, -x * scale, (y + high) * scale], "cm"));
  for (const child of svg.children) await writeNode(drawing, child, {fill: 1, stroke: 1});
  const size = [(widthMm * 72) / 25.4, (heightMm * 72) / 25.4];
  return new Blob([await pdfDocument(drawing, size, title, options)], {type: "application/pdf"});
}

/** @param {number} value */
const pdfNumber = (value) => (Math.abs(value) < 5e-4 ? "0" : String(Math.round(value * 1000) / 1000));
/**
 * @param {number[]} values
 * @param {string} operator
 */
const pdfOperator = (values, operator) => `${values.map(pdfNumber).join(" ")} ${operator}`;

// ------------------------------------------------------------------------------------------------------------- drawing

/**
 * Write an element and its content; `above` are the opacities of the groups that it is in.
 * @param {Drawing} drawing
 * @param {any} node
 * @param {Opacity} above
 */
async function writeNode(drawing, node, above) {
  const style = getComputedStyle(node);
  if (/^(defs|style|title|desc|metadata|clipPath)$/.test(node.tagName) || style.display === "none" || style.visibility === "hidden") return;
  const {lines} = drawing, opacity = Number(style.opacity);
  const alpha = {fill: above.fill * opacity, stroke: above.stroke * opacity};
  lines.push("q");
  const matrix = node.transform.baseVal.consolidate()?.matrix;
  if (matrix) lines.push(pdfOperator([matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f], "cm"));
  const clip = node.getAttribute("clip-path")?.match(/#([^)"']+)/)?.[1];
  if (clip) for (const shape of node.ownerSVGElement.querySelectorAll(`#${CSS.escape(clip)} > *`)) lines.push(shapePath(shape), "W n");
  if (node.tagName === "text") await writeText(drawing, node, alpha);
  else if (node.tagName === "image") await writeImage(drawing, node, alpha);
  else if (/^(g|svg)$/.test(node.tagName)) for (const child of node.children) await writeNode(drawing, child, alpha);
  else {
    const pattern = patternOf(node, style.fill);
    const opacity = alpha.fill * Number(style.fillOpacity);
    if (pattern) await writePattern(drawing, node, pattern, {fill: opacity, stroke: opacity});
    writeShape(drawing, node, style, alpha);
  }
  lines.push("Q");
}

/**
 * @param {Drawing} drawing
 * @param {any} node
 * @param {any} style
 * @param {Opacity} alpha
 */
function writeShape(drawing, node, style, alpha) {
  const fill = parseColour(node, style.fill), stroke = parseColour(node, style.stroke);
  const fillAlpha = alpha.fill * style.fillOpacity * (fill?.[3] ?? 0);
  const strokeAlpha = alpha.stroke * style.strokeOpacity * (stroke?.[3] ?? 0);
  const width = parseFloat(style.strokeWidth), [fills, strokes] = [fillAlpha > 0, strokeAlpha > 0 && width > 0];
  if (!fills && !strokes) return;
  drawing.lines.push(opacityState(drawing, fillAlpha, strokeAlpha));
  if (fill && fills) drawing.lines.push(pdfOperator(fill.slice(0, 3), "rg"));
  if (stroke && strokes) {
    const dash = style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat);
    const cap = Math.max(0, LINE_CAPS.indexOf(style.strokeLinecap)), join = Math.max(0, LINE_JOINS.indexOf(style.strokeLinejoin));
    drawing.lines.push(pdfOperator(stroke.slice(0, 3), "RG"), pdfOperator([width], "w"));
    drawing.lines.push(`[${dash.map(pdfNumber).join(" ")}] 0 d ${cap} J ${join} j`);
  }
  const even = style.fillRule === "evenodd" ? "*" : "";
  drawing.lines.push(shapePath(node), fills ? `${strokes ? "B" : "f"}${even}` : "S");
}

/**
 * @param {any} node
 * @param {string} fill
 */
function patternOf(node, fill) {
  const id = fill.match(/url\(["']?#([^)"']+)/)?.[1];
  return id && node.ownerSVGElement.querySelector(`pattern#${CSS.escape(id)}`);
}

/**
 * Fill a shape with the tiles of a pattern.
 * @param {Drawing} drawing
 * @param {any} node
 * @param {SVGPatternElement} pattern
 * @param {Opacity} alpha
 */
async function writePattern(drawing, node, pattern, alpha) {
  const {x, y, width, height} = node.getBBox(), [wide, high] = [pattern.width.baseVal.value, pattern.height.baseVal.value];
  if (!wide || !high) return;
  const tile = {...drawing, lines: /** @type {string[]} */ ([])};
  for (const child of pattern.children) await writeNode(tile, child, alpha);
  drawing.lines.push("q", shapePath(node), "W n");
  for (let across = Math.floor(x / wide) * wide; across < x + width; across += wide) {
    for (let down = Math.floor(y / high) * high; down < y + height; down += high) {
      drawing.lines.push("q", pdfOperator([1, 0, 0, 1, across, down], "cm"), pdfOperator([0, 0, wide, high], "re"), "W n", ...tile.lines, "Q");
    }
  }
  drawing.lines.push("Q");
}

/**
 * Return a CSS colour as parts of 1 with its opacity, of a gradient the colour in its middle; null for none.
 * @param {any} node
 * @param {string} value
 * @returns {number[] | null}
 */
function parseColour(node, value) {
  const gradient = value.match(/url\(["']?#([^)"']+)/)?.[1];
  if (gradient) {
    const stops = node.ownerSVGElement.querySelectorAll(`#${CSS.escape(gradient)} stop`);
    return stops.length ? parseColour(node, getComputedStyle(stops[stops.length >> 1]).stopColor) : null;
  }
  const [red, green, blue, opacity = 1] = value.match(/[\d.]+/g)?.map(Number) ?? [];
  return blue === undefined ? null : [red / 255, green / 255, blue / 255, opacity];
}

/**
 * @param {Drawing} drawing
 * @param {number} fill
 * @param {number} stroke
 */
function opacityState(drawing, fill, stroke) {
  const key = `/ca ${pdfNumber(fill)} /CA ${pdfNumber(stroke)}`;
  if (!drawing.states.has(key)) drawing.states.set(key, `G${drawing.states.size}`);
  return `/${drawing.states.get(key)} gs`;
}

/** @param {any} node */
function shapePath(node) {
  /** @param {string} name */
  const at = (name) => node[name].baseVal.value;
  if (node.tagName === "rect") return pdfOperator([at("x"), at("y"), at("width"), at("height")], "re");
  if (node.tagName === "line") return `${pdfOperator([at("x1"), at("y1")], "m")} ${pdfOperator([at("x2"), at("y2")], "l")}`;
  if (node.tagName === "circle") {
    const [x, y, r] = [at("cx"), at("cy"), at("r")];
    return pdfPath(`M${x - r},${y}A${r},${r} 0 1,1 ${x + r},${y}A${r},${r} 0 1,1 ${x - r},${y}Z`);
  }
  return pdfPath(node.getAttribute("d") ?? "");
}

/**
 * Return the path of an SVG in the operators of a PDF.
 * @param {string} d
 */
function pdfPath(d) {
  const out = [];
  let [x, y, x0, y0] = [0, 0, 0, 0];
  for (const [, letter, rest] of d.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const numbers = rest.match(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi)?.map(Number) ?? [];
    const kind = letter.toUpperCase(), size = {M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7, Z: 0}[kind];
    if (size === undefined) throw new Error(`A path with ${letter} can’t be saved as PDF.`);
    for (let at = 0, first = true; size ? at + size <= numbers.length : first; at += size, first = false) {
      const part = numbers.slice(at, at + size);
      const skipped = kind === "A" ? 5 : 0; // radii, tilt and flags
      if (letter !== kind) for (let i = skipped; i < size; i++) part[i] += kind === "V" || (kind !== "H" && (i - skipped) % 2) ? y : x;
      if (kind === "Z") {
        out.push("h");
        [x, y] = [x0, y0];
        continue;
      }
      const to = kind === "H" ? [part[0], y] : kind === "V" ? [x, part[0]] : part.slice(-2);
      if (kind === "C") out.push(pdfOperator(part, "c"));
      else if (kind === "Q") {
        const [cx, cy] = part, third = (/** @type {number} */ from, /** @type {number} */ control) => from + (2 / 3) * (control - from);
        out.push(pdfOperator([third(x, cx), third(y, cy), third(to[0], cx), third(to[1], cy), ...to], "c"));
      } else if (kind === "A") out.push(...arcCurves([x, y], part));
      else out.push(pdfOperator(to, kind === "M" && first ? "m" : "l"));
      [x, y] = to;
      if (kind === "M" && first) [x0, y0] = to;
    }
  }
  return out.join("\n");
}

/**
 * Return an arc of an ellipse as curves, each of at most a quarter (SVG 1.1, F.6.5).
 * @param {number[]} from
 * @param {number[]} arc
 */
function arcCurves([x1, y1], [rx, ry, tilt, large, sweep, x2, y2]) {
  if (!rx || !ry) return [pdfOperator([x2, y2], "l")];
  const turn = (tilt * Math.PI) / 180, [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dy] = [(x1 - x2) / 2, (y1 - y2) / 2], [px, py] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const grow = Math.max(1, Math.hypot(px / rx, py / ry)), [a, b] = [Math.abs(rx) * grow, Math.abs(ry) * grow];
  const rest = Math.max(0, (a * b) ** 2 / ((a * py) ** 2 + (b * px) ** 2 || 1) - 1);
  const side = (large === sweep ? -1 : 1) * Math.sqrt(rest), [qx, qy] = [(side * a * py) / b, (-side * b * px) / a];
  const [cx, cy] = [cos * qx - sin * qy + (x1 + x2) / 2, sin * qx + cos * qy + (y1 + y2) / 2];
  const from = Math.atan2((py - qy) / b, (px - qx) / a);
  let span = Math.atan2((-py - qy) / b, (-px - qx) / a) - from;
  if (sweep && span < 0) span += 2 * Math.PI;
  if (!sweep && span > 0) span -= 2 * Math.PI;
  const pieces = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9)), step = span / pieces, k = (4 / 3) * Math.tan(step / 4);
  /** @type {(angle: number, ahead: number) => number[]} */
  const point = (angle, ahead) => {
    const [ex, ey] = [a * (Math.cos(angle) - ahead * Math.sin(angle)), b * (Math.sin(angle) + ahead * Math.cos(angle))];
    return [cx + cos * ex - sin * ey, cy + sin * ex + cos * ey];
  };
  return Array.from({length: pieces}, (_, i) => {
    const [start, end] = [from + i * step, from + (i + 1) * step];
    return pdfOperator([...point(start, k), ...point(end, -k), ...(i === pieces - 1 ? [x2, y2] : point(end, 0))], "c");
  });
}

// ------------------------------------------------------------------------------------------------------------- words

/**
 * Write each stretch of text of one style where the browser has put its first letter. A stretch with a letter that the
 * font lacks becomes a picture of itself.
 * @param {Drawing} drawing
 * @param {SVGTextElement} text
 * @param {Opacity} alpha
 */
async function writeText(drawing, text, alpha) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let node; (node = walker.nextNode()); ) {
    const style = getComputedStyle(required(node.parentElement)), words = /** @type {Text} */ (node).data;
    const start = at;
    at += words.length;
    if (!words.trim()) continue;
    const colour = parseColour(text, style.fill), {x, y} = text.getStartPositionOfChar(start);
    if (!colour) continue;
    const size = parseFloat(style.fontSize), length = text.getSubStringLength(start, words.length);
    const fill = alpha.fill * Number(style.fillOpacity) * colour[3];
    drawing.lines.push(opacityState(drawing, fill, fill));
    const glyphs = [...words].map((letter) => /** @type {[number, string]} */ ([drawing.font.glyph(required(letter.codePointAt(0))), letter]));
    if (glyphs.every(([glyph]) => glyph)) writeGlyphs(drawing, glyphs, {x, y, size, length, colour, bold: Number(style.fontWeight) >= 600});
    else await writeTextImage(drawing, words, {x, y, size, length, colour, font: `${style.fontWeight} ${size}px ${style.fontFamily}`});
  }
}

/**
 * @param {Drawing} drawing
 * @param {[glyph: number, letter: string][]} glyphs
 * @param {TextPlace & {bold: boolean}} place
 */
function writeGlyphs({font, used, lines}, glyphs, {x, y, size, length, colour, bold}) {
  for (const [glyph, letter] of glyphs) used.set(glyph, letter);
  const own = glyphs.reduce((sum, [glyph]) => sum + font.advance(glyph), 0) * size;
  const hex = glyphs.map(([glyph]) => glyph.toString(16).padStart(4, "0")).join("");
  const weight = bold ? `${pdfOperator(colour.slice(0, 3), "RG")} ${pdfOperator([size * 0.035], "w")} [] 0 d 2 Tr` : "0 Tr";
  lines.push("BT", pdfOperator(colour.slice(0, 3), "rg"), weight, `/F ${pdfNumber(size)} Tf ${pdfNumber((100 * length) / own)} Tz`);
  lines.push(pdfOperator([1, 0, 0, -1, x, y], "Tm"), `<${hex}> Tj ET`);
}

/**
 * @param {Drawing} drawing
 * @param {string} words
 * @param {TextPlace & {font: string}} place
 */
async function writeTextImage(drawing, words, {x, y, size, length, colour, font}) {
  const times = 8, canvas = new OffscreenCanvas(Math.ceil(length * times) + 2, Math.ceil(size * 1.6 * times));
  const context = required(canvas.getContext("2d"));
  context.font = font;
  context.scale((times * length) / context.measureText(words).width, times); // as long as the drawing sets it
  context.fillStyle = `rgb(${colour.slice(0, 3).map((part) => part * 255).join(" ")})`;
  context.fillText(words, 0, size * 1.2);
  await writePixels(drawing, context, [canvas.width / times, canvas.height / times], [x, y - size * 1.2]);
}

/**
 * @param {Drawing} drawing
 * @param {any} node
 * @param {Opacity} alpha
 */
async function writeImage(drawing, node, alpha) {
  /** @param {string} name */
  const at = (name) => node[name].baseVal.value;
  const image = new Image();
  image.src = node.href.baseVal;
  await image.decode();
  const context = required(new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d"));
  context.drawImage(image, 0, 0);
  drawing.lines.push(opacityState(drawing, alpha.fill, 1));
  await writePixels(drawing, context, [at("width"), at("height")], [at("x"), at("y")]);
}

/**
 * @param {Drawing} drawing
 * @param {OffscreenCanvasRenderingContext2D} context
 * @param {[width: number, height: number]} size
 * @param {[x: number, y: number]} place
 */
async function writePixels(drawing, context, [width, height], [x, y]) {
  const {width: across, height: down} = context.canvas;
  const {data} = context.getImageData(0, 0, across, down);
  const colours = new Uint8Array(3 * across * down), mask = new Uint8Array(across * down);
  for (let i = 0; i < mask.length; i++) colours.set(data.subarray(4 * i, 4 * i + 3), 3 * i), (mask[i] = data[4 * i + 3]);
  drawing.images.push({across, down, colours: await deflate(colours), mask: await deflate(mask)});
  drawing.lines.push("q", pdfOperator([width, 0, 0, -height, x, y + height], "cm"), `/I${drawing.images.length - 1} Do Q`);
}
