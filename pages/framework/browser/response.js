// Reads a response of Python and passes on each of its parts.
import {focusLeftDemonstration, showLesson} from "./classroom.js";
import {stage} from "./current_stage.js";
import {deliver} from "./deliveries.js";
import {pagesLeft} from "./departure.js";
import {change, drawnChange, noteDrawn, unansweredTexts} from "./edits.js";
import {followLink, noteLink} from "./history.js";
import {followOwnData, missingCopies} from "./own_data.js";
import {unpack} from "./packing.js";
import {accept, head as lastHead, isOpen} from "./page_state.js";
import {markPresentation} from "./presentation.js";
import {showHead, showStage} from "./stage.js";
import {lookUp, store, viewWith} from "./stage_cache.js";
import {
  changeOf, currentRequest, endWaitIfAnswered, hasQueuedLink, interruptWait, noteAllAnswered, noteAnswer, queuedTexts, send,
  sendLinkFirst,
} from "./transport.js";

/** @typedef {import("./types").Head} Head */

/**
 * Handle a response. Return false for one of an earlier run, which Streamlit may deliver late.
 * @param {Uint8Array<ArrayBuffer>} data
 */
export function receive(data) {
  /** @type {Head} */
  const head = unpack(data), {bodies} = head;
  if (head.session === lastHead?.session && head.run < lastHead.run) { // Streamlit delivers the first responses of a page in any order
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
  followOwnData(head); // after the address, which a request would delay
  return true;
}

/** @param {string} kind */
const isStage = (kind) => kind === "stage" || kind === "prefetched";

/**
 * Return whether a response is of a page that was left; otherwise end the wait for a page.
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
 * Send a new session of a restarted server the state of the previous one: the link, unanswered edits and the user's own
 * data.
 * @param {boolean} isLost
 * @param {ReturnType<typeof missingCopies>} restore
 */
function restoreSession(isLost, restore) {
  const entries = {...currentRequest()?.set, ...queuedTexts()}, hasEntries = currentRequest()?.set || queuedTexts();
  sendLinkFirst({link: location.search, ...(restore ? {restore} : {}), ...(isLost && hasEntries ? {set: entries} : {})});
}

/**
 * @param {Head} head
 * @param {boolean} isNewPage
 */
function showResponse(head, isNewPage) {
  const isAnswer = noteAnswer(head.n), answeredChange = changeOf(head.n);
  const how = currentRequest()?.how;
  const isOutdated = hasQueuedLink() || (currentRequest()?.n ?? 0) > head.n; // the user has moved on
  if (!queuedTexts() && answeredChange >= change && !head.working) unansweredTexts.clear();
  markPresentation(head.present); // the lesson is measured as it will be
  showLesson(head.demo);
  if (head.working) send({how: "none"}); // request the progress: Python waits before it answers
  else if (answeredChange >= drawnChange) {
    noteDrawn(answeredChange);
    const cached = lookUp(head.view);
    if (cached) showStage(cached);
    else send({how: "none"}); // the user has released it
  }
  showHead(head);
  focusLeftDemonstration();
  if (!isOutdated) followLink(head, {isNewPage, isAnswer, how}); // of before the requests above
  noteLink(head);
  endWaitIfAnswered();
}
