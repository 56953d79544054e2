// Made of chart/export.js and what it imports by `npm --prefix tests/js run bundle`: do not edit.
// Sources: 558bee2a79183a53f3e64f5a36ea5a1f02ebdbb74eef90efa4c401a45b22cef9

// browser/required.js
function required(value) {
  if (value === null || value === void 0) throw new Error("A value that the page needs is missing.");
  return value;
}

// chart/export_encoding.js
var SVG_NAMESPACE = "http://www.w3.org/2000/svg";
var creator = (version) => `DP Trade-off Explorer ${version}`;
var shortNumber = (value) => String(Math.round(value * 100) / 100);
var utf8 = (text) => new TextEncoder().encode(text);
var legalXml = (text) => text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "�");
var escapeXml = (text) => legalXml(String(text)).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
var panelLetter = (place, count) => count > 1 ? `(${String.fromCharCode(97 + place)}) ` : "";
function svgElement(name, attributes = {}) {
  const element2 = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element2.setAttribute(key, String(value));
  return element2;
}
function concatenate(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) whole.set(part, at), at += part.length;
  return whole;
}
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
function textWithoutTags(text) {
  const field = document.createElement("textarea");
  field.innerHTML = String(text).replace(/<br\s*\/?>/gi, " ").replace(/<\/?(b|i|u|s|em|sub|sup|span|a)\b[^<>]*>/gi, "");
  return field.value.replace(/\u2060/g, "").trim();
}
async function deflate(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer());
}
var FREE_DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
function greyDashes(data) {
  const isLine = ({ type = "scatter", mode = "lines", visible, line }) => type === "scatter" && visible !== false && mode.includes("lines") && line?.color && line.width !== 0;
  const dashOf = ({ line }) => line.dash || "solid", lines = data.filter(isLine), worn = new Set(lines.map(dashOf)), own = /* @__PURE__ */ new Set();
  const free = FREE_DASHES.filter((dash) => !worn.has(dash)), named = lines.filter(({ name, showlegend }) => name && showlegend !== false);
  return new Map(named.map((trace) => [trace, own.has(dashOf(trace)) ? free.shift() ?? "" : (own.add(dashOf(trace)), dashOf(trace))]));
}
var withoutColours = (text) => text.replace(/\bRed (?=×)|(?<=\bdashed) blue(?=:)/g, "");

// chart/export_style.js
var TYPE_SIZE = 13;
var TYPEFACES = {
  sans: { family: "Figure Sans", others: "'Source Sans 3', Arial, Helvetica, 'Liberation Sans', sans-serif" },
  serif: { family: "Figure Serif", others: "'Source Serif 4', 'Times New Roman', 'Liberation Serif', serif" },
  modern: { family: "Figure Modern", others: "'CMU Serif', 'Latin Modern Roman', 'Times New Roman', 'Liberation Serif', serif" }
};
var familyOf = (typeface) => TYPEFACES[typeface].family;
var familiesOf = (typeface) => `'${TYPEFACES[typeface].family}', ${TYPEFACES[typeface].others}`;
var GAP = 6;
var EDGE = 3;
var FONT_ALLOWANCE = 1.15;
var TITLE_SCALE = 1.25;
var ruler = required(document.createElement("canvas").getContext("2d"));

