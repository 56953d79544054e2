// The links to the sections of a page, and those to all pages.
import {stage} from "./current_stage.js";
import {element} from "./dom.js";
import {setParameters} from "./parameters.js";

/** @param {Element} parent */
export function newSections(parent) {
  const node = element("nav", "dp-sections", parent, {"aria-label": "Sections of this page"});
  const links = () => /** @type {HTMLAnchorElement[]} */ ([...node.children]);
  node.addEventListener("scroll", () => markEnds(node), {passive: true});
  new ResizeObserver(() => markEnds(node)).observe(node);
  return {node, links, names: "", open: /** @type {string | undefined} */ (undefined)};
}

/**
 * @param {Record<string, string> | undefined} sections the names, by key
 * @param {string} open the key of the open section
 */
export function showSections(sections, open) {
  const row = stage.sections, entries = Object.entries(sections ?? {}), names = JSON.stringify(sections);
  row.node.hidden = entries.length < 2;
  if (row.names !== names) {
    row.names = names;
    row.node.replaceChildren(...entries.map(([key, name]) => sectionLink(key, name)));
  }
  for (const link of row.links()) mark(link, link.dataset.section === open);
  if (row.open !== open) requestAnimationFrame(() => {
    scrollToOpen(row.node);
    markEnds(row.node);
  });
  row.open = open;
}

/**
 * @param {string} key
 * @param {string} name
 */
function sectionLink(key, name) {
  const link = element("a", "", null, {href: "#", "data-section": key});
  link.textContent = name;
  link.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setParameters({section: key});
  };
  return link;
}

/**
 * @param {Element} link
 * @param {boolean} isOpen
 */
function mark(link, isOpen) {
  if (isOpen) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

/**
 * Bring the open section into the middle of its row, which on a phone is wider than the screen.
 * @param {HTMLElement} row
 */
function scrollToOpen(row) {
  const link = row.querySelector("[aria-current]");
  if (!link) return;
  const [whole, part] = [row, link].map((node) => node.getBoundingClientRect());
  row.scrollLeft += part.left + part.width / 2 - whole.left - whole.width / 2;
}

/**
 * Mark the ends beyond which there are more sections than the row has room for: an arrow stands there.
 * @param {HTMLElement} row
 */
function markEnds(row) {
  const {scrollLeft, scrollWidth, clientWidth} = row;
  row.classList.toggle("dp-more-left", scrollLeft > 4);
  row.classList.toggle("dp-more-right", scrollLeft + clientWidth < scrollWidth - 4);
}

/**
 * Give the links to all pages the parameters that all pages share.
 * @param {string} address the link of the open page
 */
export function followNavigation(address) {
  /** @type {HTMLElement | null} */
  const navigation = document.querySelector(".dp-pages");
  const open = new URL(address, location.href).searchParams;
  const links = /** @type {HTMLAnchorElement[]} */ ([...(navigation?.querySelectorAll(".dp-group a") ?? [])]).map((link) => ({link, to: new URL(link.href)}));
  const ofPage = links.filter(({to}) => to.pathname === location.pathname); // Start, and a section of it
  const current = ofPage.find(({to}) => to.searchParams.get("section") === open.get("section")) ?? ofPage[0];
  for (const {link, to} of links) {
    for (const key of navigation?.dataset.shared?.split(" ") ?? []) to.searchParams.set(key, open.get(key) ?? "");
    if (link.href !== to.href) link.href = to.href;
    mark(link, link === current?.link);
  }
}
