// The links to the sections of a page, and those to all pages.
import {stage} from "./current_stage.js";
import {pageAt} from "./departure.js";
import {element} from "./dom.js";
import {head, queryOf} from "./page_state.js";
import {setParameters} from "./parameters.js";
import {viewWith} from "./stage_cache.js";

/** @param {Element} parent */
export function newSections(parent) {
  const node = element("nav", "dp-sections", parent, {"aria-label": "Sections of this page"});
  const links = () => [...node.querySelectorAll("a")];
  const ends = ["Earlier sections", "Further sections"].map((name, place) => newEnd(node, name, place === 0 ? -1 : 1));
  node.addEventListener("scroll", () => markEnds(node, ends), {passive: true});
  new ResizeObserver(() => markEnds(node, ends)).observe(node);
  return {node, links, ends, names: "", open: /** @type {string | undefined} */ (undefined)};
}

/**
 * @param {import("./types").Tab[]} tabs the page of each, null for the open one, its key, its name, and the keys that its link leaves out
 * @param {string} open the key of the open section
 */
export function showSections(tabs, open) {
  const row = stage.sections, names = JSON.stringify(tabs);
  row.node.hidden = tabs.length < 2;
  if (row.names !== names) {
    row.names = names;
    row.node.replaceChildren(row.ends[0], ...tabs.map(sectionLink), row.ends[1]);
    if (head) followSections(head.link);
  }
  for (const link of row.links()) mark(link, link.dataset.path === undefined && link.dataset.section === open);
  if (row.open !== open) requestAnimationFrame(() => {
    scrollToOpen(row.node);
    markEnds(row.node, row.ends);
  });
  row.open = open;
}

/** @param {import("./types").Tab} tab */
function sectionLink([page, key, name, leftOut]) {
  const link = element("a", "", null, {href: "#", "data-section": key, "data-left-out": leftOut.join(" ")});
  link.textContent = name;
  if (page !== null) {
    link.dataset.path = page;
    link.dataset.page = ""; // it is followed as the links of the navigation are
    return link;
  }
  link.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setParameters({section: key});
  };
  return link;
}

/**
 * Write the addresses of the tabs for the link of the open page: those of other pages have the parameters of all pages.
 * @param {string} address
 */
export function followSections(address) {
  const query = queryOf(address), shared = new URLSearchParams(sharedEntries(new URLSearchParams(query)));
  for (const link of stage.sections.links()) {
    const section = link.dataset.section ?? "", {path} = link.dataset, own = section && `&section=${section}`;
    const kept = new URLSearchParams(query);
    for (const key of link.dataset.leftOut?.split(" ") ?? []) kept.delete(key);
    link.href = path === undefined ? viewWith(`${location.pathname}?${kept}`, {section}) : `./${path}?${shared}${own}`;
  }
}

function sharedKeys() {
  /** @type {HTMLElement | null} */
  const navigation = document.querySelector(".dp-pages");
  return navigation?.dataset.shared?.split(" ") ?? [];
}

/**
 * Return the parameters of an address that go to other pages, with their texts: none of what is shown aside.
 * @param {URLSearchParams} open
 * @returns {[key: string, text: string][]}
 */
function sharedEntries(open) {
  return open.has("aside") ? [] : sharedKeys().map((key) => [key, open.get(key) ?? ""]);
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
 * Return the arrow at an end of a row of sections, which brings those beyond it into sight.
 * @param {HTMLElement} row
 * @param {string} name
 * @param {-1 | 1} by
 */
function newEnd(row, name, by) {
  const end = element("button", "dp-end", null, {type: "button", "aria-label": name, hidden: ""});
  end.textContent = by < 0 ? "‹" : "›";
  end.onclick = () => row.scrollBy({left: by * (row.clientWidth - 2 * end.offsetWidth)});
  return end;
}

/**
 * Show the arrows at the ends beyond which there are more sections than the row has room for; the focus goes to the other
 * one where one goes.
 * @param {HTMLElement} row
 * @param {HTMLButtonElement[]} ends
 */
function markEnds({scrollLeft, scrollWidth, clientWidth}, ends) {
  const focused = ends.findIndex((end) => end === document.activeElement);
  ends[0].hidden = scrollLeft <= 4;
  ends[1].hidden = scrollLeft + clientWidth >= scrollWidth - 4;
  if (ends[focused]?.hidden) ends[1 - focused].focus({preventScroll: true});
}

/**
 * Give the links to all pages the parameters that all pages share, and mark the one with the open section.
 * @param {string} address the link of the open page
 */
export function followNavigation(address) {
  const open = new URL(address, location.href).searchParams;
  const page = pageAt(location.pathname), section = open.get("section") ?? "";
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".dp-pages .dp-group a")]);
  /** @param {HTMLAnchorElement} link */
  const tabs = (link) => link.dataset.tabs?.split(" ") ?? [];
  const current = links.find((link) => tabs(link).some((tab) => tab === `${page}/` || tab === `${page}/${section}`))
    ?? links.find((link) => tabs(link)[0]?.startsWith(`${page}/`));
  for (const link of links) {
    const to = new URL(link.href);
    for (const key of sharedKeys()) to.searchParams.delete(key);
    for (const [key, text] of sharedEntries(open)) to.searchParams.set(key, text);
    if (link.href !== to.href) link.href = to.href;
    mark(link, link === current);
  }
}
