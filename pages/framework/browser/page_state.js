// What the last response said of the page, and of which page it was.

/** @type {import("./types").Head} What is there whenever anything is drawn; null until the first response. */
export let head = /** @type {any} */ (null);

/** @type {string | null} The path of the page that the head is of; null once that page was left. */
let path = null;

/** @param {import("./types").Head} response */
export function accept(response) {
  head = response;
  path = location.pathname;
}

export const isOpen = () => path === location.pathname;

export function forgetPath() {
  path = null;
}

/** @param {string} view */
export const queryOf = (view) => view.slice(view.indexOf("?"));
