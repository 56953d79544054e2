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
const RETRY = 300; // ms after which a step is requested again that was not ready, unless the server was busy: it goes on rendering it
const MOST_TRIES = 3;

/** @type {string | null} The parameter that may be moved next. */
let nextKey = null;
let nextUntil = 0;

/** @type {Map<string, number>} How often steps were requested, each with its setting. */
const requested = new Map();
let lastRequest = 0;
let retried = ""; // the parameter and the setting whose neighbours take long: only the first of them is prefetched

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
  const first = missing[0] + head.view, tries = requested.get(first) ?? 0;
  const mustWait = head.busy || performance.now() < lastRequest + RETRY;
  if (!missing.length || tries === MOST_TRIES || (tries ? mustWait : key + head.view === retried)) return;
  requested.set(first, tries + 1);
  if (requested.size > MOST_REQUESTED) requested.delete([...requested.keys()][0]);
  if (tries) retried = key + head.view;
  const prefetch = missing.slice(0, isHeld || tries ? 1 : 3).map((step) => ({[key]: step}));
  send({prefetch, view: head.view, how: "none"});
  lastRequest = performance.now();
  setTimeout(prefetchSteps, RETRY + 1);
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
