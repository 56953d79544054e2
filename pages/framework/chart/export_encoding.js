// Saved figures: numbers, text and bytes as the files of a figure hold them.
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
/** @param {string} version */
export const creator = (version) => `DP Trade-off Explorer ${version}`;
/** @param {number} value */
export const shortNumber = (value) => String(Math.round(value * 100) / 100);
/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);
/**
 * Replace the characters that XML does not allow, such as U+FFFF in a name: one of them makes the whole file unreadable.
 * @param {string} text
 */
export const legalXml = (text) => text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}");
/** @param {string} text */
export const escapeXml = (text) => legalXml(String(text)).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Return the letter before a panel, and a space; an empty text where it is alone.
 * @param {number} place
 * @param {number} count
 */
export const panelLetter = (place, count) => (count > 1 ? `(${String.fromCharCode(97 + place)}) ` : "");

/**
 * Make an element of an SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Record<string, string | number>} [attributes]
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svgElement(name, attributes = {}) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @param {Uint8Array<ArrayBuffer>[]} parts */
export function concatenate(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) whole.set(part, at), (at += part.length);
  return whole;
}

/** @param {Uint8Array} bytes */
export function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/**
 * Return a text without Plotly's tags and entities: "a<br>b &lt; <b>c</b>" is "a b < c".
 * @param {string} text
 */
export function textWithoutTags(text) {
  const field = document.createElement("textarea");
  field.innerHTML = String(text).replace(/<br\s*\/?>/gi, " ").replace(/<\/?(b|i|u|s|em|sub|sup|span|a)\b[^<>]*>/gi, "");
  return field.value.replace(/\u2060/g, "").trim();
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export async function deflate(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer());
}

const FREE_DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];

/**
 * Return the dash of each line of the legend in grey print: its own if no line of the legend before has it, else one that
 * no line of the figure wears, "" where they run out. A dash that means something, "Dotted: outside the theorem", so
 * keeps that meaning.
 * @param {any[]} data the traces that are drawn
 * @returns {Map<any, string>} by trace
 */
export function greyDashes(data) {
  const isLine = (/** @type {any} */ {type = "scatter", mode = "lines", visible, line}) => type === "scatter" && visible !== false && mode.includes("lines") && line?.color && line.width !== 0;
  const dashOf = (/** @type {any} */ {line}) => line.dash || "solid", lines = data.filter(isLine), worn = new Set(lines.map(dashOf)), own = new Set();
  const free = FREE_DASHES.filter((dash) => !worn.has(dash)), named = lines.filter(({name, showlegend}) => name && showlegend !== false);
  return new Map(named.map((trace) => [trace, own.has(dashOf(trace)) ? free.shift() ?? "" : (own.add(dashOf(trace)), dashOf(trace))]));
}

/**
 * Return a text of a chart without the colours of the signs that it explains: "×: guarantee violated" for "Red ×: …", and
 * "dashed: plain" for "dashed blue: plain".
 * @param {string} text
 */
export const withoutColours = (text) => text.replace(/\bRed (?=×)|(?<=\bdashed) blue(?=:)/g, "");
