// Saved figures for grey print: every colour becomes its grey, and lines that a legend tells apart get shades and dashes
// of their own, or marks where the dashes run out.
const SAVED_DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
const SAVED_MARKS = ["circle-open", "square-open", "triangle-up-open", "diamond-open", "x-open"];
const SAVED_SHADES = ["#000000", "#5a5a5a", "#8a8a8a"];

function savedGrey(data, layout) {
  const shades = new Map(), looks = new Map();
  for (const trace of data) if (trace.line?.color && trace.name && trace.showlegend !== false) savedOwnLook(trace, shades, looks);
  for (const trace of data) {
    const colour = trace.line?.color;
    for (const part of [trace, trace.line, trace.marker, trace.textfont]) savedGreyed(part, shades);
    if (colour && trace.line) trace.line.color = shades.get(colour) ?? trace.line.color;
  }
  savedGreyed(layout, shades);
}

// Gives a line of the legend a shade, one for each colour, and a dash or marks that no line before has.
function savedOwnLook(trace, shades, looks) {
  const {color, dash = "solid"} = trace.line;
  if (!shades.has(color)) shades.set(color, SAVED_SHADES[shades.size % SAVED_SHADES.length]);
  const key = (own) => String(own);
  if (!looks.has(key(dash))) return void looks.set(key(dash), trace);
  const free = SAVED_DASHES.find((each) => !looks.has(each));
  if (free) {
    trace.line.dash = free;
    looks.set(free, trace);
  } else {
    const mark = SAVED_MARKS[looks.size % SAVED_MARKS.length];
    looks.set(`${dash} ${mark} ${looks.size}`, trace);
    Object.assign(trace, {mode: "lines+markers", marker: {symbol: mark, size: 7, color: shades.get(color), maxdisplayed: 9}});
  }
}

// Turns every colour in a part of a figure to grey: those of lines to their shade, others to what a printer makes of them.
function savedGreyed(part, shades) {
  if (part === null || typeof part !== "object" || ArrayBuffer.isView(part)) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === "colorscale" && Array.isArray(value)) part[key] = value.map(([place, colour]) => [place, savedGreyOf(colour)]);
    else if (/colou?r$/.test(key) && typeof value === "string") part[key] = shades.get(value) ?? savedGreyOf(value);
    else if (/colou?r$/.test(key) && Array.isArray(value) && typeof value[0] === "string") part[key] = value.map((each) => shades.get(each) ?? savedGreyOf(each));
    else if (typeof value === "object" && !/^(x|y|z|text|customdata)$/.test(key)) savedGreyed(value, shades);
  }
}

// The grey of a CSS colour, as light as it is to the eye (ITU-R BT.709), as see-through as it was.
function savedGreyOf(colour) {
  savedRuler.fillStyle = "#000";
  savedRuler.fillStyle = colour;
  const told = savedRuler.fillStyle; // #rrggbb or rgba(r, g, b, a)
  const [red, green, blue, opacity = 1] = told[0] === "#" ? [1, 3, 5].map((at) => parseInt(told.slice(at, at + 2), 16)) : told.match(/[\d.]+/g).map(Number);
  const grey = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  return `rgba(${grey},${grey},${grey},${opacity})`;
}
