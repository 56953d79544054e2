// More settings: fields that few users change, folded under the others until they are asked for.
import {stage} from "./current_stage.js";
import {element} from "./dom.js";
import {showFields} from "./fields.js";
import {head} from "./page_state.js";

/** @typedef {ReturnType<typeof newMoreSettings>} MoreSettings */

/**
 * Make the fold, whose state is the user's as long as the page is open.
 * @param {HTMLElement} parent
 */
export function newMoreSettings(parent) {
  const node = element("details", "dp-more-settings", parent), summary = element("summary", "", node);
  const fields = element("div", "dp-more-fields", node);
  node.ontoggle = () => {
    parent.classList.toggle("dp-all-settings", node.open);
    fitSheet();
    if (node.open) parent.scrollTop = node.offsetTop; // where the fields scroll, as on a phone
  };
  return {node, name: element("span", "", summary), mark: element("span", "dp-changed", summary), fields, keys: /** @type {string[]} */ ([])};
}

/**
 * Show the fields in the fold, which says how many there are, and how many are not at their default.
 * @param {MoreSettings} more
 * @param {{keys: string[], changed: number}} content
 */
export function showMoreSettings(more, {keys, changed}) {
  more.keys = keys;
  more.node.hidden = keys.length === 0;
  more.name.textContent = `More settings (${keys.length})`;
  more.mark.textContent = changed ? `${changed} changed` : "";
  more.mark.hidden = changed === 0;
  showFields(more.fields, keys);
}

/**
 * Open the fold where a text in one of its fields cannot be used: its sentence stands below that field.
 * @param {MoreSettings} more
 */
export function openWhereProblem(more) {
  if (more.keys.some((key) => head.entered[key]?.[1])) more.node.open = true;
}

/** Cut no row of the fields where they scroll below the picture, as on a phone: a shadow says that there are more. */
export function fitSheet() {
  const {controls, knownFields, moreSettings} = stage;
  controls.style.maxHeight = "";
  const style = getComputedStyle(controls), scrolls = style.overflowY === "auto" && !moreSettings.node.open;
  const isCut = scrolls && controls.scrollHeight > controls.clientHeight + 1;
  controls.classList.toggle("dp-scrolls", isCut);
  if (!isCut) return;
  const foot = moreSettings.node.offsetHeight;
  const rows = /** @type {HTMLElement[]} */ ([...knownFields.children]).map((row) => row.offsetTop + row.offsetHeight);
  const whole = rows.filter((end) => end + foot <= controls.clientHeight);
  if (whole.length) controls.style.maxHeight = `${Math.max(...whole) + foot + 1}px`; // and its border
}
