// The stage that is drawn. Streamlit gives each page an element of its own, so there may be an older one for a moment.

/** @typedef {ReturnType<typeof import("./stage.js").newStage>} Stage */

/** @type {Stage} The current stage: there is one whenever anything is drawn, and none before the first response. */
export let stage;

/** @param {Stage} next */
export function setStage(next) {
  stage = next;
}
