// A response of Python: how it is read, and what becomes of each part of it.
import {showLesson} from "./classroom.js";
import {stage} from "./current_stage.js";
import {deliver} from "./deliveries.js";
import {pagesLeft} from "./departure.js";
import {change, drawnChange, noteDrawn, unansweredTexts} from "./edits.js";
import {followLink} from "./history.js";
import {followOwnData, missingCopies} from "./own_data.js";
import {unpack} from "./packing.js";
import {accept, head as lastHead, isOpen} from "./page_state.js";
import {showHead, showStage} from "./stage.js";
import {lookUp, store, viewWith} from "./stage_cache.js";
import {
  changeOf, currentRequest, endWaitIfAnswered, interruptWait, noteAllAnswered, noteAnswer, queuedRequest, send,
} from "./transport.js";

/** @typedef {import("./types").Head} Head */

/**
 * Take a response. Return false for one of a run before the last one, which Streamlit may hand over after it.
 * @param {Uint8Array<ArrayBuffer>} data
 */
export function receive(data) {
  /** @type {Head} */
  const head = unpack(data), {bodies} = head;
  if (head.session === lastHead?.session && head.run < lastHead.run) { // Streamlit gives the first ones of a page in any order
    for (const [kind, about, bytes] of bodies) if (!isStage(kind)) deliver(head.n, kind, about, bytes);
    return false;
  }
  if (isLate(head)) return true;
  const isLost = lastHead !== null && lastHead.session !== head.session && isOpen();
  const isNewPage = !isOpen() || lastHead?.session !== head.session;
  accept(head);
  for (const [kind, about, bytes] of bodies) takeBody(head, kind, about, bytes);
  const restore = missingCopies(head);
  if (isLost || restore) {
    restoreSession(isLost, restore);
    return true;
  }
  showResponse(head, isNewPage);
  followOwnData(head); // after the address, which a request of its own would hold back
  return true;
}

/** @param {string} kind */
const isStage = (kind) => kind === "stage" || kind === "prefetched";

/**
 * Return whether a response is of a page that was left; otherwise no page is waited for any more.
 * @param {Head} head
 */
function isLate(head) {
  const late = pagesLeft.has(head.page);
  if (late) noteAnswer(head.n);
  else if (pagesLeft.size) noteAllAnswered();
  if (pagesLeft.size) interruptWait();
  if (pagesLeft.size && !late) {
    pagesLeft.clear();
    stage.node.inert = false;
  }
  return late;
}

/**
 * @param {Head} head
 * @param {string} kind
 * @param {any} about
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function takeBody(head, kind, about, bytes) {
  if (kind === "stage") store(head.view, bytes);
  else if (kind === "prefetched") store(viewWith(head.view, about), bytes);
  else deliver(head.n, kind, about, bytes);
}

/**
 * Tell a session that the server has begun anew what the one before it knew: the link, what was entered and not answered,
 * and the user's own data.
 * @param {boolean} isLost
 * @param {ReturnType<typeof missingCopies>} restore
 */
function restoreSession(isLost, restore) {
  const entries = {...currentRequest()?.set, ...queuedRequest()?.set}, hasEntries = currentRequest()?.set || queuedRequest()?.set;
  send({link: location.search, ...(restore ? {restore} : {}), ...(isLost && hasEntries ? {set: entries} : {})});
}

/**
 * @param {Head} head
 * @param {boolean} isNewPage
 */
function showResponse(head, isNewPage) {
  const isAnswer = noteAnswer(head.n), answeredChange = changeOf(head.n);
  if (!queuedRequest()?.set && answeredChange >= change && !head.working) unansweredTexts.clear();
  showLesson(head.demo);
  if (head.working) send({how: "none"}); // how far it is: Python waits a while before it answers
  else if (answeredChange >= drawnChange) {
    noteDrawn(answeredChange);
    const cached = lookUp(head.view);
    if (cached) showStage(cached);
    else send({how: "none"}); // it was let go meanwhile
  }
  showHead(head);
  const isOutdated = Boolean(queuedRequest()?.link) || (currentRequest()?.n ?? 0) > head.n; // the browser has gone on meanwhile
  followLink(head, {isNewPage, isAnswer, isOutdated});
  endWaitIfAnswered();
}
