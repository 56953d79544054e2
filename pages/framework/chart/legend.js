// The legend of a chart: buttons below it that hide a curve and show it again.
import {element} from "../browser/dom.js";

/** @typedef {import("./chart.js").Chart} Chart */

/** @param {any} trace */
export const groupOf = (trace) => trace.legendgroup ?? trace.name;

/**
 * Show the legend of a figure, one entry for each group of traces.
 * @param {Chart} chart
 * @param {{data: any[], layout: any}} figure
 * @param {() => void} redraw the function that redraws the chart after a click
 */
export function showLegend(chart, {data, layout}, redraw) {
  const traces = data.filter((trace) => trace.showlegend !== false && trace.name && (layout.showlegend ?? data.length > 1));
  const entries = traces.filter((trace, place) => traces.findIndex((other) => groupOf(other) === groupOf(trace)) === place);
  const id = JSON.stringify(entries.map(({name, line, marker, mode, type, fillcolor, opacity}) => [name, line, marker?.color, marker?.symbol, marker?.opacity, mode, type, fillcolor, opacity]));
  chart.legend.hidden = entries.length === 0;
  if (chart.legendId === id) return;
  chart.legendId = id;
  chart.legend.replaceChildren(...entries.map((trace) => {
    const group = groupOf(trace);
    const button = element("button", "", null, {type: "button", "aria-pressed": String(!chart.hidden.has(group))});
    button.innerHTML = swatch(trace);
    element("span", "", button).textContent = plainText(trace.name);
    button.onclick = () => {
      if (!chart.hidden.delete(group)) chart.hidden.add(group);
      button.setAttribute("aria-pressed", String(!chart.hidden.has(group)));
      redraw();
    };
    return button;
  }));
}

/** @type {Record<string, string>} */
const DASHES = {solid: "", dot: "2 3", dash: "7 4", longdash: "11 4", dashdot: "7 3 2 3", longdashdot: "11 3 2 3"};

/** @type {Record<string, (colour: string) => string>} */
const MARKERS = {
  x: (colour) => `<path d="M10 2l8 8m0-8l-8 8" stroke="${colour}" stroke-width="3"/>`,
  diamond: (colour) => `<path d="M14 1l5 5-5 5-5-5z" fill="${colour}"/>`,
  square: (colour) => `<rect x="10" y="2" width="8" height="8" fill="${colour}"/>`,
  "triangle-up": (colour) => `<path d="M14 1l5 9H9z" fill="${colour}"/>`,
  star: (colour) => `<path d="M14 0l1.5 4.2h4.5l-3.6 2.7 1.3 4.3-3.7-2.6-3.7 2.6 1.3-4.3-3.6-2.7h4.5z" fill="${colour}"/>`,
  "triangle-right": (colour) => `<path d="M10 1l9 5-9 5z" fill="${colour}"/>`,
  "square-open": (colour) => `<rect x="10.5" y="2.5" width="7" height="7" fill="none" stroke="${colour}" stroke-width="2"/>`,
  "diamond-open": (colour) => `<path d="M14 1.5l4.5 4.5-4.5 4.5-4.5-4.5z" fill="none" stroke="${colour}" stroke-width="2"/>`,
  "circle-open": (colour) => `<circle cx="14" cy="6" r="3.5" fill="none" stroke="${colour}"/>`,
};

const SAFE_COLOUR = /^[#a-z0-9(),.% ]+$/i;

/**
 * Return a small picture of a trace.
 * @param {any} trace
 */
function swatch({line, marker, mode = "lines", type, fillcolor, fill, opacity = 1}) {
  const colour = [line?.color, marker?.color].find((part) => typeof part === "string" && part) || fillcolor || "currentColor";
  const safe = SAFE_COLOUR.test(colour) ? colour : "currentColor";
  const dash = DASHES[line?.dash] ?? line?.dash?.replace(/px/g, "").replace(/,/g, " ") ?? "";
  const parts = [];
  if (type === "bar" || type === "histogram" || (fill && !line?.width)) parts.push(`<rect x="3" y="1" width="22" height="10" fill="${SAFE_COLOUR.test(fillcolor ?? "") ? fillcolor : safe}"/>`);
  else if (mode.includes("lines")) parts.push(`<path d="M0 6H28" stroke="${safe}" stroke-width="${Math.min(line?.width ?? 2, 4)}" stroke-dasharray="${/^[\d. ]*$/.test(dash) ? dash : ""}"/>`);
  if (mode.includes("markers")) parts.push(MARKERS[marker?.symbol]?.(safe) ?? `<circle cx="14" cy="6" r="4" fill="${safe}"/>`);
  const visible = Number(opacity) * (type === "bar" ? Number(marker?.opacity ?? 1) : 1);
  return `<svg width="28" height="12" opacity="${visible}" aria-hidden="true">${parts.join("")}</svg>`;
}

/**
 * Return a text of Plotly's, which knows a few tags, without them.
 * @param {string} markup
 */
function plainText(markup) {
  const box = document.createElement("template");
  box.innerHTML = markup; // of a template nothing is loaded or run
  return box.content.textContent;
}
