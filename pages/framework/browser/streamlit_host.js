// Everything that relies on what Streamlit 1.66 and 1.67 do not document: its test attributes, the selectors of its
// elements, the place of its Plotly bundle and how it follows the address. tests/browser/test_streamlit_host.py checks each
// of them in a real browser and names what breaks; the same for Python is in pages/framework/streamlit_host.py, for the style in
// streamlit_host.css.
import {required} from "./required.js";

/** @type {(name: string, value: unknown) => void} */
let setTrigger = () => {};

/**
 * Store the function by which the component sends a value to Python: Streamlit passes a new one at each run.
 * @param {(name: string, value: unknown) => void} setTriggerValue
 */
export function connect(setTriggerValue) {
  setTrigger = setTriggerValue;
}

/**
 * Send a request to Python, which reads it as the component's trigger value `request` in the run that this begins.
 * @param {object} request
 */
export function sendRequest(request) {
  setTrigger("request", request);
}

// ------------------------------------------------------------------------------------------------------- runs of Python

// Streamlit does not tell a component whether a run is in progress: only this attribute, made for its own tests, does.
const app = () => /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stApp]"));

export const isRunning = () => app()?.dataset.testScriptState !== "notRunning";

/**
 * Wait until no run of Python is going on.
 * @returns {Promise<void>}
 */
export function runEnd() {
  if (!isRunning()) return Promise.resolve();
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => !isRunning() && (observer.disconnect(), resolve()));
    observer.observe(required(app()), {attributes: true, attributeFilter: ["data-test-script-state"]});
  });
}

// ---------------------------------------------------------------------------------------------- addresses and pages

let isReconnecting = false;

/**
 * Open the page of an address as Streamlit opens it after a step in the history: it has no function for that.
 * @param {URL} url
 */
