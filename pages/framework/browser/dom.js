// Elements of the document, and pauses.

/**
 * Make an element, with a class where `kind` is not empty, and append it to a parent where there is one.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [kind]
 * @param {Element | null} [parent]
 * @param {Record<string, string | number>} [attributes]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, kind, parent, attributes = {}) {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  parent?.append(node);
  return node;
}

/** @type {WeakMap<HTMLElement, string>} The markup of each element, so that the same markup is not parsed twice. */
const markups = new WeakMap();

/**
 * Mark a table that is wider than its place while its right end is beyond it: numbers that are cut there fade away.
 * @param {Element} table with its scroll bar
 */
const markCut = (table) => void table.classList.toggle("dp-cut", table.scrollLeft + table.clientWidth < table.scrollWidth - 1);

/** @type {ResizeObserver | null} */
let tableSizes = null;

/** @param {HTMLElement} table with its scroll bar */
function followTable(table) {
  tableSizes ??= new ResizeObserver((changes) => changes.forEach(({target}) => markCut(target)));
  tableSizes.observe(table);
  table.onscroll = () => markCut(table);
}

/**
 * Set the content of an element, which is hidden while it has none. A paragraph that leads to another place of the page gets
 * a class: such ones are left out where that place is in sight or on paper.
 * @param {HTMLElement} node
 * @param {string} markup
 */
export function setHtml(node, markup) {
  if (markups.get(node) !== markup) {
    node.innerHTML = markup;
    for (const link of node.querySelectorAll('p > a[href^="#"]')) link.parentElement?.classList.add("dp-jump");
    node.querySelectorAll(".scroll").forEach((table) => followTable(/** @type {HTMLElement} */ (table)));
  }
  markups.set(node, markup);
  node.hidden = !markup;
}

/**
 * Wait for some milliseconds.
 * @param {number} ms
 * @returns {Promise<void>}
 */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
