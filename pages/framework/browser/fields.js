// The fields of the parameters: boxes, sliders and options, wherever they stand.
import {keyStep} from "../chart/steps.js";
import {addButton, addPopover} from "./buttons.js";
import {withoutOwnAddress} from "./citation.js";
import {complementText} from "./complement.js";
import {stage} from "./current_stage.js";
import {element, setHtml} from "./dom.js";
import {unansweredTexts} from "./edits.js";
import {goToFields} from "./field_links.js";
import {groupedText, ungroupedText} from "./grouping.js";
import {head} from "./page_state.js";
import {moveParameter, setParameters, textOf, valueOf} from "./parameters.js";
import {prefetch, releaseParameter} from "./prefetch.js";
import {required} from "./required.js";
import {isIdle, send} from "./transport.js";

/** @typedef {import("./types").Field} Field */
/** @typedef {HTMLInputElement | HTMLTextAreaElement} Entry */
/** @typedef {ReturnType<typeof addFieldBox>} FieldBox */

const LONGEST_OPTIONS = 40; // characters of all names together: longer ones become a list to choose from

/** @type {WeakMap<Element, string>} The parameters that each host has fields of. */
const layouts = new WeakMap();

/** @type {WeakMap<Element, string>} The last text of each box that Python has confirmed. */
const knownTexts = new WeakMap();

const SEARCH_DELAY = 250; // ms without a key before a search

/** @type {(matches: {text: string, found: [place: string, name: string][], total: number}) => void} */
export let takeMatches = () => {};

let fieldCount = 0;

/**
 * Add the field of a parameter by its kind. Return the function that updates it.
 * @param {HTMLElement} host
 * @param {string} key
 * @param {Field} field
 */
function addField(host, key, field) {
  if (field.search) return addSearch(host, key, field);
  if (field.steps) return addQuantity(host, key, /** @type {import("./types").NumberField} */ (field));
  if (field.options) return addChoice(host, key, /** @type {import("./types").ChoiceField} */ (field));
  return addTextField(host, key, field);
}

/**
 * Show the fields of some parameters in a host.
 * @param {HTMLElement} host
 * @param {string[]} keys
 */
export function showFields(host, keys) {
  const layout = keys.map((key) => `${key} ${stage.fields[key].label}`).join("|");
  if (layouts.get(host) !== layout) {
    layouts.set(host, layout);
    host.replaceChildren();
    for (const key of keys) stage.widgets.set(key, {refresh: addField(host, key, stage.fields[key])});
  }
  host.hidden = keys.length === 0;
  for (const key of keys) stage.widgets.get(key)?.refresh();
}

/**
 * Return the text in a field for a text of its parameter.
 * @param {Field} field
 * @param {string} text
 */
const fieldText = (field, text) => (field.complement ? complementText(text) : field.steps ? groupedText(text) : text);

/**
 * Return the text of a parameter for the text in its field.
 * @param {Field} field
 * @param {string} text
 */
const enteredText = (field, text) => (field.complement ? complementText(text) : field.steps ? ungroupedText(text) : text);

/**
 * Return the name by which speech and screen readers find a field: the words in sight, as people say them (WCAG 2.5.3), and
 * then in full.
 * @param {Field} field
 */
const spokenName = ({caption, label}) => (caption && caption !== label ? `${caption}: ${label}` : label);

/** @param {Element} input */
export const hasNewText = (input) => /** @type {Entry} */ (input).value !== knownTexts.get(input);

/**
 * Show a text in a box, unless the user is typing another one there.
 * @param {Entry} input
 * @param {string} text
 */
export function showText(input, text) {
  if (document.activeElement !== input || !hasNewText(input)) input.value = text;
  knownTexts.set(input, text);
}

/**
 * @param {Element} host
 * @param {string} key
 * @param {string} kind
 */
function addFieldBox(host, key, kind) {
  const node = element("div", `dp-field dp-${kind}`, host, {"data-key": key}), id = `dp_${key}_${fieldCount++}`;
  const header = element("div", "dp-field-head", node);
  const problem = element("p", "dp-problem", node, {id: `${id}_problem`, role: "alert"});
  return {node, header, id, problem, note: /** @type {HTMLElement} */ (element("p", "dp-meant", node))};
}

