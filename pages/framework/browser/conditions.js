// The conditions of an answer: a line of words below it, each of which is a menu that changes its parameter, if it has one.
import {stage} from "./current_stage.js";
import {element} from "./dom.js";
import {unansweredTexts} from "./edits.js";
import {setParameters} from "./parameters.js";
import {required} from "./required.js";

/** @typedef {{key: string, words: string, state: string}} Condition */

const MARKS = /** @type {Record<string, string>} */ ({confirmed: "✓\u00a0", denied: "✗\u00a0"});

/** @type {WeakMap<Element, string>} The conditions that each host shows. */
const shown = new WeakMap();

/**
 * Show the conditions of the answer; the menus stay in the page while the same conditions are shown, so that they keep the focus.
 * @param {HTMLElement} host
 * @param {{lead: string, items: Condition[]}} conditions
 */
export function showConditions(host, {lead, items}) {
  const keys = items.map(({key}) => key).join(" ");
  host.hidden = items.length === 0;
  if (shown.get(host) !== keys) {
    shown.set(host, keys);
    host.replaceChildren(element("span", "dp-conditions-lead"), ...items.map(({key}) => newCondition(key)));
  }
  if (!items.length) return;
  host.children[0].textContent = lead;
  items.forEach((item, place) => showCondition(/** @type {HTMLElement} */ (host.children[place + 1]), item));
  refreshConditions(host);
}

/** @param {string} key */
function newCondition(key) {
  if (!key) return element("span", "dp-condition");
  const label = element("label", "dp-condition", null, {"data-key": key});
  element("span", "", label, {"aria-hidden": "true"});
  const select = element("select", "", label);
  select.onchange = () => setParameters({[key]: select.value});
  label.onclick = ({target}) => target !== select && select.showPicker?.(); // words on two lines are not under their menu
  return label;
}

/**
 * @param {HTMLElement} node
 * @param {Condition} condition
 */
function showCondition(node, {key, words, state}) {
  if (!key) {
    node.textContent = words;
    return;
  }
  const [text, select] = /** @type {[HTMLElement, HTMLSelectElement]} */ (/** @type {unknown} */ ([...node.children]));
  const {options = {}, label} = stage.fields[key];
  node.dataset.state = state;
  text.textContent = `${MARKS[state] ?? ""}${words}`;
  select.setAttribute("aria-label", `${label}: ${words}`);
  const names = JSON.stringify(options);
  if (select.dataset.names !== names) {
    select.dataset.names = names;
    select.replaceChildren(...Object.entries(options).map(([value, name]) => Object.assign(element("option"), {value, textContent: name})));
  }
}

/**
 * Show in each menu what is being chosen or, once that is answered, what is used.
 * @param {HTMLElement} host
 */
export function refreshConditions(host) {
  for (const label of host.querySelectorAll("label")) {
    const key = required(label.dataset.key);
    required(label.querySelector("select")).value = unansweredTexts.get(key) ?? stage.fields[key].used;
  }
}
