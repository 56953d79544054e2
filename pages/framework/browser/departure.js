// The pages that were left, and the page that is about to be left. Responses of a page that was left are ignored; what the
// user enters on one that is about to be left goes to the next page.

/** @type {Set<string>} The pages that were left since the last page was opened. */
export const pagesLeft = new Set();

/** @type {{entered: import("./types").Texts} | null} The texts that go to the next page from the one that is about to be left. */
export let departure = null;

/** @param {typeof departure} next */
export function setDeparture(next) {
  departure = next;
}

/**
 * Return the name of a page, which its path ends with.
 * @param {string} path
 */
export const pageAt = (path) => path.slice(path.lastIndexOf("/") + 1);
