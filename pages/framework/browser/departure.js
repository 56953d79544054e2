// Which pages were left, and which is about to be. A page that was left answers nothing more; one that is about to be left
// takes with it what the user still enters.

/** @type {Set<string>} The pages that were left since the last one came. */
export const pagesLeft = new Set();

/** @type {{entered: import("./types").Texts} | null} What goes along from the page that waits to be left. */
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
