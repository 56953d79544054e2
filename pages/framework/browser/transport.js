// Requests to Python: one at a time, and the newest waits until the run for the one before it is over.
import {stage} from "./current_stage.js";
import {departure, pagesLeft} from "./departure.js";
import {pause} from "./dom.js";
import {change} from "./edits.js";
import {openFolds} from "./folds.js";
import {required} from "./required.js";
import {lookUpWith} from "./stage_cache.js";
import {isRunning, runEnd, sendRequest} from "./streamlit_host.js";

/** @typedef {import("./types").Request} Request */

const SLOW = 700; // ms: a slower server gets no prefetch requests
const PATIENCE = 1500; // ms after which an unanswered request is sent again, unless a run is in progress
const MOST_SENDINGS = 40; // of one request
const MOST_CHANGES = 50; // requests whose change is remembered
const ENGINE_KEYS = ["how", "theme", "prefetch", "view", "dataCopies"]; // a request with these keys alone is not the user's

const ORDER_KEYS = ["add", "csv", "file"]; // each of these requests is answered, at the setting at which it was made

/** @type {NonNullable<Request["how"]>[]} What an answer does to the address, from the least to the most. */
const WAYS = ["none", "replace", "push"];

let number = 0; // of the last request that was sent
let answered = 0; // the number of the last request that was answered
let busy = false;
let slow = false;
let endWait = () => {};
let onIdle = () => {};

/** @type {Request[]} The requests that wait, in the order in which they were made. */
let queue = [];

/** @type {Request | null} */
let current = null;

/** @type {Map<number, number>} By the number of a request: the user's change before it. */
const changes = new Map();

/** @param {Request} request */
const isUsers = (request) => Object.keys(request).some((key) => !ENGINE_KEYS.includes(key));

/** @param {Request} request */
const isOrder = (request) => ORDER_KEYS.some((key) => request[key] !== undefined);

/** @param {Request} request */
const withHow = (request) => ({
  ...request, how: request.how ?? (request.link ? "replace" : request.set || "pin" in request ? "push" : "none"),
});

/**
 * Send a request, or merge it into the last one that waits, unless that one orders an item or a file: the order is for
 * the setting that the user saw, and a later order or edit follows it. A link replaces the edits that wait. A page that
 * is about to be left still sends requests of the user, but no others; one that was left sends nothing.
 * @param {Request} request
 */
export function send(request) {
  if (pagesLeft.size || (departure && !isUsers(request))) return;
  if (departure) Object.assign(departure.entered, request.set);
  if (request.link) queue = queue.filter(isOrder);
  const last = queue.at(-1), next = withHow(request);
  if (!last || isOrder(last) || request.link) queue.push(next);
  else queue.push({...queue.pop(), ...next, how: greaterWay(last.how, next.how), set: {...last.set, ...request.set}});
  if (!busy) void sendQueued();
}

/**
 * Send a new session of a restarted server its link before the orders that wait; the link has the edits that wait.
 * @param {Request} request
 */
export function sendLinkFirst(request) {
  queue = [withHow(request), ...queue.filter(isOrder)];
  if (!busy) void sendQueued();
}

/**
 * Return what a merged request does to the address: an edit that waits keeps its entry in the history.
 * @param {Request["how"]} first
 * @param {Request["how"]} second
 */
const greaterWay = (first = "none", second = "none") => WAYS[Math.max(WAYS.indexOf(first), WAYS.indexOf(second))];

async function sendQueued() {
  busy = true;
  const start = performance.now();
  stage?.node.setAttribute("aria-busy", "true");
  try {
    for (let request; stage && (request = queue.shift()); ) {
      request.n = ++number;
      changes.set(number, change);
      if (changes.size > MOST_CHANGES) changes.delete([...changes.keys()][0]);
      Object.assign(request, openFolds());
      const cached = request.set && lookUpWith(request.set);
      if (cached) request.view = cached.view;
      current = request;
      await sendUntilAnswered(request);
    }
  } finally {
    busy = false;
    stage?.node.removeAttribute("aria-busy");
  }
  slow = performance.now() - start > SLOW;
  onIdle();
}

/**
 * Send a request repeatedly until it is answered: Streamlit drops a request that arrives while a run starts.
 * @param {Request} request
 */
async function sendUntilAnswered(request) {
  const n = required(request.n);
  for (let sendings = 0; sendings < MOST_SENDINGS && answered < n && stage; sendings++) {
    const answer = new Promise((resolve) => (endWait = () => resolve(undefined)));
    sendRequest(request);
    await Promise.race([answer, pause(PATIENCE)]);
    while (answered < n && isRunning()) await Promise.race([answer, pause(200)]); // a long computation
  }
  await Promise.race([runEnd(), pause(400)]);
}

/**
 * Call a function whenever the queue becomes empty.
 * @param {() => void} callback
 */
export function whenIdle(callback) {
  onIdle = callback;
}

export const isBusy = () => busy;
export const isIdle = () => !busy && !queue.length;

/** Return whether the last requests took so long that the server has no time for prefetching. */
export const isSlow = () => slow;
export const hasQueuedLink = () => queue.some(({link}) => link);

/** Return the texts of the edits that wait; undefined if none waits. */
export const queuedTexts = () => queue.some(({set}) => set) ? Object.assign({}, ...queue.map(({set}) => set)) : undefined;

/** The request that was sent last on this page. */
export const currentRequest = () => current;

/** @param {number} n the number of a request */
export const changeOf = (n) => changes.get(n) ?? change;

/** Return the texts of requests that are not answered yet. */
export const pendingTexts = () => ({...(busy ? current?.set : {}), ...queuedTexts()});

/**
 * Note a response, and return whether it is the first to a request.
 * @param {number} n the number of the request that it answers
 */
export function noteAnswer(n) {
  const isFirst = n > answered;
  if (isFirst) answered = n;
  return isFirst;
}

/** Note that no sent request will be answered any more. */
export function noteAllAnswered() {
  answered = number;
}

/** End the wait for the last request if all requests are answered: a run that answers an older one does not end it. */
export function endWaitIfAnswered() {
  if (answered >= number) endWait();
}

/** End the wait for the last request in any case, so that its state is checked again. */
export function interruptWait() {
  endWait();
}

/** Drop the queued request of a page that is left. */
export function dropQueue() {
  queue = [];
  current = null;
}