// chart/export_pdf_file.js
function fontTables(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = {};
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + 16 * i;
    tables[String.fromCharCode(...bytes.subarray(at, at + 4))] = view.getUint32(at + 8);
  }
  const unit = view.getUint16(tables.head + 18), wide = view.getUint16(tables.hhea + 34);
  const advance = (glyph) => view.getUint16(tables.hmtx + 4 * Math.min(glyph, wide - 1)) / unit;
  return { bytes, advance, glyph: glyphMap(view, tables.cmap) };
}
function glyphMap(view, cmap) {
  let at = 0;
  for (let i = 0; i < view.getUint16(cmap + 2); i++) {
    const table = cmap + view.getUint32(cmap + 8 + 8 * i);
    if (view.getUint16(table) === 4) at = table;
  }
  const glyphs = /* @__PURE__ */ new Map(), segments = view.getUint16(at + 6) / 2;
  const [ends, starts, deltas, offsets] = [14, 16 + 2 * segments, 16 + 4 * segments, 16 + 6 * segments].map((by) => at + by);
  for (let i = 0; i < segments; i++) {
    const [end, start, delta, offset] = [ends, starts, deltas, offsets].map((list) => view.getUint16(list + 2 * i));
    for (let code = start; code <= end && code < 65535; code++) {
      const glyph = offset ? view.getUint16(offsets + 2 * i + offset + 2 * (code - start)) : code;
      if (glyph) glyphs.set(code, glyph + delta & 65535);
    }
  }
  return (code) => glyphs.get(code) ?? 0;
}
async function pdfDocument(drawing, size, title, options) {
  const box = `[0 0 ${size.map((side) => side.toFixed(4)).join(" ")}]`;
  const objects = [];
  const add = (object) => objects.push(object);
  const pages = 2;
  add("<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>");
  add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  const page = add("") - 1;
  add(["/Type /Metadata /Subtype /XML", utf8(xmpMetadata(title, options))]);
  const info = add(infoDictionary(title, options));
  const content = add(["/Filter /FlateDecode", await deflate(utf8(drawing.lines.join("\n")))]);
  const states = [...drawing.states].map(([state, name]) => `/${name} << ${state} >>`).join(" ");
  const font = drawing.used.size ? `/Font << /F ${await addFont(drawing, familyOf(options.typeface).replace(" ", ""), add)} 0 R >>` : "";
  const images = drawing.images.map(({ across, down, colours, mask }, place) => {
    const head = `/Type /XObject /Subtype /Image /Width ${across} /Height ${down} /BitsPerComponent 8 /Filter /FlateDecode`;
    const soft = add([`${head} /ColorSpace /DeviceGray`, mask]);
    return `/I${place} ${add([`${head} /ColorSpace /DeviceRGB /SMask ${soft} 0 R`, colours])} 0 R`;
  });
  const resources = `<< /ExtGState << ${states} >> ${font} /XObject << ${images.join(" ")} >> >>`;
  const group = "/Group << /S /Transparency /CS /DeviceRGB >>";
  objects[page] = `<< /Type /Page /Parent ${pages} 0 R /MediaBox ${box} /Contents ${content} 0 R /Resources ${resources} ${group} >>`;
  return pdfBytes(objects, info);
}
async function addFont({ font, used }, name, add) {
  const glyphs = [...used].sort(([a], [b]) => a - b);
  const hex = (number) => number.toString(16).padStart(4, "0");
  const letters = glyphs.map(([glyph, letter2]) => `<${hex(glyph)}> <${utf16Hex(letter2)}>`);
  const blocks = [];
  for (let at = 0; at < letters.length; at += 100) {
    const block = letters.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar
${block.join("\n")}
endbfchar`);
  }
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Letters def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join("\n")}
endcmap CMapName currentdict /CMap defineresource pop end end`;
  const letter = add(["", utf8(cmap)]);
  const file = add([`/Filter /FlateDecode /Length1 ${font.bytes.length}`, await deflate(font.bytes)]);
  const descriptor = add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [-500 -300 1500 1000] /ItalicAngle 0
/Ascent 920 /Descent -250 /CapHeight 660 /StemV 80 /FontFile2 ${file} 0 R >>`
  );
  const widths = glyphs.map(([glyph]) => `${glyph} [${Math.round(1e3 * font.advance(glyph))}]`).join(" ");
  const inner = add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /FontDescriptor ${descriptor} 0 R /CIDToGIDMap /Identity
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /W [${widths}] >>`
  );
  return add(`<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H
/DescendantFonts [${inner} 0 R] /ToUnicode ${letter} 0 R >>`);
}
function utf16Hex(text) {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0")).join("");
}
function infoDictionary(title, { link, version, date, alternative }) {
  const fields = { Title: title, Subject: alternative, Keywords: link, Creator: creator(version), Producer: creator(version) };
  const entries = Object.entries(fields).map(([key, value]) => `/${key} <feff${utf16Hex(value)}>`);
  return `<< ${entries.join(" ")} /CreationDate (D:${date.replaceAll("-", "")}) >>`;
}
function xmpMetadata(title, { link, version, date, alternative }) {
  const words = (text) => `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`;
  const space = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"';
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${space}>
<dc:title>${words(title)}</dc:title><dc:description>${words(alternative)}</dc:description><dc:source>${escapeXml(link)}</dc:source>
<xmp:CreatorTool>${escapeXml(creator(version))}</xmp:CreatorTool><xmp:CreateDate>${escapeXml(date)}</xmp:CreateDate>
<pdf:Producer>${escapeXml(creator(version))}</pdf:Producer><pdf:Keywords>${escapeXml(link)}</pdf:Keywords>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}
function pdfBytes(objects, info) {
  const parts = [utf8("%PDF-1.4\n%éééé\n")], places = [];
  let length = parts[0].length;
  const put = (part) => (parts.push(part), length += part.length);
  for (const [place, object] of objects.entries()) {
    places.push(length);
    const [head, stream] = typeof object === "string" ? [object] : [`<< ${object[0]} /Length ${object[1].length} >>`, object[1]];
    put(utf8(`${place + 1} 0 obj
${head}
`));
    if (stream) for (const part of [utf8("stream\n"), stream, utf8("\nendstream\n")]) put(part);
    put(utf8("endobj\n"));
  }
  const start = length, table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n 
`).join("");
  const count = objects.length + 1;
  put(utf8(`xref
0 ${count}
0000000000 65535 f 
${table}trailer
<< /Size ${count} /Root 1 0 R /Info ${info} 0 R >>
`));
  put(utf8(`startxref
${start}
%%EOF
`));
  return concatenate(parts);
}

// chart/export_pdf.js
var [LINE_CAPS, LINE_JOINS] = [["butt", "round", "square"], ["miter", "round", "bevel"]];
async function pdfFile({ svg, widthMm, heightMm, title }, options) {
  const font = fontTables(options.font);
  const drawing = { font, used: /* @__PURE__ */ new Map(), states: /* @__PURE__ */ new Map(), images: [], lines: [] };
  const scale = widthMm * 72 / 25.4 / svg.viewBox.baseVal.width;
  const [x, y, , high] = required(svg.getAttribute("viewBox")).split(" ").map(Number);
  drawing.lines.push(pdfOperator([scale, 0, 0, -scale, -x * scale, (y + high) * scale], "cm"));
  for (const child of svg.children) await writeNode(drawing, child, { fill: 1, stroke: 1 });
  const size = [widthMm * 72 / 25.4, heightMm * 72 / 25.4];
  return new Blob([await pdfDocument(drawing, size, title, options)], { type: "application/pdf" });
}
var pdfNumber = (value) => Math.abs(value) < 5e-4 ? "0" : String(Math.round(value * 1e3) / 1e3);
var pdfOperator = (values, operator) => `${values.map(pdfNumber).join(" ")} ${operator}`;
async function writeNode(drawing, node, above) {
  const style = getComputedStyle(node);
  if (/^(defs|style|title|desc|metadata|clipPath)$/.test(node.tagName) || style.display === "none" || style.visibility === "hidden") return;
  const { lines } = drawing, opacity = Number(style.opacity);
  const alpha = { fill: above.fill * opacity, stroke: above.stroke * opacity };
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
    const opacity2 = alpha.fill * Number(style.fillOpacity);
    if (pattern) await writePattern(drawing, node, pattern, { fill: opacity2, stroke: opacity2 });
    writeShape(drawing, node, style, alpha);
  }
  lines.push("Q");
}
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
function patternOf(node, fill) {
  const id = fill.match(/url\(["']?#([^)"']+)/)?.[1];
  return id && node.ownerSVGElement.querySelector(`pattern#${CSS.escape(id)}`);
}
async function writePattern(drawing, node, pattern, alpha) {
  const { x, y, width, height } = node.getBBox(), [wide, high] = [pattern.width.baseVal.value, pattern.height.baseVal.value];
  if (!wide || !high) return;
  const tile = { ...drawing, lines: (
    /** @type {string[]} */
    []
  ) };
  for (const child of pattern.children) await writeNode(tile, child, alpha);
  drawing.lines.push("q", shapePath(node), "W n");
  for (let across = Math.floor(x / wide) * wide; across < x + width; across += wide) {
    for (let down = Math.floor(y / high) * high; down < y + height; down += high) {
      drawing.lines.push("q", pdfOperator([1, 0, 0, 1, across, down], "cm"), pdfOperator([0, 0, wide, high], "re"), "W n", ...tile.lines, "Q");
    }
  }
  drawing.lines.push("Q");
}
function parseColour(node, value) {
  const gradient = value.match(/url\(["']?#([^)"']+)/)?.[1];
  if (gradient) {
    const stops = node.ownerSVGElement.querySelectorAll(`#${CSS.escape(gradient)} stop`);
    return stops.length ? parseColour(node, getComputedStyle(stops[stops.length >> 1]).stopColor) : null;
  }
  const [red, green, blue, opacity = 1] = value.match(/[\d.]+/g)?.map(Number) ?? [];
  return blue === void 0 ? null : [red / 255, green / 255, blue / 255, opacity];
}
function opacityState(drawing, fill, stroke) {
  const key = `/ca ${pdfNumber(fill)} /CA ${pdfNumber(stroke)}`;
  if (!drawing.states.has(key)) drawing.states.set(key, `G${drawing.states.size}`);
  return `/${drawing.states.get(key)} gs`;
}
function shapePath(node) {
  const at = (name) => node[name].baseVal.value;
  if (node.tagName === "rect") return pdfOperator([at("x"), at("y"), at("width"), at("height")], "re");
  if (node.tagName === "line") return `${pdfOperator([at("x1"), at("y1")], "m")} ${pdfOperator([at("x2"), at("y2")], "l")}`;
  if (node.tagName === "circle") {
    const [x, y, r] = [at("cx"), at("cy"), at("r")];
    return pdfPath(`M${x - r},${y}A${r},${r} 0 1,1 ${x + r},${y}A${r},${r} 0 1,1 ${x - r},${y}Z`);
  }
  return pdfPath(node.getAttribute("d") ?? "");
}
function pdfPath(d) {
  const out = [];
  let [x, y, x0, y0] = [0, 0, 0, 0];
  for (const [, letter, rest] of d.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const numbers = rest.match(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi)?.map(Number) ?? [];
    const kind = letter.toUpperCase(), size = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7, Z: 0 }[kind];
    if (size === void 0) throw new Error(`A path with ${letter} can’t be saved as PDF.`);
    for (let at = 0, first = true; size ? at + size <= numbers.length : first; at += size, first = false) {
      const part = numbers.slice(at, at + size);
      const skipped = kind === "A" ? 5 : 0;
      if (letter !== kind) for (let i = skipped; i < size; i++) part[i] += kind === "V" || kind !== "H" && (i - skipped) % 2 ? y : x;
      if (kind === "Z") {
        out.push("h");
        [x, y] = [x0, y0];
        continue;
      }
      const to = kind === "H" ? [part[0], y] : kind === "V" ? [x, part[0]] : part.slice(-2);
      if (kind === "C") out.push(pdfOperator(part, "c"));
      else if (kind === "Q") {
        const [cx, cy] = part, third = (from, control) => from + 2 / 3 * (control - from);
        out.push(pdfOperator([third(x, cx), third(y, cy), third(to[0], cx), third(to[1], cy), ...to], "c"));
      } else if (kind === "A") out.push(...arcCurves([x, y], part));
      else out.push(pdfOperator(to, kind === "M" && first ? "m" : "l"));
      [x, y] = to;
      if (kind === "M" && first) [x0, y0] = to;
    }
  }
  return out.join("\n");
}
function arcCurves([x1, y1], [rx, ry, tilt, large, sweep, x2, y2]) {
  if (!rx || !ry) return [pdfOperator([x2, y2], "l")];
  const turn = tilt * Math.PI / 180, [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dy] = [(x1 - x2) / 2, (y1 - y2) / 2], [px, py] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const grow = Math.max(1, Math.hypot(px / rx, py / ry)), [a, b] = [Math.abs(rx) * grow, Math.abs(ry) * grow];
  const rest = Math.max(0, (a * b) ** 2 / ((a * py) ** 2 + (b * px) ** 2 || 1) - 1);
  const side = (large === sweep ? -1 : 1) * Math.sqrt(rest), [qx, qy] = [side * a * py / b, -side * b * px / a];
  const [cx, cy] = [cos * qx - sin * qy + (x1 + x2) / 2, sin * qx + cos * qy + (y1 + y2) / 2];
  const from = Math.atan2((py - qy) / b, (px - qx) / a);
  let span = Math.atan2((-py - qy) / b, (-px - qx) / a) - from;
  if (sweep && span < 0) span += 2 * Math.PI;
  if (!sweep && span > 0) span -= 2 * Math.PI;
  const pieces = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9)), step = span / pieces, k = 4 / 3 * Math.tan(step / 4);
  const point = (angle, ahead) => {
    const [ex, ey] = [a * (Math.cos(angle) - ahead * Math.sin(angle)), b * (Math.sin(angle) + ahead * Math.cos(angle))];
    return [cx + cos * ex - sin * ey, cy + sin * ex + cos * ey];
  };
  return Array.from({ length: pieces }, (_, i) => {
    const [start, end] = [from + i * step, from + (i + 1) * step];
    return pdfOperator([...point(start, k), ...point(end, -k), ...i === pieces - 1 ? [x2, y2] : point(end, 0)], "c");
  });
}
async function writeText(drawing, text, alpha) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let at = 0;
  for (let node; node = walker.nextNode(); ) {
    const style = getComputedStyle(required(node.parentElement)), words = (
      /** @type {Text} */
      node.data
    );
    const start = at;
    at += words.length;
    if (!words.trim()) continue;
    const colour = parseColour(text, style.fill), { x, y } = text.getStartPositionOfChar(start);
    if (!colour) continue;
    const size = parseFloat(style.fontSize), length = text.getSubStringLength(start, words.length);
    const fill = alpha.fill * Number(style.fillOpacity) * colour[3];
    drawing.lines.push(opacityState(drawing, fill, fill));
    const glyphs = [...words].map((letter) => (
      /** @type {[number, string]} */
      [drawing.font.glyph(required(letter.codePointAt(0))), letter]
    ));
    if (glyphs.every(([glyph]) => glyph)) writeGlyphs(drawing, glyphs, { x, y, size, length, colour, bold: Number(style.fontWeight) >= 600 });
    else await writeTextImage(drawing, words, { x, y, size, length, colour, font: `${style.fontWeight} ${size}px ${style.fontFamily}` });
  }
}
function writeGlyphs({ font, used, lines }, glyphs, { x, y, size, length, colour, bold }) {
  for (const [glyph, letter] of glyphs) used.set(glyph, letter);
  const own = glyphs.reduce((sum, [glyph]) => sum + font.advance(glyph), 0) * size;
  const hex = glyphs.map(([glyph]) => glyph.toString(16).padStart(4, "0")).join("");
  const weight = bold ? `${pdfOperator(colour.slice(0, 3), "RG")} ${pdfOperator([size * 0.035], "w")} [] 0 d 2 Tr` : "0 Tr";
  lines.push("BT", pdfOperator(colour.slice(0, 3), "rg"), weight, `/F ${pdfNumber(size)} Tf ${pdfNumber(100 * length / own)} Tz`);
  lines.push(pdfOperator([1, 0, 0, -1, x, y], "Tm"), `<${hex}> Tj ET`);
}
async function writeTextImage(drawing, words, { x, y, size, length, colour, font }) {
  const times = 8, canvas = new OffscreenCanvas(Math.ceil(length * times) + 2, Math.ceil(size * 1.6 * times));
  const context = required(canvas.getContext("2d"));
  context.font = font;
  context.scale(times * length / context.measureText(words).width, times);
  context.fillStyle = `rgb(${colour.slice(0, 3).map((part) => part * 255).join(" ")})`;
  context.fillText(words, 0, size * 1.2);
  await writePixels(drawing, context, [canvas.width / times, canvas.height / times], [x, y - size * 1.2]);
}
async function writeImage(drawing, node, alpha) {
  const at = (name) => node[name].baseVal.value;
  const image = new Image();
  image.src = node.href.baseVal;
  await image.decode();
  const context = required(new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d"));
  context.drawImage(image, 0, 0);
  drawing.lines.push(opacityState(drawing, alpha.fill, 1));
  await writePixels(drawing, context, [at("width"), at("height")], [at("x"), at("y")]);
}
async function writePixels(drawing, context, [width, height], [x, y]) {
  const { width: across, height: down } = context.canvas;
  const { data } = context.getImageData(0, 0, across, down);
  const colours = new Uint8Array(3 * across * down), mask = new Uint8Array(across * down);
  for (let i = 0; i < mask.length; i++) colours.set(data.subarray(4 * i, 4 * i + 3), 3 * i), mask[i] = data[4 * i + 3];
  drawing.images.push({ across, down, colours: await deflate(colours), mask: await deflate(mask) });
  drawing.lines.push("q", pdfOperator([width, 0, 0, -height, x, y + height], "cm"), `/I${drawing.images.length - 1} Do Q`);
}

// chart/export_text.js
function visibleTexts(plot) {
  const kinds = { ".legend": "legend", ".annotation": "note", ".textpoint": "mark", ".bartext": "mark" };
  const words = [];
  for (const text of plot.querySelectorAll(".main-svg text")) {
    const box = boxIn(plot, text);
    if (box.right - box.left < 0.5) continue;
    const [key, kind] = Object.entries(kinds).find(([selector]) => text.closest(selector)) ?? ["text", "fixed"];
    const node = required(text.closest(key));
    words.push({ node, box, kind: kind === "note" && node.querySelector(".annotation-arrow-g") ? "fixed" : kind });
  }
  return words;
}
function boxIn(root, node) {
  const [box, zero] = [node.getBoundingClientRect(), root.getBoundingClientRect()];
  return { left: box.left - zero.left, right: box.right - zero.left, top: box.top - zero.top, bottom: box.bottom - zero.top };
}
function moveNode(node, dx, dy) {
  node.setAttribute("transform", `translate(${shortNumber(dx)},${shortNumber(dy)})${node.getAttribute("transform") ?? ""}`);
}
function wrapText(text, size, width, families) {
  ruler.font = `${size}px ${families}`;
  const lines = [];
  for (const part of String(text).split(/<br\s*\/?>/i)) {
    const words = part.replace(/ ([=≈<>≤≥]) /g, " $1 ").replace(/(\d) (?=[%×])/g, "$1 ").split(/ (?![^<]*>)/);
    let line = words.shift() ?? "";
    for (const word of words) {
      if (ruler.measureText(textWithoutTags(`${line} ${word}`)).width <= width) line += ` ${word}`;
      else lines.push(line), line = word;
    }
    lines.push(line);
  }
  return lines;
}
function headLines({ text, subtitle }, width, families) {
  const lines = (words, size) => words ? wrapText(textWithoutTags(words), size, (width - 2 * EDGE) / FONT_ALLOWANCE, families).map((line) => ({ line, size })) : [];
  return [...lines(text, TYPE_SIZE * TITLE_SCALE), ...lines(subtitle, TYPE_SIZE)];
}
function titleHeight(head, width, families) {
  const sizes = headLines(head, width, families).map(({ size }) => size);
  return sizes.length ? GAP + sizes.reduce((sum, size) => sum + 1.3 * size, 0.08 * sizes[0]) : 0;
}
function titleElements(head, colour, width, top, families) {
  const every = headLines(head, width, families);
  let y = top - GAP - every.reduce((sum, { size }) => sum + 1.3 * size, 0);
  return every.map(({ line, size }) => {
    y += 1.3 * size;
    const text = svgElement("text", { x: EDGE, y: shortNumber(y - 0.33 * size), "font-size": size, fill: colour ?? "#000" });
    text.textContent = line;
    return text;
  });
}

// chart/export_clean.js
function verticalExtent(drawing, { t, h }) {
  const boxes = [...drawing.querySelectorAll("text, g.legend path")].map((node) => boxIn(drawing, node)).filter(({ left, right }) => right > left);
  return {
    top: Math.min(t, ...boxes.map(({ top }) => top)) - EDGE,
    bottom: Math.max(t + h, ...boxes.map(({ bottom }) => bottom)) + EDGE
  };
}
var DEFAULT_ATTRIBUTES = {
  "fill-opacity": "1",
  "stroke-opacity": "1",
  opacity: "1",
  "stroke-dasharray": "none",
  "font-weight": "normal",
  "font-style": "normal"
};
var STRAIGHT_LINE = /^M[-\d.]+,[-\d.]+[hv][-\d.]+$/;
var PAGE_ATTRIBUTES = /^(data-|style|pointer-events|vector-effect|font-family|xml:)/;
var STYLE_ATTRIBUTES = [
  ...Object.keys(DEFAULT_ATTRIBUTES),
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linejoin",
  "stroke-linecap",
  "stroke-miterlimit",
  "font-size",
  "text-anchor",
  "baseline-shift",
  "display",
  "visibility",
  "clip-path",
  "image-rendering"
];
function cleanDrawing(svg) {
  const pageParts = ".draglayer, .drag, .zoomlayer, .hoverlayer, .selectionlayer, .modebar-container, .legendtoggle, .scrollbar";
  for (const node of svg.querySelectorAll(pageParts)) node.remove();
  for (
    const node of
    /** @type {NodeListOf<SVGElement>} */
    svg.querySelectorAll("*")
  ) {
    const style = STYLE_ATTRIBUTES.map((key) => [key, node.style.getPropertyValue(key)]).filter(([, value]) => value);
    for (const { name } of [...node.attributes]) if (PAGE_ATTRIBUTES.test(name)) node.removeAttribute(name);
    for (const [key, value] of style) node.setAttribute(key, value.replace(/["']/g, "").replace(/([\d.]+)px/g, "$1"));
    for (const [key, value] of Object.entries(DEFAULT_ATTRIBUTES)) if (node.getAttribute(key) === value) node.removeAttribute(key);
    const transform = node.getAttribute("transform");
    if (transform) node.setAttribute("transform", transform.replace(/\d+\.\d{3,}/g, (digits) => shortNumber(Number(digits))));
  }
  for (const node of svg.querySelectorAll("path:not([fill])")) if (STRAIGHT_LINE.test(node.getAttribute("d") ?? "")) node.setAttribute("fill", "none");
  for (const node of svg.querySelectorAll("rect, path")) if (isInvisible(node)) node.remove();
  for (const text of svg.querySelectorAll("text")) trimSpaces(text);
  const values = [...svg.querySelectorAll("*")].flatMap((node) => [...node.attributes].map(({ value }) => value));
  const used = new Set(values.map((value) => value.match(/^url\(#([^)]+)\)/)?.[1]));
  for (const node of svg.querySelectorAll("clipPath, linearGradient, pattern")) if (!used.has(node.id)) node.remove();
  for (let empty; (empty = svg.querySelectorAll("g:empty, defs:empty, text:empty")).length; ) for (const node of empty) node.remove();
}
function trimSpaces(text) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(
    /** @type {Text} */
    walker.currentNode
  );
  for (const node of nodes) node.data = node.data.replace(/[\u2060\u200b]/g, "").replace(/[ \t\r\n]+/g, " ");
  if (nodes.length) nodes[0].data = nodes[0].data.trimStart();
  const last = nodes.at(-1);
  if (last) last.data = last.data.trimEnd();
}
function isInvisible(node) {
  if (node.closest("clipPath, defs")) return false;
  const without = (key) => node.getAttribute(key) === "none" || Number(node.getAttribute(`${key}-opacity`) ?? 1) === 0;
  const stroked = node.hasAttribute("stroke") && !without("stroke") && Number(node.getAttribute("stroke-width") ?? 1) > 0;
  return node.getAttribute("opacity") === "0" || without("fill") && !stroked;
}
function writeTextLengths(svg) {
  for (const text of svg.querySelectorAll("text")) {
    const lines = (
      /** @type {NodeListOf<SVGTextContentElement>} */
      text.querySelectorAll("tspan.line")
    );
    for (const line of lines.length ? lines : [text]) {
      const length = line.getComputedTextLength();
      if (length > 0) line.setAttribute("textLength", shortNumber(length)), line.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
  for (const node of svg.querySelectorAll("[class]")) node.removeAttribute("class");
}

// chart/legend.js
var groupOf = (trace) => trace.legendgroup ?? trace.name;

// chart/export_grey.js
var MARKERS = ["circle-open", "square-open", "triangle-up-open", "diamond-open", "x-open"];
var SYMBOLS = ["circle", "square", "diamond", "triangle-up", "x", "triangle-down", "star", "cross", "pentagon", "hexagram"];
var PATTERNS = ["", "/", "x", ".", "\\", "-", "+", "|"];
var LIGHTEST_LINE = 138;
var [BAR_GREYS, MAP_GREYS] = [[56, 220], [144, 236]];
var DARK_TEXT = 74;
var WHITE_TEXT = 192;
var FILLS = ["rgba(0,0,0,.07)", "rgba(0,0,0,.18)", "rgba(0,0,0,.32)"];
function greyFigure(data, layout) {
  const lines = data.filter(({ line }) => line?.color);
  [...greyDashes(data)].forEach(([trace, dash], place) => distinguishLine(trace, dash, place));
  distinguishMarks(data.filter(isMarks));
  const shadeOf = lineShades(lines), shades = new Map([...lines].reverse().map((trace) => [trace.line.color, required(shadeOf.get(trace))]));
  const fills = [...new Set(data.map(({ fillcolor }) => fillcolor).filter(Boolean))];
  fills.forEach((fill, place) => shades.set(fill, FILLS[place % FILLS.length]));
  const coloursIn = (isOfKind) => [...new Set(data.filter(isOfKind).flatMap(coloursOf))];
  const bars = coloursIn(({ type }) => type === "bar"), ofAreas = new Map([...shades, ...areaShades(coloursIn(isPatch), MAP_GREYS), ...areaShades(bars, BAR_GREYS)]);
  for (const trace of data) if (trace.type === "bar" && bars.length > 1) addPattern(trace, bars, ofAreas);
  for (const trace of data) {
    const own = shadeOf.get(trace), all = isMarks(trace) && !isPatch(trace) ? shades : ofAreas;
    greyColours(trace, own ? new Map([...all, [trace.line.color, own]]) : all);
  }
  greyColours(layout, shades);
  layout.colorway = ["#444"];
}
var isMarks = ({ type, mode, marker }) => type === "scatter" && /markers/.test(mode) && !/lines/.test(mode) && Boolean(marker) && marker.opacity !== 0;
var isPatch = (trace) => isMarks(trace) && trace.x?.length === 1 && trace.x[0] === null;
var coloursOf = ({ marker }) => [marker?.color].flat().filter((colour) => typeof colour === "string");
function areaShades(colours, [darkest, lightest]) {
  if (colours.length < 2) return /* @__PURE__ */ new Map();
  const sorted = colours.map((colour) => ({ colour, ...greyLevel(colour) })).sort((a, b) => a.grey - b.grey);
  return new Map(sorted.map(({ colour, opacity }, place) => {
    const grey = Math.round(darkest + (lightest - darkest) * place / (sorted.length - 1));
    return [colour, `rgba(${grey},${grey},${grey},${opacity})`];
  }));
}
function addPattern(trace, areas, shades) {
  const { color } = trace.marker ?? {}, isList = Array.isArray(color);
  const shapeOf = (one) => PATTERNS[Math.max(0, areas.indexOf(one)) % PATTERNS.length];
  const inkOf = (one) => greyLevel(shades.get(one) ?? "#000").grey < 144 ? "#ffffff" : "#000000";
  const pattern = { shape: isList ? color.map(shapeOf) : shapeOf(color), fgcolor: isList ? color.map(inkOf) : inkOf(color) };
  trace.marker = { ...trace.marker, pattern: { ...pattern, fillmode: "overlay", size: 6, solidity: 0.25 } };
}
function distinguishMarks(traces) {
  const owners = /* @__PURE__ */ new Map();
  const chosen = /* @__PURE__ */ new Map();
  const symbolOf = (symbol, colour) => {
    const key = `${symbol} ${colour}`;
    if (!chosen.has(key)) {
      const isFree = (one) => (owners.get(one) ?? colour) === colour;
      chosen.set(key, isFree(symbol) ? symbol : SYMBOLS.find((other) => !owners.has(other)) ?? symbol);
    }
    const own = required(chosen.get(key));
    owners.set(own, colour);
    return own;
  };
  for (const trace of traces) {
    if (isPatch(trace)) continue;
    const { color, symbol = "circle" } = trace.marker;
    if (typeof color === "string" && typeof symbol === "string") trace.marker = { ...trace.marker, symbol: symbolOf(symbol, color) };
    else if (Array.isArray(color) && typeof color[0] === "string") {
      const symbols = color.map((one, place) => symbolOf(Array.isArray(symbol) ? symbol[place] : symbol, one));
      trace.marker = { ...trace.marker, symbol: symbols };
    }
  }
}
function lineShades(lines) {
  const groups = /* @__PURE__ */ new Map();
  for (const trace of lines) {
    const known = groups.get(trace.line.color) ?? [];
    groups.set(trace.line.color, known.includes(groupOf(trace)) ? known : [...known, groupOf(trace)]);
  }
  const all = [...groups].flatMap(([colour, names]) => names.map((name, rank) => ({ key: `${colour} ${name}`, rank, grey: greyLevel(colour).grey })));
  all.sort((a, b) => a.rank - b.rank || a.grey - b.grey);
  const shades = new Map(all.map(({ key }, place) => {
    const grey = Math.round(LIGHTEST_LINE * place / Math.max(1, all.length - 1));
    return [key, `rgb(${grey},${grey},${grey})`];
  }));
  return new Map(lines.map((trace) => [trace, required(shades.get(`${trace.line.color} ${groupOf(trace)}`))]));
}
function distinguishLine(trace, dash, place) {
  const marker = { symbol: MARKERS[place % MARKERS.length], size: 7, color: trace.line.color, maxdisplayed: 9 };
  if (dash) trace.line.dash = dash;
  else Object.assign(trace, { mode: "lines+markers", marker });
}
function greyColours(part, shades, words = false) {
  if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return;
  const grey = (colour) => {
    const own = greyLevel(shades.get(colour) ?? colour);
    const shade = words && own.grey < WHITE_TEXT ? Math.min(own.grey, DARK_TEXT) : own.grey;
    return `rgba(${shade},${shade},${shade},${own.opacity})`;
  };
  for (const [key, value] of Object.entries(part)) {
    if (key === "colorscale" && Array.isArray(value)) part[key] = value.map(([place, colour]) => [place, grey(colour)]);
    else if (/color$/.test(key) && typeof value === "string") part[key] = grey(value);
    else if (/color$/.test(key) && Array.isArray(value) && typeof value[0] === "string") part[key] = value.map(grey);
    else if (typeof value === "object" && !/^(x|y|z|text|customdata)$/.test(key)) greyColours(value, shades, /font$/.test(key));
  }
}
function greyLevel(colour) {
  ruler.fillStyle = "#000";
  ruler.fillStyle = colour;
  const css = (
    /** @type {string} */
    ruler.fillStyle
  );
  const parts = css[0] === "#" ? [1, 3, 5].map((at) => parseInt(css.slice(at, at + 2), 16)) : required(css.match(/[\d.]+/g)).map(Number);
  const [red, green, blue, opacity = 1] = parts;
  return { grey: Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue), opacity };
}

// chart/export_layout.js
var LEGEND_SYMBOL = 50;
var LEGEND_LAYOUT = {
  orientation: "h",
  xref: "container",
  x: 0,
  xanchor: "left",
  yref: "container",
  y: 0,
  yanchor: "bottom",
  maxheight: 9999,
  itemwidth: 40
};
function paperFigure({ figure, hidden = [], ranges = {}, names = {} }, { greySafe, typeface }, width, stacked) {
  const families = familiesOf(typeface);
  const { title, ...layout } = copyFigure(figure.layout);
  const data = figure.data.filter((trace) => !isLeftOut(trace, hidden)).map(copyFigure);
  for (const trace of data) trace.name = names[trace.name] ?? trace.name;
  for (const [key, range] of Object.entries(ranges)) layout[key] = { ...withTicks(layout[key], range), range, autorange: false };
  const tall = Math.max(0.8, (layout.height ?? 450) / 450);
  const plotHeight = Math.round((stacked || Math.min(420, Math.max(190, 0.56 * width))) * tall);
  Object.assign(layout, {
    width,
    height: plotHeight + 120,
    margin: { l: 60, r: 20, t: 60, b: 60 },
    font: { ...layout.font, family: families, size: TYPE_SIZE },
    paper_bgcolor: "rgba(0,0,0,0)",
    hovermode: false,
    legend: { ...layout.legend, ...LEGEND_LAYOUT }
  });
  for (const key of Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name))) {
    const axis = layout[key], across = key[0] === "x";
    const [from, to] = axis.domain ?? [0, 1];
    Object.assign(axis, { automargin: false, tickangle: 0 }, { ticklabelstandoff: across ? 8 : 3 });
    if (axis.title?.text) {
      const length = across ? (width - 90) * (to - from) : Math.max(plotHeight * (to - from), 120);
      const font = { size: TYPE_SIZE, ...axis.title.font };
      axis.title = { ...axis.title, font, text: wrapText(axis.title.text, font.size, length, families).join("<br>") };
    }
  }
  for (const { line, type = "scatter" } of data) if (line && type === "scatter") line.simplify = false;
  for (const { colorbar } of data) if (colorbar) colorbar.tickangle = 0;
  for (const trace of data) if (trace.name) trace.name = wrapText(trace.name, TYPE_SIZE, (width - 74) / FONT_ALLOWANCE, families).join("<br>");
  if (greySafe) greyFigure(data, layout);
  return { data, layout };
}
var isLeftOut = (trace, hidden) => hidden.includes(groupOf(trace));
function withTicks(axis, range) {
  const [low, high] = [...range].sort((a, b) => a - b), { tickvals, ticktext, ...rest } = axis ?? {};
  const places = (tickvals ?? []).map((value) => rest.type === "log" ? Math.log10(value) : value);
  return tickvals && places.filter((place) => place >= low && place <= high).length < 2 ? { ...rest, tickmode: "auto" } : axis;
}
function fitMargins(plot, layout) {
  const thinned = visibleAxes(plot).map((axis) => thinTickLabels(plot, axis, layout)).some(Boolean);
  for (const axis of visibleAxes(plot)) placeAxisTitle(plot, axis);
  const { l, r, w } = plot._fullLayout._size;
  let [left, right] = [l, l + w];
  for (const { box, kind } of visibleTexts(plot)) {
    const middle = (box.left + box.right) / 2;
    if (kind === "legend" || kind !== "fixed" && middle > l && middle < l + w) continue;
    const more = (FONT_ALLOWANCE - 1) * (box.right - box.left) * (middle > l && middle < l + w ? 0.5 : 1);
    left = Math.min(left, box.left - more);
    right = Math.max(right, box.right + more);
  }
  const margin = { ...layout.margin, l: Math.ceil(l - left) + EDGE, r: Math.max(10, Math.ceil(right - l - w) + EDGE) };
  margin.l = Math.max(10, margin.l);
  const isWider = Math.abs(margin.l - l) > 1 || Math.abs(margin.r - r) > 1;
  if (isWider) layout.margin = margin;
  return thinned || isWider;
}
function visibleAxes(plot) {
  const { _fullLayout: all } = plot;
  return Object.keys(all).filter((key) => /^[xy]axis\d*$/.test(key) && all[key].visible !== false).map((key) => ({ key, axis: all[key] }));
}
function endsAndMiddle(ticks, { type, range }) {
  const places = ticks.map(({ x }) => x).sort((a, b) => a - b), first = places[0], last = places[places.length - 1], middle = (first + last) / 2;
  const step = (last - first) / (places.length - 1), isEven = places.every((x, place) => Math.abs(x - first - step * place) < 1e-6 * step);
  const isPlain = type === "linear" && isEven && ticks.every(({ x, text }) => Math.abs(Number(text) - x) < 1e-6 * step);
  const isToEnd = Math.abs(last - Math.max(...range)) < 1e-6 * Math.abs(last - first), isWhole = places.every(Number.isInteger);
  return isPlain && places.length % 2 === 0 && isToEnd && (!isWhole || Number.isInteger(middle)) ? [first, middle, last] : null;
}
function thinTickLabels(plot, { key, axis }, layout) {
  const across = key[0] === "x";
  const ticks = [...plot.querySelectorAll(`.${axis._id}tick text`)].map((node) => ({ box: boxIn(plot, node), tick: (
    /** @type {any} */
    node.__data__
  ) }));
  const labelled = ticks.filter(({ box, tick }) => tick.text && box.right > box.left);
  labelled.sort((a, b) => across ? a.box.left - b.box.left : b.box.bottom - a.box.bottom);
  const free = (a, b) => across ? b.box.left - a.box.right >= 5 : a.box.top - b.box.bottom >= 2;
  const all = ticks.map(({ tick }) => tick).filter(({ text: text2 }) => text2), isCut = all.length > labelled.length;
  const few = endsAndMiddle(all, axis);
  if (!isCut && labelled.every((label, place) => place === 0 || free(labelled[place - 1], label))) return false;
  if (few) {
    Object.assign(layout[key], { tickmode: "array", tickvals: few, ticktext: few.map(String) });
    return true;
  }
  if (isCut) return false;
  let remaining = labelled;
  const steps = labelled.slice(1).map(({ tick }, place) => Math.abs(tick.x - labelled[place].tick.x));
  const even = Math.max(...steps) - Math.min(...steps) < 1e-6 * Math.max(...steps);
  for (let every = 2; even && every < labelled.length; every++) {
    remaining = labelled.filter((_, place) => place % every === 0);
    if (remaining.every((label, place) => place === 0 || free(remaining[place - 1], label))) break;
  }
  if (!even) {
    remaining = [];
    for (const label of labelled) if (remaining.length === 0 || free(remaining[remaining.length - 1], label)) remaining.push(label);
  }
  const value = ({ tick }) => axis.type === "log" ? 10 ** tick.x : tick.x;
  const text = (label) => remaining.includes(label) ? label.tick.text : "";
  Object.assign(layout[key], { tickmode: "array", tickvals: labelled.map(value), ticktext: labelled.map(text) });
  return true;
}
function placeAxisTitle(plot, { axis }) {
  const title = plot.querySelector(`.g-${axis._id}title`);
  if (!title?.textContent) return;
  const box = boxIn(plot, title), { l, t, w, h } = plot._fullLayout._size;
  const ticks = [...plot.querySelectorAll(`.${axis._id}tick text`)].map((node) => boxIn(plot, node)).filter(({ left, right }) => right > left);
  const more = (FONT_ALLOWANCE - 1) * Math.max(0, ...ticks.map(({ left, right }) => right - left)) + GAP;
  const [from, to] = axis._anchorAxis?.domain ?? [0, 1];
  if (axis.side === "bottom") {
    const aside = Math.max(0, EDGE - box.left) - Math.max(0, box.right - plot._fullLayout.width + EDGE);
    moveNode(title, aside, Math.max(t + h * (1 - from), ...ticks.map(({ bottom }) => bottom)) + 2 - box.top);
  } else if (axis.side === "left") moveNode(title, Math.min(l + w * from, ...ticks.map(({ left }) => left)) - more - box.right, 0);
  else if (axis.side === "right") moveNode(title, Math.max(l + w * to, ...ticks.map(({ right }) => right)) + more - box.left, 0);
}
function placeLabels(plot, room) {
  separateTickLabels(plot);
  for (const axis of visibleAxes(plot)) placeAxisTitle(plot, axis);
  const { l, t, w, h } = plot._fullLayout._size, legend = plot.querySelector("g.legend");
  const foot = (without) => {
    const above = visibleTexts(plot).filter(({ node }) => !without.some((part) => part.contains(node)));
    return Math.max(t + h, ...above.map(({ box }) => box.bottom));
  };
  const bars = [...plot.querySelectorAll(".colorbar")].filter((bar) => boxIn(plot, bar).bottom > t + h);
  const below = [...bars, ...legend ? [legend] : []];
  for (const bar of bars) {
    moveNode(bar, 0, foot(below) + GAP - boxIn(plot, bar).top);
    thinColourBarLabels(plot, bar);
  }
  const words = visibleTexts(plot), lowest = foot(legend ? [legend] : []);
  if (legend) placeLegend(plot, legend, Math.max(lowest, t + h + room.foot) + GAP, room.legend);
  const inside = { left: EDGE, right: plot._fullLayout.width - EDGE, top: -Infinity, bottom: lowest };
  const plotBox = { left: l, right: l + w, top: t, bottom: t + h };
  const obstacles = words.filter(({ kind }) => kind === "fixed").map(({ box }) => widenBox(box));
  for (const { node, box: own } of words.filter(({ kind }) => kind === "note" || kind === "mark")) {
    const box = widenBox(own), [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const within = x > plotBox.left && x < plotBox.right && y > plotBox.top && y < plotBox.bottom;
    const move = smallestMove(box, within ? { ...inside, top: t, bottom: t + h } : inside, obstacles, within);
    if (!move) return false;
    if (move[0] || move[1]) moveNode(node, move[0], move[1]);
    obstacles.push(shiftBox(box, move[0], move[1]));
  }
  return true;
}
function separateTickLabels(plot) {
  const remaining = [];
  for (const node of plot.querySelectorAll("[class$=tick] text")) {
    const box = boxIn(plot, node);
    if (remaining.some((other) => overlaps(box, other, 0))) node.textContent = "";
    else if (box.right > box.left) remaining.push(box);
  }
}
function thinColourBarLabels(plot, bar) {
  const ticks = [...bar.querySelectorAll("[class$=tick] text")].map((node) => ({ node, box: widenBox(boxIn(plot, node)) }));
  ticks.sort((a, b) => a.box.left - b.box.left);
  let end = -Infinity;
  for (const { node, box } of ticks) {
    if (box.left < end + 3) node.textContent = "";
    else end = box.right;
  }
}
function placeLegend(plot, legend, top, width) {
  const entries = [...legend.querySelectorAll(".traces")].map((node) => ({ node, box: boxIn(plot, required(node.querySelector("text"))) }));
  let [x, y, tallest] = [0, top, 0];
  for (const { node, box } of entries) {
    const [length, tall] = [FONT_ALLOWANCE * (box.right - box.left) + LEGEND_SYMBOL, box.bottom - box.top + 2];
    if (x > 0 && x + length > width - EDGE) [x, y, tallest] = [0, y + tallest, 0];
    moveNode(node, x - box.left + LEGEND_SYMBOL, y - box.top);
    x += length + 2 * GAP;
    tallest = Math.max(tallest, tall);
  }
  for (const clipped of legend.querySelectorAll("[clip-path]")) clipped.removeAttribute("clip-path");
  for (const node of legend.querySelectorAll(".bg")) node.remove();
}
function smallestMove(box, frame, others, both) {
  const home = Math.max(0, frame.left - box.left) - Math.max(0, box.right - frame.right);
  const lift = Math.max(0, frame.top - box.top) - Math.max(0, box.bottom - frame.bottom);
  const fits = ([dx, dy]) => {
    const there = shiftBox(box, dx, dy);
    return isInside(there, frame) && !others.some((other) => overlaps(there, other));
  };
  if (fits([home, lift])) return [home, lift];
  const moves = [];
  for (let dx = -240; dx <= 240; dx += 4) {
    for (let dy = -240; dy <= (both ? 240 : 0); dy += 2) moves.push([home + dx, lift + dy, Math.abs(dx) + Math.abs(dy)]);
  }
  moves.sort((a, b) => a[2] - b[2]);
  return moves.find(fits);
}
var shiftBox = ({ left, right, top, bottom }, dx, dy) => ({ left: left + dx, right: right + dx, top: top + dy, bottom: bottom + dy });
function widenBox({ left, right, ...vertical }) {
  const more = (FONT_ALLOWANCE - 1) * (right - left) / 2;
  return { left: left - more, right: right + more, ...vertical };
}
function isInside(box, frame) {
  const [across, down] = [box.left >= frame.left - 0.5 && box.right <= frame.right + 0.5, box.top >= frame.top - 0.5];
  return across && down && box.bottom <= frame.bottom + 0.5;
}
function overlaps(a, b, gap = 2) {
  const across = a.left < b.right + gap && b.left < a.right + gap;
  return across && a.top < b.bottom + gap && b.top < a.bottom + gap;
}
function copyFigure(value) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map(copyFigure) : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyFigure(part)]));
}

// chart/export_legend.js
var LOOKS = ["type", "mode", "name", "line", "marker", "fill", "fillcolor", "fillpattern", "opacity"];
function shareLegend(figures, place) {
  const legends = figures.map(entriesOf), longest = legends.reduce((most, one) => one.length > most.length ? one : most), looks = new Set(longest.map(lookOf));
  const repeated = legends.filter((legend) => legend.length > 0).length > 1;
  if (!repeated || !longest.every(({ type = "scatter" }) => type === "scatter") || !legends.flat().every((trace) => looks.has(lookOf(trace)))) return false;
  for (const { data, layout } of figures) {
    layout.showlegend = false;
    for (const trace of data) trace.showlegend = false;
  }
  const samples = longest.map((trace) => ({ ...Object.fromEntries(LOOKS.filter((key) => key in trace).map((key) => [key, trace[key]])), x: [null], y: [null], showlegend: true }));
  figures[place].data.push(...samples);
  figures[place].layout.showlegend = true;
  return true;
}
function entriesOf({ data, layout }) {
  const named = data.filter(({ name, visible, showlegend }) => name && visible !== false && visible !== "legendonly" && showlegend !== false);
  return layout.showlegend ?? (named.length > 1 || named[0]?.showlegend) ? named : [];
}
var lookOf = ({ name, mode, line, marker, fillcolor }) => JSON.stringify([name, mode, line?.color, line?.dash ?? "solid", marker?.color, marker?.symbol, fillcolor]);

// chart/export_looks.js
function looksOf({ figure, hidden = [] }, { data, layout }) {
  const rest = [...data], { xaxis, yaxis, shapes = [], annotations = [] } = layout;
  return {
    data: figure.data.map((trace) => isLeftOut(trace, hidden) ? null : lookOf2(rest.shift())),
    layout: {
      xaxis: { range: xaxis?.range, title: { text: xaxis?.title?.text } },
      yaxis: { range: yaxis?.range, title: { text: yaxis?.title?.text } },
      shapes: shapes.map(({ line }) => ({ line: { color: line?.color } })),
      annotations: annotations.map(({ font }) => ({ font: { color: font?.color } }))
    }
  };
}
function lookOf2({ name, mode, fillcolor, line, marker }) {
  const { symbol, size, maxdisplayed, pattern } = marker ?? {};
  const mark = { color: wordsIn(marker?.color), symbol: wordsIn(symbol), size: typeof size === "number" ? size : void 0, maxdisplayed, pattern: pattern && { shape: pattern.shape, fgcolor: pattern.fgcolor } };
  return { name, mode, fillcolor, line: { color: wordsIn(line?.color), dash: line?.dash }, marker: marker && mark };
}
var wordsIn = (look) => typeof look === "string" || Array.isArray(look) && typeof look[0] === "string" ? look : void 0;

// chart/export_sheet.js
var LEAST_WIDTH = 280;
var LEAST_BESIDE = 185;
var LEAST_PLOT = 60;
var [LEAST_STACKED, STACKED_SHARE] = [94, 0.24];
var [MOST_ROW, LEAST_OF_PLOT] = [0.64, 0.7];
var LEAST_SHARE = 0.8;
var PANEL_GAP = 18;
async function drawSheet(Plotly, panels, paper, holder) {
  const { width, columns } = arrangement(panels.length, paper), rows = Math.ceil(panels.length / columns);
  const panelWidth = (width - PANEL_GAP * (columns - 1)) / columns;
  const wanted = paper.heightMm ? paper.heightMm * width / paper.widthMm : 0;
  const root = svgElement("svg", { "font-family": familiesOf(paper.typeface), "font-size": TYPE_SIZE, "text-rendering": "geometricPrecision", role: "img" });
  holder.append(root);
  const stacked = rows > 1 ? Math.max(LEAST_STACKED, STACKED_SHARE * panelWidth) : 0;
  const figuresOf = () => panels.map((panel) => paperFigure(panel, paper, panelWidth, stacked)), lastRow = (rows - 1) * columns;
  const isShared = shareLegend(figuresOf(), lastRow), noRoom = { above: 0, below: 0, foot: 0, legend: isShared ? width : panelWidth, share: isShared || stacked ? 1 : LEAST_SHARE };
  const drawRow = async (first, height, room = noRoom) => {
    const figures = figuresOf(), drawn = [];
    if (isShared) shareLegend(figures, lastRow);
    for (let place = first; place < Math.min(first + columns, panels.length); place++) drawn.push(await drawPanel(Plotly, panels[place], figures[place], paper, holder, panelWidth, height, room));
    return drawn;
  };
  const rowHeights = Array(rows).fill(wanted);
  if (rows > 1) {
    const words = [], plots = [];
    for (let first = 0; first < panels.length; first += columns) {
      const drawn = await drawRow(first, 0), heights = drawn.map((panel) => panel.heights);
      words.push(largest(heights, "above") + largest(heights, "below"));
      plots.push(largest(heights, "plot"));
      for (const { svg } of drawn) svg.remove();
    }
    const left = (wanted || rows * MOST_ROW * panelWidth) - PANEL_GAP * (rows - 1) - total(words), share = Math.max(LEAST_OF_PLOT, left / total(plots));
    if (wanted || share < 1) rowHeights.splice(0, rows, ...words.map((one, row) => one + (wanted ? Math.max(LEAST_PLOT, left / rows) : share * plots[row])));
  }
  let top = 0;
  for (let first = 0; first < panels.length; first += columns) {
    const height = rowHeights[first / columns];
    let drawn = await drawRow(first, height), room = noRoom;
    for (let round = 0; drawn.length > 1 && round < 3; round++) {
      const heights = drawn.map((panel) => panel.heights), [above, below] = [largest(heights, "above"), largest(heights, "below")];
      if (round && above < room.above + 0.5 && below < room.below + 0.5) break;
      room = { ...room, above, below, foot: room.foot || (isShared ? largest(heights.slice(1), "below") : 0) };
      for (const { svg } of drawn) svg.remove();
      drawn = await drawRow(first, height || above + largest(heights, "plot") + below, room);
    }
    if (first) top += PANEL_GAP;
    drawn.forEach(({ svg, high }, column) => {
      const group = svgElement("g", { transform: `translate(${shortNumber(column * (panelWidth + PANEL_GAP))},${shortNumber(top - high)})` });
      group.append(...svg.childNodes);
      svg.remove();
      root.append(group);
    });
    top += Math.max(...drawn.map(({ heights }) => heightOf(heights)));
  }
  const frame = [0, 0, width, top].map(shortNumber);
  if (!paper.transparent) root.prepend(svgElement("rect", { x: 0, y: 0, width: frame[2], height: frame[3], fill: "#fff" }));
  const widthMm = paper.widthMm, heightMm = Number(frame[3]) * widthMm / Number(frame[2]);
  root.setAttribute("viewBox", frame.join(" "));
  root.setAttribute("width", `${widthMm}mm`);
  root.setAttribute("height", `${shortNumber(heightMm)}mm`);
  writeTextLengths(root);
  const looks = figuresOf().map((figure, place) => looksOf(panels[place], figure));
  return { svg: root, widthMm, heightMm, columns, looks, title: panels.map(({ figure, letter }) => letter + textWithoutTags(figure.layout.title?.text ?? "")).join("; ") };
}
var heightOf = ({ above, plot, below }) => above + plot + below;
var total = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
var largest = (heights, part) => Math.max(...heights.map((one) => one[part]));
function arrangement(count, { widthMm, typePt, arrangement: wanted }) {
  const width = widthMm / 25.4 * 96 * TYPE_SIZE * 0.75 / typePt;
  if (wanted === "row") return { width: Math.max(LEAST_BESIDE * count + PANEL_GAP * (count - 1), width), columns: count };
  const most = wanted === "column" ? 1 : Math.max(1, Math.floor((width + PANEL_GAP) / (LEAST_WIDTH + PANEL_GAP)));
  const columns = Math.ceil(count / Math.ceil(count / most));
  return { width: Math.max(LEAST_WIDTH, width), columns };
}
async function drawPanel(Plotly, panel, { data, layout }, paper, holder, width, wanted, room) {
  const usual = room.share * (layout.height - layout.margin.t - layout.margin.b);
  const plot = (
    /** @type {Plot} */
    /** @type {HTMLElement} */
    document.createElement("div")
  );
  holder.append(plot);
  await Plotly.newPlot(plot, data, layout, { staticPlot: true });
  const missing = usual - plot._fullLayout._size.h;
  if (!wanted && missing > 0) await Plotly.react(plot, data, Object.assign(layout, { height: layout.height + missing }));
  for (let round = 0; round < 4 && fitMargins(plot, layout); round++) await Plotly.react(plot, data, layout);
  const families = familiesOf(paper.typeface), head = panelHead(panel, paper), above = titleHeight(head, width, families);
  const heightsOf = (drawing, { t: t2, h: h2 }) => {
    const { top, bottom } = verticalExtent(drawing, { t: t2, h: h2 });
    return { above: Math.max(room.above, t2 - top + above), plot: h2, below: Math.max(room.below, bottom - t2 - h2) };
  };
  for (let round = 0, isPlaced = placeLabels(plot, room); round < 4; round++, isPlaced = placeLabels(plot, room)) {
    const size = plot._fullLayout._size, least = layout.height - size.h + LEAST_PLOT;
    const height = wanted ? Math.max(least, layout.height + wanted - heightOf(heightsOf(plot, size))) : layout.height + (isPlaced ? 0 : 80);
    if (Math.abs(height - layout.height) < 0.5) break;
    layout.height = height;
    await Plotly.react(plot, data, layout);
    if (fitMargins(plot, layout)) await Plotly.react(plot, data, layout);
  }
  const svg = svgElement("svg", { "font-family": familiesOf(paper.typeface), "font-size": TYPE_SIZE });
  for (const layer of plot.querySelectorAll(".main-svg")) svg.append(...layer.cloneNode(true).childNodes);
  const { t, h } = plot._fullLayout._size;
  Plotly.purge(plot);
  plot.remove();
  holder.append(svg);
  cleanDrawing(svg);
  const heights = heightsOf(svg, { t, h }), spare = wanted - heightOf(heights);
  if (wanted && spare > -2) heights.below += spare;
  svg.append(...titleElements(head, layout.font.color, width, t - heights.above + above, families));
  return { svg, high: t - heights.above, heights };
}
function panelHead({ figure, letter, subtitle }, { titled, greySafe }) {
  const { title } = figure.layout, explained = subtitle ?? title?.subtitle?.text ?? "";
  return titled ? { text: letter + (title?.text ?? ""), subtitle: greySafe ? withoutColours(explained) : explained } : { text: letter.trim(), subtitle: "" };
}

// chart/export.js
var PNG_DPI = 300;
async function pictureFile(Plotly, figures, options) {
  await loadFont(options);
  const host = document.createElement("div");
  host.style.cssText = "all:initial;text-rendering:geometricPrecision;position:fixed;left:-20000px;top:0";
  host.setAttribute("aria-hidden", "true");
  const holder = host.attachShadow({ mode: "open" });
  holder.innerHTML = "<style>.main-svg {position: absolute; top: 0; left: 0}</style>";
  document.body.append(host);
  try {
    const panels = figures.map((figure, place) => ({ ...figure, letter: panelLetter(place, figures.length) }));
    const sheet = await drawSheet(Plotly, panels, options, holder);
    const blob = await { svg: svgFile, png: pngFile, pdf: pdfFile }[options.format](sheet, options);
    return { blob, heightMm: sheet.heightMm, columns: sheet.columns, looks: sheet.looks };
  } finally {
    host.remove();
  }
}
var fontFaces = /* @__PURE__ */ new Map();
async function loadFont({ typeface, font }) {
  const family = familyOf(typeface), face = fontFaces.get(family) ?? await new FontFace(family, font).load();
  fontFaces.set(family, face);
  document.fonts.add(face);
}
async function svgFile({ svg, title }, options) {
  return new Blob([svgText(svg, title, options)], { type: "image/svg+xml" });
}
function svgText(svg, title, { link, version, date, alternative, typeface, font }) {
  const whole = (
    /** @type {SVGSVGElement} */
    svg.cloneNode(true)
  );
  const fields = { "dc:title": title, "dc:description": alternative, "dc:source": link, "dc:creator": creator(version), "dc:date": date };
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
  return `<?xml version="1.0" encoding="UTF-8"?>
${text.replace("</desc>", () => `</desc>${metadata}`)}
`;
}
async function pngFile(sheet, options) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(sheet.widthMm / 25.4 * PNG_DPI);
  canvas.height = Math.round(sheet.heightMm / 25.4 * PNG_DPI);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(sheet.svg, sheet.title, options))}`;
  await image.decode();
  const context = required(canvas.getContext("2d"));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  await new Promise((resolve) => setTimeout(resolve, 30));
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return new Blob([pngWithMetadata(new Uint8Array(await blob.arrayBuffer()), sheet.title, options)], { type: "image/png" });
}
function pngWithMetadata(bytes, title, { link, version, date, alternative }) {
  const perMetre = Math.round(PNG_DPI / 0.0254);
  const resolution = new Uint8Array(9);
  new DataView(resolution.buffer).setUint32(0, perMetre);
  new DataView(resolution.buffer).setUint32(4, perMetre);
  resolution[8] = 1;
  const fields = { Title: title, Description: alternative, Source: link, Software: creator(version), "Creation Time": date };
  const words = Object.entries(fields).map(([key, value]) => pngChunk("iTXt", utf8(`${key}\0\0\0\0\0${value}`)));
  return concatenate([bytes.subarray(0, 33), pngChunk("pHYs", resolution), ...words, bytes.subarray(33)]);
}
function pngChunk(type, data) {
  const body = concatenate([utf8(type), data]);
  const ends = new DataView(new ArrayBuffer(8));
  ends.setUint32(0, data.length);
  let checksum = 4294967295;
  for (const byte of body) {
    checksum ^= byte;
    for (let bit = 0; bit < 8; bit++) checksum = checksum >>> 1 ^ (checksum & 1 ? 3988292384 : 0);
  }
  ends.setUint32(4, ~checksum >>> 0);
  return concatenate([new Uint8Array(ends.buffer, 0, 4), body, new Uint8Array(ends.buffer, 4)]);
}
export {
  pictureFile
};