export function openPage(url) {
  pushState({}, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** @type {History["pushState"]} */
let pushState;

/**
 * Follow the history. Streamlit writes the address of a page by history.pushState when its link is clicked, and once more
 * when a late message of that page comes; there is no event for this, so pushState is replaced: an address that `isRefused` is
 * not written, and `afterPush` is called after any other. `afterStep` is called after a step of the user, and returns whether
 * it has requested the setting of the step from Python. Streamlit, which would run the page again, is then not told of the
 * step: where two runs follow each other, it drops fields that the first one sends again, and they lose their values.
 * @param {{isRefused: (url: URL) => boolean, afterPush: () => void, afterStep: () => boolean}} follower
 */
export function followHistory({isRefused, afterPush, afterStep}) {
  pushState = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    if (isRefused(new URL(url ?? "", location.href))) return;
    pushState(state, title, url);
    afterPush();
  };
  const hearFirst = /** @type {(event: PopStateEvent) => void} */ (event) => {
    if (!isReconnecting && afterStep()) event.stopImmediatePropagation();
  };
  addEventListener("popstate", hearFirst, {capture: true});
}

/** Watch for a server that has lost the session: it cannot run this page again, so the page is reopened. */
export function reopenAfterReconnection() {
  new MutationObserver(() => {
    isReconnecting = app()?.dataset.testConnectionState === "CONNECTED";
    if (isReconnecting) dispatchEvent(new PopStateEvent("popstate"));
    isReconnecting = false;
  }).observe(required(app()), {attributeFilter: ["data-test-connection-state"]});
}

/**
 * Reload the page where Streamlit itself fails, which empties its root element: the link holds the setting. It is tried
 * again, as a step Back that is under way cancels it; and a page that fails at once is not asked for again and again.
 */
export function reloadAfterFailure() {
  const root = required(document.getElementById("root"));
  setInterval(() => root.childElementCount || performance.now() < 3000 || location.reload(), 1000);
}

// ------------------------------------------------------------------------------------------------- Streamlit's elements

/** The element that scrolls the page, in which charts come into sight. */
export const scroller = () => document.querySelector(".stMain");

/** Note whether the page is scrolled: the button that opens the navigation stands above the top of the page alone. */
export function noteScrolling() {
  document.body.classList.toggle("dp-scrolled", (scroller()?.scrollTop ?? 0) > 20);
}

/**
 * Close the navigation after a choice in it where it lies over the page, as on a phone.
 * @param {Event} event a click
 */
export function closeNavigation({target}) {
  const navigation = document.querySelector("[data-testid=stSidebar]"), chosen = /** @type {Element} */ (target).closest("a");
  if (innerWidth > 768 || !chosen || !navigation?.contains(chosen)) return;
  /** @type {HTMLElement | null} */ (navigation.querySelector("[data-testid=stSidebarCollapseButton] button"))?.click();
}

/** The colour behind the page, of the theme that the user or the system has chosen. */
export const background = () => getComputedStyle(required(document.querySelector(".stApp"))).backgroundColor;

/** Keep the style of the engine, which stands in an element that goes with the next run. */
export function keepStyle() {
  document.head.append(required(document.querySelector(".stHtml > style")).cloneNode(true));
}

/**
 * Find the element of Streamlit with a key.
 * @param {string} key
 * @returns {Element | null}
 */
export const keyedElement = (key) => document.querySelector(`.st-key-${CSS.escape(key)}`);

/**
 * Unfold or fold the element with a key, where it is not so already.
 * @param {string} key
 */
export function unfold(key) {
  const details = keyedElement(key)?.querySelector("details"); // the outer one: what it holds may be folded
  if (details && !details.hasAttribute("open")) details.querySelector("summary")?.click();
}

/**
 * Return the key of the box of own data whose summary an event is about, and whether it is open; null for a box in the editor
 * of a list, which stays in its place.
 * @param {Event} event
 */
export function ownDataBox(event) {
  const details = /** @type {Element} */ (event.target).closest?.("summary")?.parentElement;
  const names = [...details?.closest("[class*='st-key-own_']")?.classList ?? []];
  const key = names.find((name) => /^st-key-own_\w+_box$/.test(name))?.slice("st-key-".length);
  return details && key && !details.closest(".st-key-beside_stage") ? {key, isOpen: details.hasAttribute("open")} : null;
}

/**
 * Return by how much the fields above the stage push it down.
 * @param {Element} stage
 */
export function heightAboveStage(stage) {
  const fields = keyedElement("above_stage");
  return fields ? stage.getBoundingClientRect().top - fields.getBoundingClientRect().top : 0;
}

/**
 * Find the field for files that an event is about.
 * @param {Event} event
 * @returns {HTMLElement | null}
 */
export const uploaderOf = (event) => /** @type {Element} */ (event.target).closest?.(".stFileUploader");

/**
 * Find the first text field or button that chooses a file.
 * @param {Element} fields
 * @returns {HTMLElement | null}
 */
export const firstEntry = (fields) => fields.querySelector("textarea, .stFileUploader section button");

/**
 * List the files in a field that were refused, each with the text of its error and a function that takes it away. A file
 * is listed once.
 * @param {HTMLElement} uploader
 */
export function refusedFiles(uploader) {
  const entries = [...uploader.querySelectorAll("[data-testid=stFileChip][aria-invalid=true]:not(.dp-listed)")];
  return entries.map((entry) => {
    entry.classList.add("dp-listed");
    const chip = /** @type {HTMLElement | null} */ (entry.querySelector("[data-testid=stFileChipName]"));
    const button = /** @type {HTMLElement | null} */ (entry.querySelector("[data-testid=stFileChipDeleteBtn] button"));
    return {name: chip?.title ?? "The file", error: entry.querySelector("[role=alert]")?.textContent ?? "", remove: () => button?.click()};
  });
}

// --------------------------------------------------------------------------------------------------------------- Plotly

/** @type {Promise<void> | undefined} */
let loading;

/**
 * Load the script by which Streamlit draws its own charts, and which sets window.Plotly: 4 MB that need not be sent twice.
 * @param {string} path where it is, below the root of the server, as Python finds it
 * @returns {Promise<void>}
 */
export function loadPlotly(path) {
  if (globalThis.Plotly) return Promise.resolve();
  const script = /** @type {HTMLScriptElement} */ (document.querySelector('script[type=module][src*="static/js/"]'));
  return (loading ??= import(new URL(path, script.src.replace(/static\/js\/.*/, "")).href).then(() => {
    if (!globalThis.Plotly) throw new Error("Plotly is missing");
  }));
}
