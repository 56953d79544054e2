// The parameters of the page: their fields, texts and values, and how they are set. Everything that shows a parameter
// is updated at once; if the browser has the stage of the new setting, it is drawn before Python answers.
import {charts} from "../chart/chart.js";
import {moveMarker, placePoint} from "../chart/drag_handles.js";
import {stage} from "./current_stage.js";
import {pagesLeft} from "./departure.js";
import {beginChange, change, isHeld, noteDrawn, setHeld, unansweredTexts} from "./edits.js";
import {lookUpWith} from "./stage_cache.js";
import {pendingTexts, send} from "./transport.js";

/** @type {(cached: import("./stage_cache.js").CachedStage) => void} */
let drawCached = () => {};

/** @param {typeof drawCached} draw what draws a stage that the browser has */
export function whenCached(draw) {
  drawCached = draw;
}

/** @param {string} key */
export const fieldOf = (key) => stage?.fields[key];

/**
 * Return the step to which a parameter is being set; undefined for any other text, whose number only Python knows.
 * @param {string} key
 */
function unansweredStep(key) {
  const text = unansweredTexts.get(key);
  return text !== undefined && stage.fields[key].steps?.includes(text) ? text : undefined;
}

/** @param {string} key */
export const textOf = (key) => unansweredStep(key) ?? stage.fields[key].used;

/** @param {string} key */
export const valueOf = (key) => {
  const value = Number(unansweredStep(key) ?? NaN);
  return Number.isNaN(value) ? stage.fields[key].value : value; // a word keeps the last number that it stood for
};

/**
 * Update everything that shows a parameter: its slider, its box and the markers of the charts.
 * @param {string} key
 */
export function showParameter(key) {
  refreshFields(key);
  for (const chart of charts) {
    if (chart.drawnFigure && chart.marks.includes(key)) moveMarker(chart, key);
    if (chart.drawnFigure && chart.picks.includes(key)) placePoint(chart);
  }
}

/** @param {string} key */
export function refreshFields(key) {
  stage?.widgets.get(key)?.refresh();
}

/**
 * Set parameters to texts.
 * @param {import("./types").Texts} entries
 * @param {boolean} [fromHandle] whether a slider or handle is being dragged, whose changes are one step of the history
 */
export function setParameters(entries, fromHandle = false) {
  if (pagesLeft.size) return Object.keys(entries).forEach(showParameter); // the field shows the used text again
  beginChange(entries);
  for (const key of Object.keys(entries)) showParameter(key);
  const cached = lookUpWith({...pendingTexts(), ...entries});
  if (cached) {
    noteDrawn(change);
    drawCached(cached);
  }
  const how = fromHandle && isHeld ? "replace" : "push";
  if (fromHandle) setHeld(true);
  send({set: entries, how});
}

/**
 * Move a parameter to one of its steps during a drag.
 * @param {string} key
 * @param {string} text
 */
export function moveParameter(key, text) {
  if (text !== textOf(key)) setParameters({[key]: text}, true);
}
