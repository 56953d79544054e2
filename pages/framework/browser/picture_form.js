// The choices for the file of a chart: few in sight, the rest under "More".
import {addButton, keepInSight} from "./buttons.js";
import {citationKey, commentCitation} from "./citation.js";
import {addCopyButton} from "./clipboard.js";
import {element} from "./dom.js";
import {captionOf, latexFigure, legendLooks, marksOf, settingLineOf} from "./figure_caption.js";
import {head} from "./page_state.js";
import {hasLabels, labelPanels, showLabels, typedFor} from "./picture_labels.js";
import {required} from "./required.js";
import {withoutColours} from "../chart/export_encoding.js";

/** @typedef {import("../chart/export.js").Paper} Paper */
/** @typedef {import("./types").PartView} PartView */

const STORAGE = "dp_paper"; // the browser remembers the choices under this name
/** @type {Paper} */
export const DEFAULTS = {format: "svg", widthMm: 180, heightMm: 0, typePt: 8, typeface: "sans", arrangement: "", titled: true, greySafe: false, transparent: false};
const FOLDED = /** @type {const} */ (["heightMm", "typeface", "titled", "greySafe", "transparent"]); // under "More"
/** The sizes in mm: those allowed, suggestions, and the words for the one of the defaults. */
const SIZES = {
  widthMm: {name: "Width", least: 40, most: 400, suggested: [85, 120, 180], usual: String(DEFAULTS.widthMm)},
  heightMm: {name: "Height", least: 20, most: 500, suggested: [40, 60, 80, 100], usual: "automatic"},
};
const STORED = /** @type {const} */ (["widthMm", "heightMm", "typePt", "typeface"]); // what a paper asks of each of its pictures

/** The choices that one picture asks for: they last as long as its page is open. */
let ofPage = {page: "", ...looksOf(DEFAULTS)};

/** @param {Paper} paper */
function looksOf({arrangement, titled, greySafe, transparent}) {
  return {arrangement, titled, greySafe, transparent};
}

/** @returns {Paper} */
function lastChoices() {
  const {page, ...looks} = ofPage.page === head.page ? ofPage : {page: "", ...looksOf(DEFAULTS)};
  const stored = storedPaper(), sizes = Object.fromEntries(STORED.filter((key) => typeof stored[key] === typeof DEFAULTS[key]).map((key) => [key, stored[key]]));
  return {...DEFAULTS, ...sizes, ...looks, format: /** @type {Paper["format"]} */ (head.picture)};
}

/** @returns {Partial<Paper>} what the browser stores, if it stores anything */
function storedPaper() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Paper} paper */
function rememberPaper(paper) {
  ofPage = {page: head.page, ...looksOf(paper)};
  try {
    localStorage.setItem(STORAGE, JSON.stringify(Object.fromEntries(STORED.map((key) => [key, paper[key]]))));
  } catch {} // as above
}

/**
 * Return the name of a picture, without its ending, from the names of its panels' files.
 * @param {string[]} files
 */
export const fileName = ([first, ...others]) => (others.length ? `${first}_panels` : first);

/**
 * Return the caption of a picture, from its panels: without their titles where the picture has them, unless nothing else
 * is to be said. In greyscale the lines have other styles, which it names.
 * @param {PartView[]} views
 * @param {Paper} paper
 */
export function captionOfViews(views, {greySafe, titled}) {
  const looks = views.map(({part, chart, labels}) => {
    const hidden = new Set([...(chart?.hidden ?? []), ...(labels?.hidden ?? [])]);
    return legendLooks(required(part).figure.data, {hidden, names: labels?.names, isGrey: greySafe});
  });
  const all = looks.reduce((most, one) => (one.size > most.size ? one : most)), isShared = looks.every((one) => [...one.keys()].every((look) => all.has(look)));
  const titles = views.map(({part, labels}, place) => {
    const {layout} = required(part).figure, subtitle = labels ? {text: labels.subtitle} : layout.title?.subtitle;
    return {text: layout.title?.text, subtitle, marks: marksOf(isShared && looks[place].size ? all : looks[place]), line: settingLineOf(layout, labels?.ranges)};
  });
  const isSaid = titled && titles.every(({marks, line}) => marks || line);
  const caption = captionOf(isSaid ? titles.map(({marks, line}) => ({marks, line})) : titles);
  return greySafe ? withoutColours(caption) : caption;
}

