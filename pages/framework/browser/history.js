// The address, which follows the setting, and the way from page to page. A change of the setting is one entry of the
// browser's history, and so are all changes of one drag of a slider or handle.
import {baseAddress} from "./citation.js";
import {stage} from "./current_stage.js";
import {departure, pageAt, pagesLeft, setDeparture} from "./departure.js";
import {pause} from "./dom.js";
import {beginChange, forgetEdits, unansweredTexts} from "./edits.js";
import {forgetPath, queryOf} from "./page_state.js";
import {noticeFollowedLink} from "./report.js";
import {followSections} from "./sections.js";
import {followHistory, isRunning, openPage} from "./streamlit_host.js";
import {dropQueue, isBusy, pendingTexts, send} from "./transport.js";

const PATIENCE = 10_000; // ms to wait for the answers of a page before it is left

let openedPage = "";

/** The link of the last response. @type {string | undefined} */
let link;

// ---------------------------------------------------------------------------------------------------------- the address

/**
 * Write the link of a response into the address; the user has not moved on. An answer to a request that changes nothing may be
 * the first to tell of a change by a field of Streamlit, which that request had overtaken.
 * @param {import("./types").Head} head
 * @param {{isNewPage: boolean, isAnswer: boolean, how: import("./types").Request["how"]}} response and how its request
 *   changes the address
 */
export function followLink(head, {isNewPage, isAnswer, how}) {
  const ownWay = isAnswer && how !== "none" ? how : "push";
  if (isNewPage || isAnswer || head.link !== link) setAddress(head.link, isNewPage ? "replace" : ownWay);
}

/**
 * Keep the link of a response, and show it where paper needs it.
 * @param {import("./types").Head} head
 */
export function noteLink(head) {
  link = head.link;
  const base = baseAddress(), foot = /** @type {HTMLAnchorElement} */ (stage.foot.firstElementChild);
  foot.href = base + head.shortLink;
  foot.nextSibling?.replaceWith(` (${base}${head.page && `/${head.page}`})`); // paper has no links
}

/**
 * @param {string} address
 * @param {import("./types").Request["how"]} how
 */
function setAddress(address, how) {
  const query = queryOf(address), {hash} = location;
  followSections(address);
  if (String(new URLSearchParams(location.search)) === String(new URLSearchParams(query))) return;
  history[how === "push" ? "pushState" : "replaceState"](history.state ?? {}, "", location.pathname + query + hash);
}

// -------------------------------------------------------------------------------------------------------- from page to page

/** Leave the open page: late messages of its last run are ignored. */
function leavePage() {
  pagesLeft.add(openedPage);
  openedPage = pageAt(location.pathname);
  pagesLeft.delete(openedPage);
  if (stage) stage.node.inert = true;
  dropQueue();
  forgetEdits();
  forgetPath();
}

/** Ask Python for the setting of a step in the history, unless it leads to another page, to which Streamlit itself goes. */
function afterStep() {
  if (pageAt(location.pathname) !== openedPage) leavePage();
  if (!stage || pagesLeft.size) return false;
  unansweredTexts.clear();
  beginChange();
  noticeFollowedLink(location.search);
  send({link: location.search || "?"});
  return true;
}

/**
 * Go to another page, or to another setting of the open one. Streamlit fails on messages of a
 * page that was left: the page is left when all its requests are answered, and unsent edits go to the next page where the
 * link does not set them.
 * @param {string} href
 */
export async function goTo(href) {
  const to = new URL(href, location.href), before = new URLSearchParams(link && queryOf(link));
  const leaving = {entered: pendingTexts()};
  if (pageAt(to.pathname) !== openedPage) {
    setDeparture(leaving);
    for (const start = performance.now(); (isBusy() || isRunning()) && performance.now() - start < PATIENCE; ) await pause(20);
    if (departure !== leaving) return; // the user has chosen another page
    setDeparture(null);
  }
  for (const [key, text] of Object.entries(leaving.entered)) {
    if (to.searchParams.has(key) && to.searchParams.get(key) === before.get(key)) to.searchParams.set(key, text);
  }
  openPage(to);
}

/** @param {MouseEvent} event */
const isForNewTab = (event) => event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;

/**
 * Follow a link to another page, in the navigation or in text, without reloading the app.
 * @param {MouseEvent} event
 */
function followPageLink(event) {
  const anchor = /** @type {HTMLAnchorElement | null} */ (
    /** @type {Element} */ (event.target).closest?.("a[data-page], .dp-stage a[href^='./']"));
  if (!anchor || isForNewTab(event)) return;
  event.preventDefault();
  void goTo(anchor.href);
}

export function startHistory() {
  openedPage = pageAt(location.pathname);
  followHistory({
    isRefused: (url) => pagesLeft.has(pageAt(url.pathname)),
    afterPush: () => pageAt(location.pathname) !== openedPage && leavePage(), // by a link of Streamlit
    afterStep,
  });
  addEventListener("click", followPageLink);
}
