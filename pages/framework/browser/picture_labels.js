// The ends of the axes and the names of the curves of a picture that is saved: as on the page until others are given.
import {element} from "./dom.js";
import {required} from "./required.js";

/** @typedef {import("./types").PartView} PartView */
/** @typedef {{ranges: Record<string, number[]>, names: Record<string, string>}} Labels the ranges by axis, names by that of the page */

/**
 * Add fields for the ends of the axes of a chart and for the names of its curves. The view keeps what they hold.
 * @param {HTMLElement} box
 * @param {PartView} view
 */
export function addLabels(box, view) {
  const {data, layout} = required(view.part).figure, labels = (view.labels = {ranges: {}, names: {}});
  for (const key of ["xaxis", "yaxis"]) addEnds(box, labels, key, {...layout[key], ...rangeOf(view, key)});
  for (const name of namesOf(data, view.chart?.hidden)) addName(box, labels, name);
}

/** @type {(view: PartView, key: string) => {range?: number[]}} */
function rangeOf({chart}, key) {
  const range = /** @type {any} */ (chart?.plot)?._fullLayout?.[key]?.range;
  return range ? {range: [...range]} : {};
}

/**
 * Return the names of a legend, without those that are hidden.
 * @param {any[]} data
 * @param {Set<string>} hidden
 */
function namesOf(data, hidden = new Set()) {
  const named = data.filter(({name, legendgroup, visible, showlegend}) => name && visible !== false && showlegend !== false && !hidden.has(legendgroup ?? name));
  return new Set(named.map(({name}) => String(name)));
}

/**
 * @param {HTMLElement} box
 * @param {Labels} labels
 * @param {string} key
 * @param {any} axis none of words has ends
 */
function addEnds(box, labels, key, {range, type, ticktext}) {
  if (!range || (ticktext && type !== "log")) return;
  const row = element("div", "dp-row dp-paper-ends", box), isLog = type === "log", letter = key[0];
  row.append(`${letter} from`);
  /** @type {(place: number) => HTMLInputElement} */
  const addEnd = (place) => {
    const usual = Number((isLog ? 10 ** range[place] : range[place]).toPrecision(4));
    return element("input", "dp-entry dp-paper-size", row, {type: "text", inputmode: "decimal", placeholder: String(usual), "aria-label": `${letter} ${place ? "to" : "from"}`});
  };
  const from = addEnd(0);
  row.append("to");
  const to = addEnd(1), fields = [from, to];
  const problem = element("p", "dp-problem", box, {role: "alert", hidden: ""});
  const read = () => {
    const ends = fields.map(({value}, place) => {
      const text = value.trim().replace(",", "."), number = text && Number(text);
      return number === "" ? range[place] : isLog ? Math.log10(number) : number;
    });
    const isUsable = ends.every(Number.isFinite) && ends[0] < ends[1] === range[0] < range[1] && ends[0] !== ends[1];
    problem.hidden = isUsable;
    problem.textContent = isUsable ? "" : `The ends of ${letter} must be numbers${isLog ? " above 0" : ""} in the order of the page; until then they are those of the page.`;
    if (isUsable && fields.some(({value}) => value.trim())) labels.ranges[`${letter}axis`] = ends;
    else delete labels.ranges[`${letter}axis`];
  };
  for (const field of fields) field.oninput = read;
}

/**
 * @param {HTMLElement} box
 * @param {Labels} labels
 * @param {string} name
 */
function addName(box, labels, name) {
  const label = element("label", "dp-row", box), field = element("input", "dp-entry dp-paper-name", label, {type: "text", placeholder: name, maxlength: "80"});
  label.prepend("Name of ", name);
  field.oninput = () => {
    const text = field.value.trim();
    if (text) labels.names[name] = text;
    else delete labels.names[name];
  };
}