/**
 * @param {FieldBox} box
 * @param {Field} field
 */
function addHelp({header, node}, field) {
  if (!field.help && (field.caption ?? field.label) === field.label) return;
  const button = element("button", "dp-help", header, {type: "button", "aria-label": `About ${field.symbol}`});
  button.textContent = "?";
  addPopover(button, (popover) => {
    element("strong", "", popover).textContent = field.label;
    setHtml(element("div", "dp-words", popover), field.help ?? "");
  }, node);
}

/**
 * @param {FieldBox} box
 * @param {Entry} input
 * @param {string} key
 */
function refreshEntry(box, input, key) {
  const field = stage.fields[key], [entry, problem] = head.entered[key] ?? [field.used, ""];
  const isPending = unansweredTexts.has(key);
  showText(input, fieldText(field, unansweredTexts.get(key) ?? entry));
  box.problem.textContent = isPending ? "" : problem;
  box.problem.hidden = !box.problem.textContent;
  box.node.classList.toggle("dp-with-problem", !box.problem.hidden);
  const from = isPending || problem ? undefined : head.carried?.[key];
  box.note.textContent = [
    noteOf(field, isPending || problem ? undefined : field.meant),
    from && `as on “${from[0]}”`,
  ].filter(Boolean).join(", ");
  box.note.hidden = !box.note.textContent;
  if (problem) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/**
 * Return a sentence for each page on which parameters of the open one were changed since it was left, and one for each from
 * which it has texts of fields that are folded, whose notes are not in sight; but for those that are being set here.
 * @returns {string[]}
 */
export function changesElsewhere() {
  if (head.aside) return ["One part, shown alone: what you change here stays here."];
  /** @type {Map<string, string[]>} */
  const sentences = new Map();
  for (const [key, [name, before]] of Object.entries(head.carried ?? {})) {
    const field = stage.fields[key];
    if (!field || field.options || head.demo || unansweredTexts.has(key)) continue; // each step of a lesson has its own setting
    if (!before && !stage.moreSettings.keys.includes(key)) continue;
    const used = fieldText(field, field.used);
    const start = before ? `Changed on “${name}”, and so here: ` : `As on “${name}”: `;
    const symbol = field.complement ? field.caption : field.symbol; // what its field shows
    const change = before ? `${symbol} from ${fieldText(field, before)} to ${used}` : `${symbol} = ${used}`;
    sentences.set(start, [...sentences.get(start) ?? [], change]);
  }
  return [...sentences].map(([start, listed]) => `${start}${listed.join(", ")}.`);
}

/**
 * Return the note below a field: the number that its text means, if it needs saying, of the parameter in the link.
 * @param {Field} field
 * @param {string | undefined} meant
 */
const noteOf = (field, meant) => (meant && field.complement ? `${field.complement} ${meant}` : meant ?? "");

/**
 * @param {Element} host
 * @param {FieldBox} box
 * @param {string} key
 * @param {Field} field
 */
function addEntry(host, box, key, field) {
  const kind = field.lines ? /** @type {const} */ ("textarea") : /** @type {const} */ ("input");
  /** @type {Entry} */
  const input = element(kind, "dp-entry", host, {
    ...(field.lines ? {rows: field.links ? 12 : 3} : {type: "text"}), id: box.id, autocomplete: "off", spellcheck: "false", "aria-label": spokenName(field),
    "aria-describedby": `${box.id}_problem`,
  });
  const commit = () => {
    if (!hasNewText(input)) return;
    const text = input.value;
    knownTexts.set(input, text); // until Python has confirmed it
    setParameters({[key]: field.links ? withoutOwnAddress(text) : enteredText(field, text)});
  };
  input.onchange = commit;
  input.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && !field.lines) commit();
    if (event.key === "Escape" && hasNewText(input)) {
      input.value = knownTexts.get(input) ?? "";
      event.stopPropagation();
    }
  };
  return input;
}

