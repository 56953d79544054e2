// The prefetch of the settings next to the current one while the server is idle.
import {stepIndex} from "../chart/steps.js";
import {stage} from "./current_stage.js";
import {isHeld, setHeld} from "./edits.js";
import {head} from "./page_state.js";
import {valueOf} from "./parameters.js";
import {lookUpWith} from "./stage_cache.js";
import {isIdle, isSlow, send, whenIdle} from "./transport.js";

const LASTING = 8000; // ms for which the parameter under the pointer counts as the next to move
const MOST_REQUESTED = 50;

/** @type {string | null} The parameter that may be moved next. */
let nextKey = null;
let nextUntil = 0;

/** @type {Set<string>} The steps that were requested, each with its setting. */
let requested = new Set();

export const nextParameter = () => nextKey;

/** @param {string} key */
export function prefetch(key) {
  nextKey = key;
  nextUntil = performance.now() + LASTING;
  prefetchSteps();
}

export function prefetchSteps() {
  const key = nextKey;
  if (key === null || !isIdle() || isSlow() || performance.now() > nextUntil || document.hidden) return;
  const field = stage?.fields[key];
  if (!field?.steps?.length || key.includes(".")) return; // a number of a list has no key in the address
  const options = field.steps;
  const at = stepIndex(options, valueOf(key));
  const steps = [1, -1, 2, -2, 3, -3].map((by) => options[at + by]).filter((step) => step !== undefined && step !== field.used);
  const missing = steps.filter((step) => !lookUpWith({[key]: step}));
  const first = missing[0] + head.view;
  if (!missing.length || requested.has(first)) return; // requested once
  requested = new Set([...requested].slice(-MOST_REQUESTED)).add(first);
  const prefetch = missing.slice(0, isHeld ? 1 : 3).map((step) => ({[key]: step}));
  send({prefetch, view: head.view, how: "none"});
}

/**
 * End the drag of a slider or handle: further changes are a new step of the history.
 * @param {string} key
 */
export function releaseParameter(key) {
  if (!isHeld) return;
  setHeld(false);
  prefetch(key);
}

whenIdle(prefetchSteps);
