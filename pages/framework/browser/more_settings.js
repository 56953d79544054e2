// More settings: fields that few users change, folded under the others until they are asked for.
import {stage} from "./current_stage.js";
import {element} from "./dom.js";
import {showFields} from "./fields.js";
import {head} from "./page_state.js";
import {heightAboveStage, scroller} from "./streamlit_host.js";

/** @typedef {ReturnType<typeof newMoreSettings>} MoreSettings */

const PHONE = 640; // px: the widest window in which the fields are a sheet below the picture
const ROW = 48; // px: a field, and what is between it and the picture

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

/**
 * Leave the picture above the sheet of fields readable on a phone. Where a field is in sight below the picture, the sheet has
 * its place there. Where none is, as below a long list, it stays at the foot of the window with its first fields, and cuts no
 * row: a shadow says that there are more.
 */
export function fitSheet() {
  const {node, controls, knownFields, moreSettings, first} = stage;
  controls.style.maxHeight = "";
  controls.classList.remove("dp-below-picture", "dp-below-list");
  if (innerWidth > PHONE) return controls.classList.remove("dp-scrolls"); // to ask for sizes would lay out the page once more at each move
  const style = getComputedStyle(controls), scrolls = style.overflowY === "auto" && !moreSettings.node.open;
  const end = first.getBoundingClientRect().bottom + (scroller()?.scrollTop ?? 0) - heightAboveStage(node);
  if (scrolls && first.offsetHeight) controls.classList.add(end + ROW <= innerHeight ? "dp-below-picture" : "dp-below-list");
  const isCut = scrolls && controls.scrollHeight > controls.clientHeight + 1;
  controls.classList.toggle("dp-scrolls", isCut);
  if (!isCut) return;
  const foot = moreSettings.node.offsetHeight;
  const rows = /** @type {HTMLElement[]} */ ([...knownFields.children]).map((row) => row.offsetTop + row.offsetHeight);
  const whole = rows.filter((end) => end + foot <= controls.clientHeight);
  if (whole.length) controls.style.maxHeight = `${Math.max(...whole) + foot + 1}px`; // and its border
}