/**
 * Fill a box with the choices for the file of a chart, and a button that saves it; return what gives its panels.
 * @param {HTMLElement} box
 * @param {PartView} view
 * @param {PartView[]} others the charts of the page, which can be further panels
 * @param {(paper: Paper, views: PartView[]) => void} save
 * @param {(paper: Paper, views: PartView[]) => void} savePlot saves the program that draws it
 */
export function addPictureForm(box, view, others, save, savePlot) {
  const paper = lastChoices(), typed = typedFor(view), labels = element("div", "dp-paper-fold");
  const chosen = () => others.filter((other) => other === view || typed.panels.has(required(required(other.part).name)));
  const panels = () => {
    labelPanels(chosen(), typed);
    return chosen();
  };
  addSelect(box, paper, "Format", "format", [["svg", "SVG"], ["png", "PNG, 300 dpi"], ["pdf", "PDF"]]);
  addSize(box, paper, "widthMm");
  addSelect(box, paper, "Font size", "typePt", [6, 7, 8, 9, 10, 11, 12].map((size) => [size, `${size} pt`]));
  const showFields = () => {
    showLabels(labels, chosen(), typed);
    keepInSight(box);
  };
  if (others.length > 1) addPanels(box, paper, view, others, typed.panels, showFields);
  if (others.length === 1) element("p", "dp-paper-hint", box).textContent = "Several charts in one picture: add each to the report, and save it there. Ends and names are then given there.";
  const more = element("details", "dp-paper-more", box);
  element("summary", "", more).textContent = "More";
  const fold = element("div", "dp-paper-fold", more);
  addSize(fold, paper, "heightMm");
  addSelect(fold, paper, "Font", "typeface", [["sans", "Sans serif"], ["serif", "Serif"], ["modern", "Computer Modern"]]);
  addTick(fold, paper, "Include title", "titled");
  addTick(fold, paper, "Distinguishable in greyscale", "greySafe");
  addTick(fold, paper, "Transparent background", "transparent");
  showLabels(labels, chosen(), typed);
  fold.append(labels);
  const texts = element("div", "dp-paper-texts", fold);
  addTexts(texts, paper, panels);
  addButton(texts, "matplotlib script", () => savePlot(paper, panels()), "dp-entry-button");
  more.ontoggle = () => {
    box.classList.toggle("dp-paper-open", more.open);
    keepInSight(box);
  };
  more.open = hasLabels(typed) || FOLDED.some((key) => paper[key] !== DEFAULTS[key]);
  box.addEventListener("change", () => rememberPaper(paper)); // whatever is then saved or copied
  addButton(box, "Save picture", () => save(paper, panels()), "dp-entry-button");
  return chosen;
}

/**
 * @param {HTMLElement} box
 * @param {Paper} paper
 * @param {string} name
 * @param {"format" | "typePt" | "typeface" | "arrangement"} key
 * @param {[value: string | number, name: string][]} choices
 */
function addSelect(box, paper, name, key, choices) {
  const label = element("label", "dp-row", box), select = element("select", "dp-select", label);
  label.prepend(name);
  for (const [value, text] of choices) element("option", "", select, {value}).textContent = text;
  select.value = String(paper[key]);
  if (select.selectedIndex < 0) Object.assign(paper, {[key]: DEFAULTS[key]}), (select.value = String(DEFAULTS[key]));
  select.onchange = () => Object.assign(paper, {[key]: typeof DEFAULTS[key] === "number" ? Number(select.value) : select.value});
  return label;
}

