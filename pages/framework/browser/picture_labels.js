// The ends of the axes and the names of the curves of a picture that is saved: as on the page until others are given.
import {panelLetter} from "../chart/export_encoding.js";
import {groupOf} from "../chart/legend.js";
import {element} from "./dom.js";
import {explainedInSight, isExplanation, sentencesOf, tracesInSight} from "./in_sight.js";
import {head} from "./page_state.js";
import {required} from "./required.js";

/** @typedef {import("./types").PartView} PartView */
/** @typedef {{ends: Record<string, string[]>, names: Record<string, string>, panels: Set<string>}} Typed what was given in the form of a chart: texts of both ends by axis, names by that of the page, and further panels */
/** @typedef {{ranges: Record<string, number[]>, names: Record<string, string>, hidden: string[], subtitle: string, heading: string}} Labels of a panel: `hidden` are the groups that lie outside of the ends; `heading` is the subtitle in the picture */
/** @typedef {{range: number[], type?: string, ticktext?: string[], title?: {text?: string}}} Axis */

/** What was given in the forms of one page: it lasts as long as that is open. */
let ofPage = {page: "", charts: /** @type {Map<string, Typed>} */ (new Map())};

/**
 * Return what was given in the form of a chart before.
 * @param {PartView} view
 */
export function typedFor(view) {
  if (ofPage.page !== head.page) ofPage = {page: head.page, charts: new Map()};
  const name = required(required(view.part).name), typed = ofPage.charts.get(name) ?? {ends: {}, names: {}, panels: new Set()};
  ofPage.charts.set(name, typed);
  return typed;
}

/**
 * Give the panels of a picture the labels that were typed: the ends to each axis with the same title, the names to each
 * curve of the same name. What explains a look in two of them stands in the subtitle of the first.
 * @param {PartView[]} views
 * @param {Typed} typed
 */
export function labelPanels(views, typed) {
  const told = new Set();
  for (const view of views) {
    const labels = labelsOf(view, typed), sentences = sentencesOf(labels.subtitle);
    const repeated = sentences.filter((sentence) => isExplanation(sentence) && told.has(sentence));
    const heading = repeated.length ? sentences.filter((sentence) => !repeated.includes(sentence)).join(" ") : labels.subtitle;
    view.labels = /** @type {Labels} */ ({...labels, heading});
    for (const sentence of sentences) told.add(sentence);
  }
}

/**
 * @param {PartView} view
 * @param {Typed} typed
 * @returns {Omit<Labels, "heading">}
 */
function labelsOf(view, typed) {
  const {data, layout} = required(view.part).figure, axes = axesOf(view), text = layout.title?.subtitle?.text ?? "";
  const ends = Object.entries(axes).map(([key, axis]) => [key, endsOf(axis, typed.ends[nameOf(key, axis)])]);
  const ranges = Object.fromEntries(ends.filter(([, range]) => range)), names = {...typed.names};
  if (!Object.keys(ranges).length) return {ranges, names, hidden: [], subtitle: text};
  const fixed = Object.fromEntries(Object.entries(axes).map(([key, {range}]) => [key, range]));
  const visible = tracesInSight(data, layout, {...fixed, ...ranges}), groups = new Set(visible.map(groupOf));
  return {ranges, names, hidden: data.map(groupOf).filter((/** @type {string | undefined} */ group) => group && !groups.has(group)), subtitle: explainedInSight(text, data, visible)};
}

/**
 * Return the axes of a chart that have ends, those of words have none, in their present ranges.
 * @param {PartView} view
 * @returns {Record<string, Axis>}
 */
function axesOf({part, chart}) {
  const {layout} = required(part).figure, drawn = /** @type {any} */ (chart?.plot)?._fullLayout;
  const axes = ["xaxis", "yaxis"].map((key) => [key, {...layout[key], range: drawn?.[key]?.range ? [...drawn[key].range] : layout[key]?.range}]);
  return Object.fromEntries(axes.filter(([, {range, type, ticktext}]) => range && (!ticktext || type === "log")));
}

/** @type {(key: string, axis: Axis) => string} what axes that get the same ends have in common */
const nameOf = (key, {type, title}) => [key, type, title?.text].join();

/**
 * Return the range of an axis between the ends that were typed, null where none was or where they are of no use.
 * @param {Axis} axis
 * @param {string[]} texts
 */
