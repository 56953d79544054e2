// The PDF file around a drawing: its objects, the font, and the metadata on its origin (PDF 32000-1).
import {concatenate, creator, deflate, escapeXml, utf8} from "./export_encoding.js";
import {familyOf} from "./export_style.js";

/** @typedef {import("./export.js").Options} Options */
/** @typedef {import("./export_pdf.js").Drawing} Drawing */
/** @typedef {string | [dictionary: string, stream: Uint8Array<ArrayBuffer>]} PdfObject a stream has its dictionary without ends */

/**
 * Read a TrueType font: the glyph of a letter (0 for none), and its advance in parts of the type size.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function fontTables(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Record<string, number>} */
  const tables = {};
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + 16 * i;
    tables[String.fromCharCode(...bytes.subarray(at, at + 4))] = view.getUint32(at + 8);
  }
  const unit = view.getUint16(tables.head + 18), wide = view.getUint16(tables.hhea + 34);
  /** @param {number} glyph */
  const advance = (glyph) => view.getUint16(tables.hmtx + 4 * Math.min(glyph, wide - 1)) / unit;
  return {bytes, advance, glyph: glyphMap(view, tables.cmap)};
}

/**
 * Return the map from letters to glyphs: the font's table of format 4.
 * @param {DataView} view
 * @param {number} cmap
 */
function glyphMap(view, cmap) {
  let at = 0;
  for (let i = 0; i < view.getUint16(cmap + 2); i++) {
    const table = cmap + view.getUint32(cmap + 8 + 8 * i);
    if (view.getUint16(table) === 4) at = table;
  }
  const glyphs = new Map(), segments = view.getUint16(at + 6) / 2;
  const [ends, starts, deltas, offsets] = [14, 16 + 2 * segments, 16 + 4 * segments, 16 + 6 * segments].map((by) => at + by);
  for (let i = 0; i < segments; i++) {
    const [end, start, delta, offset] = [ends, starts, deltas, offsets].map((list) => view.getUint16(list + 2 * i));
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph = offset ? view.getUint16(offsets + 2 * i + offset + 2 * (code - start)) : code;
      if (glyph) glyphs.set(code, (glyph + delta) & 0xffff);
    }
  }
  return (/** @type {number} */ code) => glyphs.get(code) ?? 0;
}

/**
 * @param {Drawing} drawing
 * @param {number[]} size
 * @param {string} title
 * @param {Options} options
 */
export async function pdfDocument(drawing, size, title, options) {
  const box = `[0 0 ${size.map((side) => side.toFixed(4)).join(" ")}]`;
  /** @type {PdfObject[]} */
  const objects = []; // each a text, or [text of a dictionary without its ends, stream]
  const add = (/** @type {PdfObject} */ object) => objects.push(object); // its number
  const pages = 2;
  add("<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>");
  add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  const page = add("") - 1;
  add(["/Type /Metadata /Subtype /XML", utf8(xmpMetadata(title, options))]);
  const info = add(infoDictionary(title, options));
  const content = add(["/Filter /FlateDecode", await deflate(utf8(drawing.lines.join("\n")))]);
  const states = [...drawing.states].map(([state, name]) => `/${name} << ${state} >>`).join(" ");
  const font = drawing.used.size ? `/Font << /F ${await addFont(drawing, familyOf(options.typeface).replace(" ", ""), add)} 0 R >>` : "";
  const images = drawing.images.map(({across, down, colours, mask}, place) => {
    const head = `/Type /XObject /Subtype /Image /Width ${across} /Height ${down} /BitsPerComponent 8 /Filter /FlateDecode`;
    const soft = add([`${head} /ColorSpace /DeviceGray`, mask]);
    return `/I${place} ${add([`${head} /ColorSpace /DeviceRGB /SMask ${soft} 0 R`, colours])} 0 R`;
  });
  const resources = `<< /ExtGState << ${states} >> ${font} /XObject << ${images.join(" ")} >> >>`;
  const group = "/Group << /S /Transparency /CS /DeviceRGB >>";
  objects[page] = `<< /Type /Page /Parent ${pages} 0 R /MediaBox ${box} /Contents ${content} 0 R /Resources ${resources} ${group} >>`;
  return pdfBytes(objects, info);
}

