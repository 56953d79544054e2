// Buttons that copy a text.
import {addButton, keepInSight} from "./buttons.js";
import {element} from "./dom.js";

/**
 * Add a button that copies a text, and then says so at the end of its box, in a line that the buttons of the box share;
 * where a page has no clipboard, it shows the text.
 * @param {HTMLElement} box
 * @param {string} name
 * @param {() => string} textOf
 * @param {string} done what it says
 */
export function addCopyButton(box, name, textOf, done) {
  const note = box.querySelector(":scope > .dp-copied") ?? element("p", "dp-done dp-copied", box, {role: "status"});
  addButton(box, name, () => {
    const text = textOf();
    navigator.clipboard.writeText(text).then(() => done, () => text).then((line) => {
      note.textContent = line;
      note.classList.toggle("dp-copy-lines", line.trim().includes("\n")); // as they are, to be copied by hand
      const popover = /** @type {HTMLElement | null} */ (note.closest(".dp-popover"));
      if (popover) keepInSight(popover);
      if (line !== done) note.scrollIntoView?.({block: "nearest"});
    });
  }, "dp-entry-button");
}
