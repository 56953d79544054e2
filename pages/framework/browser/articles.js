// Short articles with an index, and a search while typing: the browser has all their words, so nothing is requested. A link
// opens one of them.
import {element, setHtml} from "./dom.js";
import {head} from "./page_state.js";

/** @typedef {import("./types").PartView} PartView */
/** @typedef {import("./types").Article} Article */
/** @typedef {{node: HTMLElement, link: HTMLAnchorElement, more: HTMLDetailsElement, names: string, words: string}} ArticleView */

/**
 * Return a text as the search compares it: small letters without accents, and ₂ as 2.
 * @param {string} text
 */
const plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/’/g, "'").toLowerCase();

/**
 * @param {PartView} view
 * @param {import("./types").Part} part
 */
export function showArticles(view, part) {
  const content = JSON.stringify(part.articles);
  if (view.content !== content) {
    view.content = content;
    build(view, part.articles, part.parameter);
    view.open = "";
  }
  if (view.open === part.open) return;
  if (part.open) return openArticle(view, part.open);
  view.views.get(view.open).node.classList.remove("dp-open");
  view.open = "";
}

/**
 * @param {PartView} view
 * @param {Article[]} articles
 * @param {string} parameter
 */
function build(view, articles, parameter) {
  const typed = view.search?.value ?? "", id = "dp_article_search";
  view.node.replaceChildren();
  const box = element("div", "dp-article-search", view.node, {role: "search"});
  element("label", "dp-symbol", box, {for: id}).textContent = "Search";
  view.search = element("input", "dp-entry", box, {id, type: "search", autocomplete: "off", spellcheck: "false"});
  view.note = element("p", "", box, {role: "status"});
  const index = element("details", "dp-article-index", view.node);
  index.open = matchMedia("(min-width: 1001px)").matches; // on a phone it would hide the articles
  element("summary", "", index).textContent = "Index";
  const names = element("nav", "", index, {"aria-label": "Index"});
  view.list = element("div", "dp-article-list", view.node);
  /** @type {(key: string) => string} */
  const address = (key) => `./${head.page}?${new URLSearchParams({section: head.section, [parameter]: key})}`;
  view.views = new Map(articles.map((article) => [article.key, addArticle(view.list, article, address(article.key))]));
  for (const {key, name} of articles) {
    const link = element("a", "", names, {href: address(key)});
    link.textContent = name;
    link.addEventListener("click", () => openArticle(view, key)); // before Python answers
  }
  view.search.value = typed;
  view.search.oninput = () => search(view);
  view.search.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && view.search.value) /** @type {HTMLElement | null} */ (view.list.querySelector(".dp-article:not([hidden]) a"))?.click();
    if (event.key !== "Escape" || !view.search.value) return;
    view.search.value = "";
    search(view);
    event.stopPropagation();
  };
  search(view);
}

/**
 * @param {HTMLElement} list
 * @param {Article} article
 * @param {string} address
 * @returns {ArticleView}
 */
function addArticle(list, article, address) {
  const node = element("article", "dp-article", list), link = element("a", "", element("h2", "", node), {href: address});
  link.textContent = article.name;
  setHtml(element("div", "dp-words", node), article.html);
  const more = element("details", "", node), summary = element("summary", "", more);
  summary.textContent = "More";
  element("span", "dp-hidden", summary).textContent = ` on ${article.name}`;
  const text = element("div", "dp-words", more);
  setHtml(text, article.more);
  more.hidden = !article.more;
  link.addEventListener("click", () => (more.open = true));
  const names = plain([article.name, ...article.names].join(" "));
  return {node, link, more, names, words: `${names} ${plain(node.textContent)}`};
}

/**
 * Show the articles that have all typed words: first the one whose key they are, then those that have them in their names.
 * @param {PartView} view
 */
function search(view) {
  const typed = plain(view.search.value).split(/\s+/).filter(Boolean);
  /** @type {(text: string) => boolean} */
  const hasAll = (text) => typed.every((word) => text.includes(word));
  const all = /** @type {ArticleView[]} */ ([...view.views.values()]), found = all.filter(({words}) => hasAll(words));
  const isNamed = new Map(found.map((article) => [article, hasAll(article.names)]));
  for (const article of all) article.node.hidden = !isNamed.has(article);
  const key = typed.join("_"), own = view.views.get(key);
  /** @type {(article: ArticleView) => number} */
  const rank = (article) => (article === own ? 0 : isNamed.get(article) ? 1 : 2);
  view.list.append(...[...found].sort((a, b) => rank(a) - rank(b)).map(({node}) => node));
  const count = `${found.length} ${found.length === 1 ? "entry" : "entries"}`;
  view.note.textContent = !typed.length ? "" : found.length ? count : `No entry for “${view.search.value.trim()}”. Try another word, or the index.`;
}

/**
 * Unfold an article, go to it, and give its name the focus.
 * @param {PartView} view
 * @param {string} key
 */
function openArticle(view, key) {
  const {node, link, more} = view.views.get(key);
  view.open = key;
  if (node.hidden) {
    view.search.value = "";
    search(view);
  }
  for (const article of view.views.values()) article.node.classList.toggle("dp-open", article.node === node);
  more.open = true;
  link.focus({preventScroll: true});
  node.scrollIntoView?.({block: "start"});
}
