// Which keys belong to a field, and which to the page.
import {hasNewText} from "./fields.js";

/**
 * Return whether a key is for the field that has the focus: where nothing is being typed, Escape and the page keys are not.
 * @param {KeyboardEvent} event
 */
export function isForField({target, key}) {
  const node = /** @type {Element} */ (target);
  const field = node.closest?.("[role=dialog]") ?? node.closest?.("input, select, textarea, [role=slider]");
  if (!field || !["Escape", "PageDown", "PageUp"].includes(key)) return Boolean(field);
  return !field.matches("[type=range], [type=radio], [role=slider], .dp-entry") || (field.matches(".dp-entry") && hasNewText(field));
}
