// The head of the last response, and the page to which it belongs.

/** @type {import("./types").Head} The head of the last response; null until the first one. */
export let head = /** @type {any} */ (null);

/** @type {string | null} The path of the page of the head; null after that page was left. */
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