/**
 * Add a box for a number, with a slider where it has steps. Return the function that updates both.
 * @param {Element} host
 * @param {string} key
 * @param {import("./types").NumberField} field
 */
function addQuantity(host, key, field) {
  const box = addFieldBox(host, key, "quantity");
  const symbol = element("label", "dp-symbol", box.header, {for: box.id, title: field.label});
  symbol.textContent = field.caption.replace(" · ", "\u00a0·\u00a0"); // no break beside the point
  if (field.complement) box.note = element("span", "dp-complement", symbol);
  const input = addEntry(box.header, box, key, {...field, lines: false});
  addHelp(box, field);
  const refreshSlider = field.steps.length ? addSlider(box, key, field) : null;
  const {automatic} = field;
  const button = automatic ? addButton(box.node, automatic.name, () => setParameters({[key]: automatic.text})) : null;
  return () => {
    if (!stage.fields[key]) return;
    refreshEntry(box, input, key);
    refreshSlider?.();
    if (button) button.hidden = textOf(key) === automatic?.text;
  };
}

/**
 * @param {FieldBox} box
 * @param {string} key
 * @param {import("./types").NumberField} field
 */
function addSlider(box, key, field) {
  const slider = element("input", "dp-range", null, {
    type: "range", min: 0, max: field.steps.length - 1, step: "any", "aria-label": field.ends || `${field.label}, steps`,
  });
  box.header.after(slider);
  /** @type {(place: number) => number} A complement grows to the right, where its parameter falls. */
  const mirrored = (place) => (field.complement ? field.steps.length - 1 - place : place);
  slider.oninput = () => moveParameter(key, field.steps[Math.round(mirrored(Number(slider.value)))]);
  slider.onchange = () => releaseParameter(key);
  slider.onpointerenter = slider.onfocus = () => prefetch(key);
  slider.onkeydown = (event) => {
    const step = keyStep(event, stage.fields[key].steps ?? [], valueOf(key), field.complement ? -1 : 1);
    if (step !== undefined) moveParameter(key, step);
  };
  slider.onkeyup = slider.onblur = () => releaseParameter(key);
  return () => {
    const {steps = []} = stage.fields[key], value = valueOf(key);
    const below = steps.filter((step) => Number(step) < value).length;
    slider.value = String(mirrored(Number(steps[below]) === value ? below : Math.max(0, below - 0.5)));
    slider.setAttribute("aria-valuetext", fieldText(field, textOf(key)));
  };
}

/**
 * Add the options of a parameter, side by side where they are few and short.
 * @param {Element} host
 * @param {string} key
 * @param {import("./types").ChoiceField} field
 */
function addChoice(host, key, field) {
  const refresh = addOptions(host, key, field);
  if (field.link) element("a", "dp-field-link", host.lastElementChild, {href: `#${field.link.key}`}).textContent = field.link.label;
  return refresh;
}

/**
 * @param {Element} host
 * @param {string} key
 * @param {import("./types").ChoiceField} field
 */
function addOptions(host, key, field) {
  const box = addFieldBox(host, key, "choice"), options = Object.entries(field.options);
  if (!field.question && (options.length > 4 || options.map(([, name]) => name).join("").length > LONGEST_OPTIONS)) return addSelect(box, key, field);
  const group = element("div", field.question ? "dp-options dp-answers" : "dp-options", box.node, {role: "radiogroup", "aria-label": field.label});
  element("span", "dp-symbol", box.header).textContent = field.label;
  addHelp(box, field);
  const inputs = options.map(([option, name]) => {
    const label = element("label", "", group), input = element("input", "", label, {type: "radio", name: box.id, value: option});
    element("span", "", label).textContent = name;
    input.onchange = () => chooseOption(key, option);
    return input;
  });
  return () => {
    for (const input of inputs) input.checked = input.value === optionOf(key);
  };
}

/**
 * Return the option that is chosen, from the moment at which it is chosen.
 * @param {string} key
 */
const optionOf = (key) => unansweredTexts.get(key) ?? stage.fields[key]?.used;

/**
 * Set a parameter to an option, and open the fields for own data where the option needs data that the session does not have.
 * @param {string} key
 * @param {string} option
 */