function endsOf({range, type}, texts = []) {
  if (!texts.some((text) => text.trim())) return null;
  const ends = texts.map((typed, place) => {
    const text = typed.trim().replace(",", "."), number = text && Number(text);
    return number === "" ? range[place] : type === "log" ? Math.log10(number) : number;
  });
  return ends.every(Number.isFinite) && ends[0] < ends[1] === range[0] < range[1] && ends[0] !== ends[1] ? ends : null;
}

/**
 * Fill a box with fields for the ends of the axes of a picture's panels, and for the names of their curves: one for each
 * title of an axis, and one for each name.
 * @param {HTMLElement} box
 * @param {PartView[]} views
 * @param {Typed} typed
 */
export function showLabels(box, views, typed) {
  box.replaceChildren();
  const axes = views.map(axesOf);
  for (const key of ["xaxis", "yaxis"]) {
    const names = axes.map((one) => one[key] && nameOf(key, one[key])), different = new Set(names.filter(Boolean));
    for (const name of different) {
      const places = [...names.keys()].filter((place) => names[place] === name), letters = places.map((place) => panelLetter(place, names.length).trim());
      const own = different.size > 1 ? ` of ${letters.join(", ")}` : "";
      addEnds(box, `${key[0]}${own}`, places.map((place) => axes[place][key]), (typed.ends[name] ??= ["", ""]));
    }
  }
  for (const name of new Set(views.flatMap(namesOf))) addName(box, typed.names, name);
  if (views.length > 1) element("p", "dp-paper-hint", box).textContent = "What you enter holds in every panel: ends for all axes with the same title, a name for all curves with the same name.";
}

/** @type {(view: PartView) => string[]} the names of a legend, without those that are hidden */
function namesOf({part, chart}) {
  const named = required(part).figure.data.filter((/** @type {any} */ trace) => trace.name && trace.visible !== false && trace.showlegend !== false && !chart?.hidden?.has(groupOf(trace)));
  return named.map((/** @type {any} */ {name}) => String(name));
}

/**
 * @param {HTMLElement} box
 * @param {string} name
 * @param {Axis[]} axes those that get the ends
 * @param {string[]} texts
 */
function addEnds(box, name, axes, texts) {
  const row = element("div", "dp-row dp-paper-ends", box), [{range, type}] = axes, isLog = type === "log", [letter] = name;
  element("span", "", row).textContent = `${name} from`;
  /** @type {(place: number) => HTMLInputElement} */
  const addEnd = (place) => {
    const usual = Number((isLog ? 10 ** range[place] : range[place]).toPrecision(4));
    const field = element("input", "dp-entry dp-paper-size", row, {type: "text", inputmode: "decimal", placeholder: String(usual), "aria-label": `${name} ${place ? "to" : "from"}`});
    field.value = texts[place];
    return field;
  };
  const from = addEnd(0);
  row.append("to");
  const fields = [from, addEnd(1)], problem = element("p", "dp-problem", box, {role: "alert", hidden: ""});
  const tell = () => {
    problem.hidden = !texts.some((text) => text.trim()) || axes.every((axis) => endsOf(axis, texts));
    const order = range[0] < range[1] ? "the lower one first" : "the higher one first";
    problem.textContent = problem.hidden ? "" : `The ends of ${letter} must be numbers${isLog ? " above 0" : ""}, ${order} as on the page; until then they are those of the page.`;
  };
  for (const [place, field] of fields.entries()) {
    field.oninput = () => {
      texts[place] = field.value;
      tell();
    };
  }
  tell();
}

/**
 * @param {HTMLElement} box
 * @param {Record<string, string>} names
 * @param {string} name
 */
function addName(box, names, name) {
  const label = element("label", "dp-row dp-paper-name", box), field = element("input", "dp-entry", label, {type: "text", placeholder: name, maxlength: "80"});
  label.prepend("Name of ", name);
  field.value = names[name] ?? "";
  field.oninput = () => {
    const text = field.value.trim();
    if (text) names[name] = text;
    else delete names[name];
  };
}

/**
 * Return whether a form has anything of its own, so that it is not as on the page.
 * @param {Typed} typed
 */
export const hasLabels = ({ends, names}) => Object.keys(names).length > 0 || Object.values(ends).flat().some((text) => text.trim());
