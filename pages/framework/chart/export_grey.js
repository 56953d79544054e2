// Saved figures for grey print: every colour becomes a grey, and lines that a legend distinguishes get shades and dashes
// of their own, or marks where the dashes run out.
import {required} from "../browser/required.js";
import {ruler} from "./export_style.js";

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
const MARKERS = ["circle-open", "square-open", "triangle-up-open", "diamond-open", "x-open"];
const LIGHTEST_LINE = 0x8a; // of a line
const DARK_TEXT = 0x4a; // words are no lighter, but where they are almost white on a dark ground
const WHITE_TEXT = 0xc0;
const FILLS = ["rgba(0,0,0,.07)", "rgba(0,0,0,.18)", "rgba(0,0,0,.32)"];

/**
 * @param {any[]} data
 * @param {any} layout
 */
export function greyFigure(data, layout) {
  const lines = data.filter(({line}) => line?.color);
  /** @type {Set<string | number>} */
  const looks = new Set();
  for (const trace of lines) if (trace.name && trace.showlegend !== false) distinguishLine(trace, looks);
  /** @type {Map<string, string>} */
  const shades = lineShades([...new Set(lines.map(({line}) => line.color))]);
  const fills = [...new Set(data.map(({fillcolor}) => fillcolor).filter(Boolean))];
  fills.forEach((fill, place) => shades.set(fill, FILLS[place % FILLS.length]));
  for (const trace of data) greyColours(trace, shades);
  greyColours(layout, shades);
  layout.colorway = ["#444"];
}

/**
 * Return a shade for each colour of lines, in the order of their own lightness.
 * @param {string[]} colours
 */
function lineShades(colours) {
  const sorted = colours.map((colour) => ({colour, grey: greyLevel(colour).grey})).sort((a, b) => a.grey - b.grey);
  return new Map(sorted.map(({colour}, place) => {
    const grey = Math.round((LIGHTEST_LINE * place) / Math.max(1, sorted.length - 1));
    return [colour, `rgb(${grey},${grey},${grey})`];
  }));
}

/**
 * Give a line of the legend a dash that no line before has, or markers where the dashes run out.
 * @param {any} trace
 * @param {Set<string | number>} looks
 */
function distinguishLine(trace, looks) {
  const {dash = "solid"} = trace.line;
  const free = looks.has(dash) ? DASHES.find((dash) => !looks.has(dash)) : dash;
  const mark = MARKERS[looks.size % MARKERS.length];
  looks.add(free ?? looks.size);
  if (free) trace.line.dash = free;
  else Object.assign(trace, {mode: "lines+markers", marker: {symbol: mark, size: 7, color: trace.line.color, maxdisplayed: 9}});
}

/**
 * Turn every colour in a part of a figure to grey: of lines and areas to their shade, others to what a printer makes of
 * them, words no lighter than can be read.
 * @param {any} part
 * @param {Map<string, string>} shades
 * @param {boolean} [words]
 */
function greyColours(part, shades, words = false) {
  if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return;
  /** @param {string} colour */
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

/**
 * Return the grey of a CSS colour, as light as the colour is to the eye (ITU-R BT.709), and how opaque it is.
 * @param {string} colour
 */
function greyLevel(colour) {
  ruler.fillStyle = "#000";
  ruler.fillStyle = colour;
  const css = /** @type {string} */ (ruler.fillStyle); // #rrggbb or rgba(r, g, b, a)
  const parts = css[0] === "#" ? [1, 3, 5].map((at) => parseInt(css.slice(at, at + 2), 16)) : required(css.match(/[\d.]+/g)).map(Number);
  const [red, green, blue, opacity = 1] = parts;
  return {grey: Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue), opacity};
}