function chooseOption(key, option) {
  const {link} = stage.fields[key];
  if (link?.option === option && !head.data[link.slot]) goToFields(link.key);
  setParameters({[key]: option});
}

/**
 * @param {FieldBox} box
 * @param {string} key
 * @param {import("./types").ChoiceField} field
 */
function addSelect(box, key, field) {
  element("label", "dp-symbol", box.header, {for: box.id}).textContent = field.label;
  addHelp(box, field);
  const select = element("select", "dp-select", box.node, {id: box.id, "aria-label": field.label});
  for (const [option, name] of Object.entries(field.options)) element("option", "", select, {value: option}).textContent = name;
  select.onchange = () => chooseOption(key, select.value);
  return () => {
    if (stage.fields[key]) select.value = optionOf(key);
  };
}

/**
 * @param {Element} host
 * @param {string} key
 * @param {Field} field
 */
function addTextField(host, key, field) {
  const box = addFieldBox(host, key, "words-field");
  element("label", "dp-symbol", box.header, {for: box.id}).textContent = field.label;
  addHelp(box, field);
  const input = addEntry(box.node, box, key, field);
  box.header.after(input);
  // Leaving the box takes its text as well; nobody who has pasted knows that.
  if (field.links) input.after(addButton(box.node, "Make the demonstration", () => input.dispatchEvent(new Event("change"))));
  return () => {
    if (stage.fields[key]) refreshEntry(box, input, key);
  };
}

/**
 * Add a search for what the picture has no room for, with what is in sight and buttons to the rest. The typed text is
 * sent for its matches alone: it may be of the user's own data, so no link gets it, but only the place that is chosen.
 * @param {Element} host
 * @param {string} key
 * @param {Field} field
 */
function addSearch(host, key, field) {
  const box = addFieldBox(host, key, "words-field");
  element("label", "dp-symbol", box.header, {for: box.id}).textContent = field.label;
  const input = element("input", "dp-entry", null, {type: "search", id: box.id, autocomplete: "off", spellcheck: "false"});
  const list = element("div", "dp-matches", null, {role: "status"});
  const pages = element("div", "dp-places", null);
  box.header.after(input, list, pages);
  const range = () => required(stage.fields[key].search), place = () => Math.min(valueOf(key), range()[0]);
  /** @type {(step: number) => () => void} */
  const go = (step) => () => setParameters({[key]: String(Math.max(1, place() + step * range()[1]))});
  const earlier = addButton(pages, "‹", go(-1)), note = element("span", "", pages), later = addButton(pages, "›", go(1));
  earlier.setAttribute("aria-label", "Earlier");
  later.setAttribute("aria-label", "Later");
  let timer = 0, shownView = "";
  const ask = () => {
    clearTimeout(timer);
    const text = input.value.trim();
    if (!text) return list.replaceChildren();
    timer = Number(setTimeout(() => (isIdle() ? send({find: text, how: "none"}) : ask()), SEARCH_DELAY));
  };
  input.oninput = ask;
  input.onkeydown = (event) => {
    if (event.key === "Enter") list.querySelector("button")?.click();
    if (event.key !== "Escape" || !input.value) return;
    input.value = "";
    ask();
    event.stopPropagation();
  };
  takeMatches = ({text, found, total}) => {
    if (text !== input.value.trim()) return;
    list.replaceChildren();
    for (const [at, name] of found) addButton(list, name, () => setParameters({[key]: at}), "dp-entry-button");
    const rest = total - found.length;
    if (!total || rest) element("span", "", list).textContent = total ? `and ${groupedText(String(rest))} more` : "Nothing has this name.";
  };
  return () => {
    if (!stage.fields[key]?.search) return;
    const [items, shown] = range(), first = place(), last = Math.min(first + shown - 1, items);
    note.textContent = `${[first, last].map((end) => groupedText(String(end))).join("–")} of ${groupedText(String(items))}`;
    earlier.disabled = first <= 1;
    later.disabled = last >= items;
    if (shownView !== stage.shownView) list.replaceChildren(); // their order may be another one
    shownView = stage.shownView;
  };
}
