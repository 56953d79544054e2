// Requests to Python: one at a time, and the newest waits until the run for the one before it is over.
import {stage} from "./current_stage.js";
import {departure, pagesLeft} from "./departure.js";
import {pause} from "./dom.js";
import {change} from "./edits.js";
import {required} from "./required.js";
import {lookUpWith} from "./stage_cache.js";
import {isRunning, runEnd, sendRequest} from "./streamlit_host.js";

/** @typedef {import("./types").Request} Request */

const SLOW = 700; // ms: a slower server gets no prefetch requests
const PATIENCE = 1500; // ms after which an unanswered request is sent again, unless a run is in progress
const MOST_SENDINGS = 40; // of one request
const MOST_CHANGES = 50; // requests whose change is remembered
const ENGINE_KEYS = ["how", "theme", "prefetch", "view", "dataCopies"]; // a request with these keys alone is not the user's

/** @type {(keyof Request)[]} Keys whose newer value does not replace an older one: each is answered. */
const ORDER_KEYS = ["add", "csv", "file"];

/** @type {NonNullable<Request["how"]>[]} What an answer does to the address, from the least to the most. */
const WAYS = ["none", "replace", "push"];

let number = 0; // of the last request that was sent
let answered = 0; // the number of the last request that was answered
let busy = false;
let slow = false;
let endWait = () => {};
let onIdle = () => {};

/** @type {Request | null} */
let queued = null;

/** @type {Request[]} Requests that go after the queued one, because both order the same kind of thing. */
const ordered = [];

/** @type {Request | null} */
let current = null;

/** @type {Map<number, number>} By the number of a request: the user's change before it. */
const changes = new Map();

/** @param {Request} request */
const isUsers = (request) => Object.keys(request).some((key) => !ENGINE_KEYS.includes(key));

/**
 * Send a request, or merge it into the queued one, unless both order an item or a file. A page that is about to be
 * left still sends requests of the user, but no others; one that was left sends nothing.
 * @param {Request} request
 */
export function send(request) {
  if (pagesLeft.size || (departure && !isUsers(request))) return;
  if (departure) Object.assign(departure.entered, request.set);
  const how = request.how ?? (request.link ? "replace" : request.set || "pin" in request ? "push" : "none");
  if (ORDER_KEYS.some((key) => queued?.[key] !== undefined && request[key] !== undefined)) ordered.push({...request, how});
  else queued = queued && !request.link
    ? {...queued, ...request, how: greaterWay(queued.how, how), set: {...queued.set, ...request.set}}
    : {...request, how};
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
    while ((queued ??= ordered.shift() ?? null) && stage) {
      const request = queued;
      queued = null;
      request.n = ++number;
      changes.set(number, change);
      if (changes.size > MOST_CHANGES) changes.delete([...changes.keys()][0]);
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
export const isIdle = () => !busy && !queued;

/** Return whether the last requests took so long that the server has no time for prefetching. */
export const isSlow = () => slow;
export const queuedRequest = () => queued;

/** The request that was sent last on this page. */
export const currentRequest = () => current;

/** @param {number} n the number of a request */
export const changeOf = (n) => changes.get(n) ?? change;

/** Return the texts of requests that are not answered yet. */
export const pendingTexts = () => ({...(busy ? current?.set : {}), ...queued?.set});

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
  queued = null;
  ordered.length = 0;
  current = null;
}
