// The edits that Python has not answered. Each change has a number: an older stage is not drawn over a newer change.

/** @type {Map<string, string>} The text to which each parameter is being set. */
export const unansweredTexts = new Map();

/** The number of the last change, and that of the change that is drawn. */
export let change = 0, drawnChange = 0;

/** Whether a slider or handle is being dragged: its changes until the release are one step of the history. */
export let isHeld = false;

/** @param {import("./types").Texts} entries the texts of the next request */
export function beginChange(entries = {}) {
  change++;
  for (const [key, text] of Object.entries(entries)) unansweredTexts.set(key, text);
}

/** @param {number} number the change to which the drawn stage belongs */
export function noteDrawn(number) {
  drawnChange = number;
}

/** @param {boolean} value */
export function setHeld(value) {
  isHeld = value;
}

/** Forget the edits on a page that is left: the next page is drawn in any case. */
export function forgetEdits() {
  unansweredTexts.clear();
  isHeld = false;
  drawnChange = 0;
}
