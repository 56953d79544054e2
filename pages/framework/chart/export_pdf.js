// A saved figure as PDF: one page of its exact size, lines as lines, words as words in the font that goes with the file.
// The drawing is walked as the browser shows it, so a word stands where it stands in the SVG.
const [SAVED_CAPS, SAVED_JOINS] = [["butt", "round", "square"], ["miter", "round", "bevel"]]; // as PDF counts them

async function savedPdf({svg, widthMm, heightMm, title}, asked) {
  const font = savedFontTables(asked.font);
  const made = {font, used: new Map(), states: new Map(), images: [], lines: []};
  const scale = (widthMm * 72) / 25.4 / svg.viewBox.baseVal.width;
  const [x, y, , high] = svg.getAttribute("viewBox").split(" ").map(Number);
  made.lines.push(savedOps([scale, 0, 0, -scale, -x * scale, (y + high) * scale], "cm"));
  for (const child of svg.children) await savedDrawn(made, child, {fill: 1, stroke: 1});
  const size = [(widthMm * 72) / 25.4, (heightMm * 72) / 25.4];
  return new Blob([await savedPdfFile(made, size, title, asked)], {type: "application/pdf"});
}

const savedReal = (value) => (Math.abs(value) < 5e-4 ? "0" : String(Math.round(value * 1000) / 1000));
const savedOps = (values, operator) => `${values.map(savedReal).join(" ")} ${operator}`;

// ------------------------------------------------------------------------------------------------------------- drawing