/**
 * Add the field of a size, with suggestions: a number of mm, or nothing for the usual one.
 * @param {HTMLElement} box
 * @param {Paper} paper
 * @param {"widthMm" | "heightMm"} key
 */
function addSize(box, paper, key) {
  const {name, least, most, suggested, usual} = SIZES[key];
  const label = element("label", "dp-row", box), suggestions = element("datalist", "", box, {id: `dp-paper-${key}`});
  const field = element("input", "dp-entry dp-paper-size", label, {type: "text", inputmode: "decimal", placeholder: usual, list: suggestions.id});
  label.prepend(`${name} in mm`);
  for (const size of suggested) element("option", "", suggestions, {value: size});
  const problem = element("p", "dp-problem", box, {role: "alert", hidden: ""});
  if (paper[key] !== DEFAULTS[key] && !(paper[key] >= least && paper[key] <= most)) paper[key] = DEFAULTS[key];
  field.value = paper[key] === DEFAULTS[key] ? "" : String(paper[key]);
  field.oninput = () => {
    const text = field.value.trim().replace(",", ".").replace(/\s*mm$/, ""), size = Number(text);
    const isUsable = !text || usual.startsWith(text.toLowerCase()) || (size >= least && size <= most);
    paper[key] = size >= least && size <= most ? size : DEFAULTS[key];
    problem.hidden = isUsable;
    problem.textContent = isUsable ? "" : `The ${name.toLowerCase()} must be from ${least} to ${most} mm; until then it is ${usual}.`;
  };
}

/**
 * @param {HTMLElement} box
 * @param {Paper} paper
 * @param {string} name
 * @param {"titled" | "greySafe" | "transparent"} key
 */
function addTick(box, paper, name, key) {
  const label = element("label", "dp-row dp-tick", box), tick = element("input", "", label, {type: "checkbox"});
  label.append(name);
  tick.checked = paper[key];
  tick.onchange = () => (paper[key] = tick.checked);
}

/**
 * Add a tick for each further chart of the page that can be a panel of the same picture, and the choice of their places.
 * @param {HTMLElement} box
 * @param {Paper} paper
 * @param {PartView} view
 * @param {PartView[]} charts
 * @param {Set<string>} chosen their names
 * @param {() => void} act
 */
function addPanels(box, paper, view, charts, chosen, act) {
  const panels = element("fieldset", "dp-paper-panels", box);
  element("legend", "", panels).textContent = "Further panels";
  for (const other of charts) {
    if (other === view) continue;
    const label = element("label", "dp-row dp-tick", panels), tick = element("input", "", label, {type: "checkbox"});
    label.append(captionOf([{text: required(other.part).figure.layout.title?.text}]).replace(/\.$/, ""));
    const name = required(required(other.part).name);
    tick.checked = chosen.has(name);
    tick.onchange = () => {
      if (tick.checked) chosen.add(name);
      else chosen.delete(name);
      places.hidden = !chosen.size;
      act();
    };
  }
  const places = addSelect(panels, paper, "Panels", "arrangement", [["", "As many in a row as fit"], ["row", "Side by side"], ["column", "Below each other"]]);
  places.hidden = !chosen.size;
}

/**
 * Add the buttons that copy the caption of the picture, and the lines of LaTeX that show it.
 * @param {HTMLElement} box
 * @param {Paper} paper
 * @param {() => PartView[]} panels
 */
function addTexts(box, paper, panels) {
  const parts = () => panels().map(({part}) => required(part)), caption = () => captionOfViews(panels(), paper);
  addCopyButton(box, "Copy caption", caption, "The caption is copied.");
  const latex = () => latexFigure({...paper, name: fileName(parts().map(({file}) => file)), caption: caption(), note: commentCitation(), key: citationKey()});
  addCopyButton(box, "Copy for LaTeX", latex, "The lines of LaTeX are copied.");
}