/**
 * Add the font, the widths of the glyphs in use and the letters that they stand for. Return the number of its object.
 * @param {Drawing} drawing
 * @param {string} name
 * @param {(object: PdfObject) => number} add
 */
async function addFont({font, used}, name, add) {
  const glyphs = [...used].sort(([a], [b]) => a - b);
  /** @param {number} number */
  const hex = (number) => number.toString(16).padStart(4, "0");
  const letters = glyphs.map(([glyph, letter]) => `<${hex(glyph)}> <${utf16Hex(letter)}>`);
  const blocks = [];
  for (let at = 0; at < letters.length; at += 100) {
    const block = letters.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
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
/Ascent 920 /Descent -250 /CapHeight 660 /StemV 80 /FontFile2 ${file} 0 R >>`,
  );
  const widths = glyphs.map(([glyph]) => `${glyph} [${Math.round(1000 * font.advance(glyph))}]`).join(" ");
  const inner = add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /FontDescriptor ${descriptor} 0 R /CIDToGIDMap /Identity
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /W [${widths}] >>`,
  );
  return add(`<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H
/DescendantFonts [${inner} 0 R] /ToUnicode ${letter} 0 R >>`);
}

/** @param {string} text */
function utf16Hex(text) {
  return Array.from({length: text.length}, (_, i) => text.charCodeAt(i).toString(16).padStart(4, "0")).join("");
}

/**
 * @param {string} title
 * @param {Options} options
 */
function infoDictionary(title, {link, version, date, alternative}) {
  const fields = {Title: title, Subject: alternative, Keywords: link, Creator: creator(version), Producer: creator(version)};
  const entries = Object.entries(fields).map(([key, value]) => `/${key} <feff${utf16Hex(value)}>`);
  return `<< ${entries.join(" ")} /CreationDate (D:${date.replaceAll("-", "")}) >>`;
}

/**
 * @param {string} title
 * @param {Options} options
 */
function xmpMetadata(title, {link, version, date, alternative}) {
  /** @param {string} text */
  const words = (text) => `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`;
  const space = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"';
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${space}>
<dc:title>${words(title)}</dc:title><dc:description>${words(alternative)}</dc:description><dc:source>${escapeXml(link)}</dc:source>
<xmp:CreatorTool>${escapeXml(creator(version))}</xmp:CreatorTool><xmp:CreateDate>${escapeXml(date)}</xmp:CreateDate>
<pdf:Producer>${escapeXml(creator(version))}</pdf:Producer><pdf:Keywords>${escapeXml(link)}</pdf:Keywords>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}

/**
 * @param {PdfObject[]} objects
 * @param {number} info
 */
function pdfBytes(objects, info) {
  const parts = [utf8("%PDF-1.4\n%\u00e9\u00e9\u00e9\u00e9\n")], places = [];
  let length = parts[0].length;
  /** @param {Uint8Array<ArrayBuffer>} part */
  const put = (part) => (parts.push(part), (length += part.length));
  for (const [place, object] of objects.entries()) {
    places.push(length);
    const [head, stream] = typeof object === "string" ? [object] : [`<< ${object[0]} /Length ${object[1].length} >>`, object[1]];
    put(utf8(`${place + 1} 0 obj\n${head}\n`));
    if (stream) for (const part of [utf8("stream\n"), stream, utf8("\nendstream\n")]) put(part);
    put(utf8("endobj\n"));
  }
  const start = length, table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  put(utf8(`xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R /Info ${info} 0 R >>\n`));
  put(utf8(`startxref\n${start}\n%%EOF\n`));
  return concatenate(parts);
}
