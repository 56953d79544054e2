// Saved figures for grey print: every colour becomes a grey, and what a colour distinguishes gets a look of its own: lines
// of a legend shades and dashes, or marks where the dashes run out; bars and areas shades and patterns; marks symbols.
import {required} from "../browser/required.js";
import {greyDashes} from "./export_encoding.js";
import {ruler} from "./export_style.js";
import {groupOf} from "./legend.js";

const MARKERS = ["circle-open", "square-open", "triangle-up-open", "diamond-open", "x-open"];
const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "x", "triangle-down", "star", "cross", "pentagon", "hexagram"];
const PATTERNS = ["", "/", "x", ".", "\\", "-", "+", "|"];
const LIGHTEST_LINE = 0x8a; // of a line
const [BAR_GREYS, MAP_GREYS] = [[0x38, 0xdc], [0x90, 0xec]]; // from the darkest to the lightest; words stand on a map
const DARK_TEXT = 0x4a; // words are no lighter, but where they are almost white on a dark ground
const WHITE_TEXT = 0xc0;
const FILLS = ["rgba(0,0,0,.07)", "rgba(0,0,0,.18)", "rgba(0,0,0,.32)"];

/**
 * @param {any[]} data
 * @param {any} layout
 */
export function greyFigure(data, layout) {
  const lines = data.filter(({line}) => line?.color);
  [...greyDashes(data)].forEach(([trace, dash], place) => distinguishLine(trace, dash, place));
  distinguishMarks(data.filter(isMarks));
  const shadeOf = lineShades(lines), shades = new Map([...lines].reverse().map((trace) => [trace.line.color, required(shadeOf.get(trace))]));
  const fills = [...new Set(data.map(({fillcolor}) => fillcolor).filter(Boolean))];
  fills.forEach((fill, place) => shades.set(fill, FILLS[place % FILLS.length]));
  /** @param {(trace: any) => boolean} isOfKind */
  const coloursIn = (isOfKind) => [...new Set(data.filter(isOfKind).flatMap(coloursOf))];
  const bars = coloursIn(({type}) => type === "bar"), ofAreas = new Map([...shades, ...areaShades(coloursIn(isPatch), MAP_GREYS), ...areaShades(bars, BAR_GREYS)]);
  for (const trace of data) if (trace.type === "bar" && bars.length > 1) addPattern(trace, bars, ofAreas);
  for (const trace of data) {
    const own = shadeOf.get(trace), all = isMarks(trace) && !isPatch(trace) ? shades : ofAreas;
    greyColours(trace, own ? new Map([...all, [trace.line.color, own]]) : all);
  }
  greyColours(layout, shades);
  layout.colorway = ["#444"];
}

/** @param {any} trace of marks without a line */
const isMarks = ({type, mode, marker}) => type === "scatter" && /markers/.test(mode) && !/lines/.test(mode) && Boolean(marker) && marker.opacity !== 0;

/** @param {any} trace a sample of the legend for a colour of a map */
const isPatch = (trace) => isMarks(trace) && trace.x?.length === 1 && trace.x[0] === null;

/**
 * @param {any} trace
 * @returns {string[]} the colours of its bars or marks
 */
const coloursOf = ({marker}) => [marker?.color].flat().filter((colour) => typeof colour === "string");

/**
 * Return a shade for each colour of bars and maps, evenly apart, in the order of their own lightness.
 * @param {string[]} colours one alone keeps its own
 * @param {number[]} ends the darkest and the lightest grey
 * @returns {Map<string, string>}
 */
function areaShades(colours, [darkest, lightest]) {
  if (colours.length < 2) return new Map();
  const sorted = colours.map((colour) => ({colour, ...greyLevel(colour)})).sort((a, b) => a.grey - b.grey);
  return new Map(sorted.map(({colour, opacity}, place) => {
    const grey = Math.round(darkest + ((lightest - darkest) * place) / (sorted.length - 1));
    return [colour, `rgba(${grey},${grey},${grey},${opacity})`];
  }));
}

