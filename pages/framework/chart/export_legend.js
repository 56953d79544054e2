// Saved figures: the legend that several panels share.

/** @typedef {import("./export.js").Figure} Figure */

const LOOKS = ["type", "mode", "name", "line", "marker", "fill", "fillcolor", "fillpattern", "opacity"]; // what a sample of a legend shows

/**
 * Give panels one legend, below the one at a place, if one of their legends has the entries of all others in the same looks.
 * Return whether it does.
 * @param {Figure[]} figures as they are drawn
 * @param {number} place
 */
export function shareLegend(figures, place) {
  const legends = figures.map(entriesOf), longest = legends.reduce((most, one) => (one.length > most.length ? one : most)), looks = new Set(longest.map(lookOf));
  const repeated = legends.filter((legend) => legend.length > 0).length > 1;
  if (!repeated || !longest.every(({type = "scatter"}) => type === "scatter") || !legends.flat().every((trace) => looks.has(lookOf(trace)))) return false;
  for (const {data, layout} of figures) {
    layout.showlegend = false;
    for (const trace of data) trace.showlegend = false;
  }
  const samples = longest.map((trace) => ({...Object.fromEntries(LOOKS.filter((key) => key in trace).map((key) => [key, trace[key]])), x: [null], y: [null], showlegend: true}));
  figures[place].data.push(...samples);
  figures[place].layout.showlegend = true;
  return true;
}

/**
 * Return the traces that stand in the legend of a figure, which one alone does only if it asks for it.
 * @param {Figure} figure
 * @returns {any[]}
 */
function entriesOf({data, layout}) {
  const named = data.filter(({name, visible, showlegend}) => name && visible !== false && visible !== "legendonly" && showlegend !== false);
  return layout.showlegend ?? (named.length > 1 || named[0]?.showlegend) ? named : [];
}

/** @param {any} trace */
const lookOf = ({name, mode, line, marker, fillcolor}) => JSON.stringify([name, mode, line?.color, line?.dash ?? "solid", marker?.color, marker?.symbol, fillcolor]);
