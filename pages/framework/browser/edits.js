// What the user has set and Python has not answered. A change has a number: what is older than it is not drawn over it.

/** @type {Map<string, string>} The text of each parameter that is being set. */
export const unansweredTexts = new Map();

/** The number of the last change, and that of the change that is drawn. */
export let change = 0, drawnChange = 0;

/** Whether a slider or handle is held: its changes until it is released are one step of the history. */
export let isHeld = false;

/** @param {import("./types").Texts} entries the texts that Python is going to be asked for, steps of their parameters */
export function beginChange(entries = {}) {
  change++;
  for (const [key, text] of Object.entries(entries)) unansweredTexts.set(key, text);
}

/** @param {number} number the change that what is being drawn belongs to */
export function noteDrawn(number) {
  drawnChange = number;
}

/** @param {boolean} value */
export function setHeld(value) {
  isHeld = value;
}

/** Forget what was set on a page that is left: the next page is drawn whatever it was. */
export function forgetEdits() {
  unansweredTexts.clear();
  isHeld = false;
  drawnChange = 0;
}