/**
 * Give each bar the pattern of its colour, in light lines on a dark shade and in dark ones on a light shade.
 * @param {any} trace
 * @param {string[]} areas
 * @param {Map<string, string>} shades
 */
function addPattern(trace, areas, shades) {
  const {color} = trace.marker ?? {}, isList = Array.isArray(color);
  /** @param {any} one */
  const shapeOf = (one) => PATTERNS[Math.max(0, areas.indexOf(one)) % PATTERNS.length];
  /** @param {any} one */
  const inkOf = (one) => (greyLevel(shades.get(one) ?? "#000").grey < 0x90 ? "#ffffff" : "#000000");
  const pattern = {shape: isList ? color.map(shapeOf) : shapeOf(color), fgcolor: isList ? color.map(inkOf) : inkOf(color)};
  trace.marker = {...trace.marker, pattern: {...pattern, fillmode: "overlay", size: 6, solidity: 0.25}};
}

/**
 * Give marks of different colours different symbols, those of one colour the same one.
 * @param {any[]} traces
 */
function distinguishMarks(traces) {
  /** @type {Map<string, string>} the colour of each symbol in use */
  const owners = new Map();
  /** @type {Map<string, string>} the symbol of each symbol and colour */
  const chosen = new Map();
  /** @type {(symbol: string, colour: string) => string} */
  const symbolOf = (symbol, colour) => {
    const key = `${symbol} ${colour}`;
    if (!chosen.has(key)) {
      const isFree = (/** @type {string} */ one) => (owners.get(one) ?? colour) === colour;
      chosen.set(key, isFree(symbol) ? symbol : SYMBOLS.find((other) => !owners.has(other)) ?? symbol);
    }
    const own = required(chosen.get(key));
    owners.set(own, colour);
    return own;
  };
  for (const trace of traces) {
    if (isPatch(trace)) continue;
    const {color, symbol = "circle"} = trace.marker;
    if (typeof color === "string" && typeof symbol === "string") trace.marker = {...trace.marker, symbol: symbolOf(symbol, color)};
    else if (Array.isArray(color) && typeof color[0] === "string") {
      const symbols = color.map((one, place) => symbolOf(Array.isArray(symbol) ? symbol[place] : symbol, one));
      trace.marker = {...trace.marker, symbol: symbols};
    }
  }
}

/**
 * Return a shade for each line, in the order of the lightness of their colours. Of several names with one colour, which
 * may run close to each other, the second ones are lighter than the first one of each colour.
 * @param {any[]} lines
 * @returns {Map<any, string>} by trace
 */
function lineShades(lines) {
  /** @type {Map<string, string[]>} the groups of each colour */
  const groups = new Map();
  for (const trace of lines) {
    const known = groups.get(trace.line.color) ?? [];
    groups.set(trace.line.color, known.includes(groupOf(trace)) ? known : [...known, groupOf(trace)]);
  }
  const all = [...groups].flatMap(([colour, names]) => names.map((name, rank) => ({key: `${colour} ${name}`, rank, grey: greyLevel(colour).grey})));
  all.sort((a, b) => a.rank - b.rank || a.grey - b.grey);
  const shades = new Map(all.map(({key}, place) => {
    const grey = Math.round((LIGHTEST_LINE * place) / Math.max(1, all.length - 1));
    return [key, `rgb(${grey},${grey},${grey})`];
  }));
  return new Map(lines.map((trace) => [trace, required(shades.get(`${trace.line.color} ${groupOf(trace)}`))]));
}

/**
 * Give a line of the legend a dash of its own, or markers where the dashes run out.
 * @param {any} trace
 * @param {string} dash "" where they run out
 * @param {number} place among the lines
 */
function distinguishLine(trace, dash, place) {
  const marker = {symbol: MARKERS[place % MARKERS.length], size: 7, color: trace.line.color, maxdisplayed: 9};
  if (dash) trace.line.dash = dash;
  else Object.assign(trace, {mode: "lines+markers", marker});
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
