// The citation of an answer, as text and as BibTeX, and the address at which its readers find the app.
import {addButton} from "./buttons.js";
import {element} from "./dom.js";
import {today} from "./downloads.js";
import {texOf} from "./latex_table.js";
import {head} from "./page_state.js";
import {stage} from "./current_stage.js";
import {isLocal} from "./qr_code.js";
import {required} from "./required.js";

const STORAGE = "dp_base_address"; // the browser remembers the address under this name

/** The address of the app without its pages, as this browser has it. */
const ownAddress = () => `${location.origin}${location.pathname}`.slice(0, head.page ? -`/${head.page}`.length : undefined).replace(/\/+$/, "");

/**
 * Return a text in which each line that is a link of this app begins with its path, as on any server.
 * @param {string} text
 */
export function withoutOwnAddress(text) {
  const starts = [ownAddress(), baseAddress()];
  return text.split("\n").map((line) => {
    const own = starts.find((start) => line.trim().startsWith(`${start}/`) || line.trim().startsWith(`${start}?`));
    return own === undefined ? line : line.trim().slice(own.length).replace(/^\?/, "/?");
  }).join("\n");
}

/**
 * Return the address at which readers find the app: the one that the user has set, or that of this browser. It has no
 * slash at its end. Citations and the files of a report use it; the user sets it in the menu "Share".
 */
export function baseAddress() {
  try {
    return localStorage.getItem(STORAGE) || ownAddress();
  } catch { // the browser stores nothing
    return ownAddress();
  }
}

/**
 * Store the address at which readers find the app. Return whether it can be used; an empty text takes the own one again.
 * @param {string} text
 */
function setBaseAddress(text) {
  const address = text.trim().replace(/\/+$/, "");
  if (address && !/^https?:\/\/[\w.:[\]-]+(\/[\w.~-]+)*$/.test(address)) return false;
  try {
    localStorage.setItem(STORAGE, address);
  } catch {} // the browser stores nothing, so the address lasts as long as the page
  return true;
}

/** Return the short link of the page at the address that readers use. */
export const citedAddress = () => `${baseAddress()}${head.shortLink}`;

const MOST_NAMES = 3; // of items, in the title of a report

/** Return a title for a report that has none: the names of its first charts and tables, of its answers where it has none. */
function namesOfItems() {
  const papers = [...stage.node.querySelectorAll(".dp-paper")], shown = papers.filter((paper) => paper.querySelector(".dp-chart, table"));
  const heads = (shown.length ? shown : papers).map((paper) => required(paper.parentElement?.querySelector("h2")).textContent);
  const names = [...new Set(heads.map((text) => text.replace(/^\d+\. /, "")))];
  const others = names.length > MOST_NAMES ? `; ${names.length - MOST_NAMES} more` : "";
  return [head.page, names.slice(0, MOST_NAMES).join("; ") + others].filter(Boolean).join(": ");
}

/** Return what a citation says, with the short link of the page. A page that its user gives a title, a report, is cited by it. */
function citationParts() {
  const {title: own} = stage.fields;
  const sentences = [...stage.answerText.querySelectorAll("p")].slice(0, 2).map((line) => line.textContent.trim());
  const section = stage.sections.node.querySelector("[aria-current]")?.textContent;
  return {
    title: own ? own.used || namesOfItems() : section ? `${head.question} (${section})` : head.question,
    answer: own ? sentences[0].slice(sentences[0].indexOf(": ", own.used.length) + 2) : sentences.join(" "),
    version: head.version,
    year: today().slice(0, 4),
    url: citedAddress(),
  };
}

/** Return the citation in a comment of LaTeX, which has no address that readers cannot open. */
export function commentCitation() {
  const {url} = citationParts();
  return isLocal(url) ? plainCitation().replace(` ${url} (accessed ${today()}).`, "") : plainCitation();
}

export function plainCitation() {
  const {title, answer, version, year, url} = citationParts();
  return `DP Trade-off Explorer, version ${version} (${year}). “${title}” ${answer} ${url} (accessed ${today()}).`;
}

/** Return the key of the citation in BibTeX. */
export const citationKey = () => `dp-tradeoff-explorer-${head.page || "Start"}-${today().slice(0, 4)}`.toLowerCase().replace(/[^a-z0-9-]/g, "-");

export function bibtexCitation() {
  const {title, answer, version, year, url} = citationParts();
  /** @type {[string, string][]} */
  const entries = [
    ["title", `{${texOf(title)}}`], ["author", "{DP Trade-off Explorer}"], ["year", year], ["version", version],
    ["howpublished", `\\url{${url}}`], // styles such as plain.bst know no url
    ["note", `Version ${version}. ${texOf(answer)}`], ["url", url], ["urldate", today()],
  ];
  return `@misc{${citationKey()},\n${entries.map(([name, text]) => `  ${name} = {${text}},\n`).join("")}}\n`;
}

/**
 * Add the field for the address at which readers find the app.
 * @param {HTMLElement} box
 * @param {(sentence: string) => void} tell
 */
export function addAddressField(box, tell) {
  const label = element("label", "dp-address", box), input = element("input", "dp-entry", null, {type: "url", spellcheck: "false"});
  label.append("Address for citations and reports", input);
  input.value = baseAddress();
  const store = () => {
    const isUsable = setBaseAddress(input.value);
    if (isUsable) input.value = baseAddress();
    tell(isUsable ? `Citations and reports link to ${baseAddress()}.` : "The address must be like https://example.org/dp.");
  };
  addButton(box, "Set the address", store, "dp-entry-button");
  input.onkeydown = (event) => {
    if (event.key === "Enter") store();
  };
}
