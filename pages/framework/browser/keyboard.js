// Decides whether a key is for a field or for the page.
import {hasNewText} from "./fields.js";

/**
 * Return whether a key is for the focused field: Escape and the page keys are not unless the user is typing.
 * @param {KeyboardEvent} event
 */
export function isForField({target, key}) {
  const node = /** @type {Element} */ (target);
  const field = node.closest?.("[role=dialog]") ?? node.closest?.("input, select, textarea, [role=slider]");
  if (!field || !["Escape", "PageDown", "PageUp"].includes(key)) return Boolean(field);
  return !field.matches("[type=range], [type=radio], [role=slider], .dp-entry") || (field.matches(".dp-entry") && hasNewText(field));
}
