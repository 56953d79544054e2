// Saved figures for grey print: every colour becomes a grey, and lines that a legend tells apart get shades and dashes
// of their own, or marks where the dashes run out.
const SAVED_DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
const SAVED_MARKS = ["circle-open", "square-open", "triangle-up-open", "diamond-open", "x-open"];
const SAVED_LIGHTEST = 0x8a; // of a line
const SAVED_DARK = 0x4a; // words are no lighter, but where they are almost white on a dark ground
const SAVED_WHITE = 0xc0;
const SAVED_FILLS = ["rgba(0,0,0,.07)", "rgba(0,0,0,.18)", "rgba(0,0,0,.32)"];

function savedGrey(data, layout) {
  const lines = data.filter(({line}) => line?.color), looks = new Set();
  for (const trace of lines) if (trace.name && trace.showlegend !== false) savedOwnLook(trace, looks);
  const shades = savedShades([...new Set(lines.map(({line}) => line.color))]);
  const fills = [...new Set(data.map(({fillcolor}) => fillcolor).filter(Boolean))];
  fills.forEach((fill, place) => shades.set(fill, SAVED_FILLS[place % SAVED_FILLS.length]));
  for (const trace of data) savedGreyed(trace, shades);
  savedGreyed(layout, shades);
  layout.colorway = ["#444"];
}

// A shade for each colour of lines, in the order of their own lightness.
function savedShades(colours) {
  const sorted = colours.map((colour) => [savedGreyOf(colour).grey, colour]).sort(([one], [other]) => one - other);
  return new Map(sorted.map(([, colour], place) => {
    const grey = Math.round((SAVED_LIGHTEST * place) / Math.max(1, sorted.length - 1));
    return [colour, `rgb(${grey},${grey},${grey})`];
  }));
}

// Gives a line of the legend a dash, or marks where the dashes run out, that no line before has.
function savedOwnLook(trace, looks) {
  const {dash = "solid"} = trace.line;
  const free = looks.has(dash) ? SAVED_DASHES.find((each) => !looks.has(each)) : dash;
  const mark = SAVED_MARKS[looks.size % SAVED_MARKS.length];
  looks.add(free ?? looks.size);
  if (free) trace.line.dash = free;
  else Object.assign(trace, {mode: "lines+markers", marker: {symbol: mark, size: 7, color: trace.line.color, maxdisplayed: 9}});
}

// Turns every colour in a part of a figure to grey: of lines and areas to their shade, others to what a printer makes of
// them, words no lighter than can be read.
function savedGreyed(part, shades, words = false) {
  if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return;
  const grey = (colour) => {
    const own = savedGreyOf(shades.get(colour) ?? colour);
    const shade = words && own.grey < SAVED_WHITE ? Math.min(own.grey, SAVED_DARK) : own.grey;
    return `rgba(${shade},${shade},${shade},${own.opacity})`;
  };
  for (const [key, value] of Object.entries(part)) {
    if (key === "colorscale" && Array.isArray(value)) part[key] = value.map(([place, colour]) => [place, grey(colour)]);
    else if (/color$/.test(key) && typeof value === "string") part[key] = grey(value);
    else if (/color$/.test(key) && Array.isArray(value) && typeof value[0] === "string") part[key] = value.map(grey);
    else if (typeof value === "object" && !/^(x|y|z|text|customdata)$/.test(key)) savedGreyed(value, shades, /font$/.test(key));
  }
}

// The grey of a CSS colour, as light as it is to the eye (ITU-R BT.709), and how opaque it is.
function savedGreyOf(colour) {
  savedRuler.fillStyle = "#000";
  savedRuler.fillStyle = colour;
  const told = savedRuler.fillStyle; // #rrggbb or rgba(r, g, b, a)
  const parts = told[0] === "#" ? [1, 3, 5].map((at) => parseInt(told.slice(at, at + 2), 16)) : told.match(/[\d.]+/g).map(Number);
  const [red, green, blue, opacity = 1] = parts;
  return {grey: Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue), opacity};
}