// Writes an element and what is in it; `above` are the opacities of the groups that it is in.
async function savedDrawn(made, node, above) {
  const shown = getComputedStyle(node);
  if (/^(defs|style|title|desc|metadata|clipPath)$/.test(node.tagName) || shown.display === "none" || shown.visibility === "hidden") return;
  const {lines} = made, opacity = Number(shown.opacity);
  const alpha = {fill: above.fill * opacity, stroke: above.stroke * opacity};
  lines.push("q");
  const matrix = node.transform.baseVal.consolidate()?.matrix;
  if (matrix) lines.push(savedOps([matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f], "cm"));
  const clip = node.getAttribute("clip-path")?.match(/#([^)"']+)/)?.[1];
  if (clip) for (const shape of node.ownerSVGElement.querySelectorAll(`#${CSS.escape(clip)} > *`)) lines.push(savedShape(shape), "W n");
  if (node.tagName === "text") await savedText(made, node, alpha);
  else if (node.tagName === "image") await savedImage(made, node, alpha);
  else if (/^(g|svg)$/.test(node.tagName)) for (const child of node.children) await savedDrawn(made, child, alpha);
  else savedPainted(made, node, shown, alpha);
  lines.push("Q");
}

function savedPainted(made, node, shown, alpha) {
  const fill = savedColour(node, shown.fill), stroke = savedColour(node, shown.stroke);
  const fillAlpha = alpha.fill * shown.fillOpacity * (fill?.[3] ?? 0);
  const strokeAlpha = alpha.stroke * shown.strokeOpacity * (stroke?.[3] ?? 0);
  const width = parseFloat(shown.strokeWidth), [fills, strokes] = [fillAlpha > 0, strokeAlpha > 0 && width > 0];
  if (!fills && !strokes) return;
  made.lines.push(savedAlpha(made, fillAlpha, strokeAlpha));
  if (fills) made.lines.push(savedOps(fill.slice(0, 3), "rg"));
  if (strokes) {
    const dash = shown.strokeDasharray === "none" ? [] : shown.strokeDasharray.split(/[ ,]+/).map(parseFloat);
    const cap = Math.max(0, SAVED_CAPS.indexOf(shown.strokeLinecap)), join = Math.max(0, SAVED_JOINS.indexOf(shown.strokeLinejoin));
    made.lines.push(savedOps(stroke.slice(0, 3), "RG"), savedOps([width], "w"));
    made.lines.push(`[${dash.map(savedReal).join(" ")}] 0 d ${cap} J ${join} j`);
  }
  const even = shown.fillRule === "evenodd" ? "*" : "";
  made.lines.push(savedShape(node), fills ? `${strokes ? "B" : "f"}${even}` : "S");
}

// A CSS colour as parts of 1 with its opacity; of a gradient the colour in its middle; null for none.
function savedColour(node, value) {
  const gradient = value.match(/url\(["']?#([^)"']+)/)?.[1];
  if (gradient) {
    const stops = node.ownerSVGElement.querySelectorAll(`#${CSS.escape(gradient)} stop`);
    return stops.length ? savedColour(node, getComputedStyle(stops[stops.length >> 1]).stopColor) : null;
  }
  const [red, green, blue, opacity = 1] = value.match(/[\d.]+/g)?.map(Number) ?? [];
  return blue === undefined ? null : [red / 255, green / 255, blue / 255, opacity];
}

function savedAlpha(made, fill, stroke) {
  const key = `/ca ${savedReal(fill)} /CA ${savedReal(stroke)}`;
  if (!made.states.has(key)) made.states.set(key, `G${made.states.size}`);
  return `/${made.states.get(key)} gs`;
}

function savedShape(node) {
  const at = (name) => node[name].baseVal.value;
  if (node.tagName === "rect") return savedOps([at("x"), at("y"), at("width"), at("height")], "re");
  if (node.tagName === "line") return `${savedOps([at("x1"), at("y1")], "m")} ${savedOps([at("x2"), at("y2")], "l")}`;
  if (node.tagName === "circle") {
    const [x, y, r] = [at("cx"), at("cy"), at("r")];
    return savedPath(`M${x - r},${y}A${r},${r} 0 1,1 ${x + r},${y}A${r},${r} 0 1,1 ${x - r},${y}Z`);
  }
  return savedPath(node.getAttribute("d") ?? "");
}

// The path of an SVG in the operators of a PDF.
function savedPath(d) {
  const out = [];
  let [x, y, x0, y0] = [0, 0, 0, 0];
  for (const [, letter, rest] of d.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const numbers = rest.match(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi)?.map(Number) ?? [];
    const kind = letter.toUpperCase(), size = {M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7, Z: 0}[kind];
    if (size === undefined) throw new Error(`A path with ${letter} can't be saved as PDF.`);
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
      if (kind === "C") out.push(savedOps(part, "c"));
      else if (kind === "Q") {
        const [cx, cy] = part, third = (from, control) => from + (2 / 3) * (control - from);
        out.push(savedOps([third(x, cx), third(y, cy), third(to[0], cx), third(to[1], cy), ...to], "c"));
      } else if (kind === "A") out.push(...savedArc([x, y], part));
      else out.push(savedOps(to, kind === "M" && first ? "m" : "l"));
      [x, y] = to;
      if (kind === "M" && first) [x0, y0] = to;
    }
  }
  return out.join("\n");
}

// An arc of an ellipse as curves, each of at most a quarter (SVG 1.1, F.6.5).
function savedArc([x1, y1], [rx, ry, tilt, large, sweep, x2, y2]) {
  if (!rx || !ry) return [savedOps([x2, y2], "l")];
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
  const point = (angle, ahead) => {
    const [ex, ey] = [a * (Math.cos(angle) - ahead * Math.sin(angle)), b * (Math.sin(angle) + ahead * Math.cos(angle))];
    return [cx + cos * ex - sin * ey, cy + sin * ex + cos * ey];
  };
  return Array.from({length: pieces}, (_, i) => {
    const [start, end] = [from + i * step, from + (i + 1) * step];
    return savedOps([...point(start, k), ...point(end, -k), ...(i === pieces - 1 ? [x2, y2] : point(end, 0))], "c");
  });
}

// ------------------------------------------------------------------------------------------------------------- words

// Each stretch of words of one style, where the browser has put its first letter. A stretch with a letter that the font
// lacks becomes a picture of itself.
async function savedText(made, text, alpha) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let node; (node = walker.nextNode()); ) {
    const shown = getComputedStyle(node.parentElement), words = node.data;
    const start = at;
    at += words.length;
    if (!words.trim()) continue;
    const colour = savedColour(text, shown.fill), {x, y} = text.getStartPositionOfChar(start);
    if (!colour) continue;
    const size = parseFloat(shown.fontSize), length = text.getSubStringLength(start, words.length);
    const fill = alpha.fill * shown.fillOpacity * colour[3];
    made.lines.push(savedAlpha(made, fill, fill));
    const glyphs = [...words].map((letter) => [made.font.glyph(letter.codePointAt(0)), letter]);
    if (glyphs.every(([glyph]) => glyph)) savedLine(made, glyphs, {x, y, size, length, colour, bold: Number(shown.fontWeight) >= 600});
    else await savedWordsImage(made, words, {x, y, size, length, colour, font: `${shown.fontWeight} ${size}px ${shown.fontFamily}`});
  }
}

function savedLine({font, used, lines}, glyphs, {x, y, size, length, colour, bold}) {
  for (const [glyph, letter] of glyphs) used.set(glyph, letter);
  const own = glyphs.reduce((sum, [glyph]) => sum + font.advance(glyph), 0) * size;
  const hex = glyphs.map(([glyph]) => glyph.toString(16).padStart(4, "0")).join("");
  const weight = bold ? `${savedOps(colour.slice(0, 3), "RG")} ${savedOps([size * 0.035], "w")} [] 0 d 2 Tr` : "0 Tr";
  lines.push("BT", savedOps(colour.slice(0, 3), "rg"), weight, `/F ${savedReal(size)} Tf ${savedReal((100 * length) / own)} Tz`);
  lines.push(savedOps([1, 0, 0, -1, x, y], "Tm"), `<${hex}> Tj ET`);
}

async function savedWordsImage(made, words, {x, y, size, length, colour, font}) {
  const times = 8, canvas = new OffscreenCanvas(Math.ceil(length * times) + 2, Math.ceil(size * 1.6 * times));
  const context = canvas.getContext("2d");
  context.scale(times, times);
  context.font = font;
  context.fillStyle = `rgb(${colour.slice(0, 3).map((part) => part * 255).join(" ")})`;
  context.fillText(words, 0, size * 1.2);
  await savedPixels(made, context, [canvas.width / times, canvas.height / times], [x, y - size * 1.2]);
}

async function savedImage(made, node, alpha) {
  const at = (name) => node[name].baseVal.value;
  const image = new Image();
  image.src = node.href.baseVal;
  await image.decode();
  const context = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
  context.drawImage(image, 0, 0);
  made.lines.push(savedAlpha(made, alpha.fill, 1));
  await savedPixels(made, context, [at("width"), at("height")], [at("x"), at("y")]);
}

async function savedPixels(made, context, [width, height], [x, y]) {
  const {width: across, height: down} = context.canvas;
  const {data} = context.getImageData(0, 0, across, down);
  const colours = new Uint8Array(3 * across * down), mask = new Uint8Array(across * down);
  for (let i = 0; i < mask.length; i++) colours.set(data.subarray(4 * i, 4 * i + 3), 3 * i), (mask[i] = data[4 * i + 3]);
  made.images.push({across, down, colours: await savedDeflated(colours), mask: await savedDeflated(mask)});
  made.lines.push("q", savedOps([width, 0, 0, -height, x, y + height], "cm"), `/I${made.images.length - 1} Do Q`);
}

async function savedDeflated(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer());
}
