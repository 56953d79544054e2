// The user's report. The browser stores it as the parameters of its link, under one name for all tabs; a report that
// another person's link opened is shown, and replaces the stored one only if the user requests it.
import {addButton} from "./buttons.js";
import {addAddressField, baseAddress} from "./citation.js";
import {stage} from "./current_stage.js";
import {element, setHtml} from "./dom.js";
import {saveFile} from "./downloads.js";
import {showText} from "./fields.js";
import {head, queryOf} from "./page_state.js";
import {setParameters} from "./parameters.js";
import {drawnPicture} from "./picture_files.js";
import {required} from "./required.js";
import {send} from "./transport.js";

/** @typedef {{title: string, notes: string, items: string, appendix: string}} Report */
/** @typedef {import("./types").PartView} PartView */
/** @typedef {import("./types").Part} Part */

const FILE_TYPES = /** @type {Record<string, string>} */ ({
  "report.zip": "application/zip", "report.pdf": "application/pdf",
  "report.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
});
const STORAGE = "dp_report";
const KEYS = /** @type {const} */ (["title", "notes", "items", "appendix"]);

/** @type {[items: number, characters: number]} */
let limits = [0, 0];

/** The entry that could not be stored, if the browser refuses storage. */
let unstored = "";

// The visit to the page of the report: whether it is open, the text of the user's own report when the page last showed it
// (null where it shows another one), and whether the page is to show the own one.
let isOpen = false;
let awaitsOwn = false;

/** @type {string | null} */
let lastOwn = null;

/** Whether the next change of the shown report comes from a link or a step of the history, and not from an edit. */
let isLinkFollowed = false;

/** The texts that the user's own report has had on this page: a step back to one of them undoes an edit. */
const ownTexts = new Set();

/** @type {{place: number, button: number} | null} The button of an item that gets the focus when the item has moved. */
let nextFocus = null;

/** @type {Promise<string> | undefined} The text of Plotly, which each report contains. */
let plotly;

/** @type {HTMLElement | undefined} The element that says whose report is shown. */
let ownerPlace;

/** @type {HTMLElement | undefined} The element that reports the result of a file. */
let fileNote;

/** The items that were removed together last, which can be restored. */
let removedItems = "";

/** @type {HTMLElement | undefined} The element of what was added last, below which the confirmation stands. */
let addedPlace;

function storedReport() {
  try {
    return localStorage.getItem(STORAGE) ?? unstored;
  } catch {
    return unstored;
  }
}

/** @param {string} text */
function storeReport(text) {
  unstored = text;
  try {
    localStorage.setItem(STORAGE, text);
  } catch {} // this tab has it
  showItemCount();
}

/**
 * @param {string} query
 * @returns {Report}
 */
const parseReport = (query) => {
  const params = new URLSearchParams(query);
  return {
    title: params.get("title") ?? "", notes: params.get("notes") ?? "", items: params.get("items") ?? "",
    appendix: params.get("appendix") ?? "with",
  };
};

/** @param {Report} report */
const reportText = (report) => KEYS.map((key) => `${key}=${encodeURIComponent(report[key])}`).join("&");

const EMPTY = reportText(parseReport(""));

/** @param {Report} report */
const itemsOf = (report) => report.items.split("~").filter(Boolean);

const ownReport = () => parseReport(storedReport());
const pageReport = () => parseReport(queryOf(head.link));
const isOwn = () => lastOwn !== null;
export const isReport = () => head?.page === "Report";

// ------------------------------------------------------------------------------------------------------------ adding

/**
 * @param {string} name of an exhibit, or "answer"
 * @param {HTMLElement} place the added element, below which the confirmation stands
 */
export function addToReport(name, place) {
  addedPlace = place;
  const {items} = ownReport(), tokens = [...items.matchAll(/@([0-9a-f]{16})/g)].map(([, token]) => token);
  showAdded("Adding it to the report…");
  send({add: name, room: limits[1] - items.length - 1, tokens, how: "none"});
}

/**
 * Add an item that Python has made to the user's own report.
 * @param {{item: string, refused?: string, is_kept?: boolean}} response
 */
export function takeItem({item, refused, is_kept}) {
  if (refused) return showAdded(refused);
  const report = ownReport(), items = [...itemsOf(report), item], [mostItems, mostCharacters] = limits;
  if (itemsOf(report).some((other) => other.split("#")[0] === item)) return showAdded("The report contains this item already.");
  if (items.length > mostItems) return showAdded(`A report has at most ${mostItems} items. Remove one first.`);
  if (items.join("~").length + 1 > mostCharacters) {
    return showAdded("The link of the report has no room for another item. Remove one first.");
  }
  storeReport(reportText({...report, items: items.join("~")}));
  const isOfSession = /@/.test(item.split("?")[0]), kept = isOfSession ? ` until you ${is_kept ? "" : "reload or "}close this tab` : "";
  return showAdded(`Added to the report as item ${items.length}${kept}. What you change here does not change it.`);
}

/**
 * Confirm below what was added, with a link to the report, until the user closes the confirmation or leaves the page.
 * @param {string} sentence
 */
function showAdded(sentence) {
  const previous = document.querySelector(".dp-report-notice"), box = previous ?? element("div", "dp-report-notice");
  if (!previous) {
    element("span", "", box, {role: "status"});
    element("a", "", box, {"data-page": ""});
    addButton(box, "×", () => box.remove(), "dp-menu").setAttribute("aria-label", "Close");
  }
  const place = addedPlace?.isConnected ? addedPlace : stage.node;
  if (box.parentElement !== place) place.append(box);
  const note = required(box.querySelector("span")), link = required(box.querySelector("a")), count = itemsOf(ownReport()).length;
  note.textContent = sentence;
  link.textContent = `Open report (${count})`;
  link.href = reportLink();
  link.hidden = count === 0;
  box.scrollIntoView?.({block: "nearest"});
}

// ------------------------------------------------------------------------------------------------- the way to it

const NAVIGATION = '.dp-pages a[href*="/Report?"]';
const navigationLink = () => /** @type {HTMLAnchorElement | null} */ (document.querySelector(NAVIGATION));

function reportLink() {
  const link = navigationLink(), shared = new URLSearchParams(link ? new URL(link.href).searchParams : location.search);
  for (const key of KEYS) shared.delete(key);
  return `./Report?${shared}&${reportText(ownReport())}`;
}

function showItemCount() {
  const link = navigationLink();
  if (link) link.dataset.many = String(itemsOf(ownReport()).length || "");
}

/** @param {[items: number, characters: number]} reportLimits */
export function startReport(reportLimits) {
  limits = reportLimits;
  for (const kind of ["pointerdown", "focusin", "click"]) { // Python writes the link without knowing the stored report
    addEventListener(kind, (event) => {
      const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.(NAVIGATION));
      if (link) link.href = reportLink();
    }, true);
  }
  addEventListener("storage", (event) => {
    if (event.key !== STORAGE) return;
    showItemCount();
    if (!stage || !isReport()) return;
    if (isOwn()) openOwn("replace"); // another tab has changed the report
    else showOwner();
  });
}

// ------------------------------------------------------------------------------------------------- the page of a report

/**
 * Determine whose report the page shows: the user's own if it equals the stored one. Then an edit of it is stored,
 * unless another tab has stored something since; the own one replaces it where the page shows none.
 */
export function followReport() {
  showItemCount();
  if (!isReport()) {
    isOpen = false;
    return;
  }
  const shown = reportText(pageReport()), own = reportText(ownReport());
  if (!isOpen) { // a restarted server does not open it again
    [isOpen, lastOwn, awaitsOwn, isLinkFollowed] = [true, null, true, false];
    if (shown === EMPTY && own !== EMPTY) send({set: ownReport(), how: "replace"});
  }
  if ((awaitsOwn || isLinkFollowed) && shown === own) [awaitsOwn, lastOwn] = [false, own];
  if (isOwn() && shown !== lastOwn) {
    const isOfLink = isLinkFollowed && !ownTexts.has(shown);
    if (own === lastOwn && !isOfLink) storeReport((lastOwn = shown));
    else lastOwn = null;
    isLinkFollowed = false;
  }
  if (lastOwn !== null) ownTexts.add(lastOwn);
  showOwner();
}

/**
 * Notice that the user followed a link or took a step of the history: another report that it opens is no edit of the own one.
 * @param {string} query of the new address
 */
export function noticeFollowedLink(query) {
  isLinkFollowed = isReport() && reportText(parseReport(query)) !== lastOwn;
}

/** @param {"push" | "replace"} how */
function openOwn(how) {
  [awaitsOwn, lastOwn] = [true, null];
  send({set: ownReport(), how});
}

function showOwner() {
  const place = ownerPlace;
  if (!place?.isConnected) return;
  const ownCount = itemsOf(ownReport()).length, shownCount = itemsOf(pageReport()).length;
  /** @type {(name: string, act: () => void) => void} */
  const add = (name, act) => void addButton(place, name, act, "dp-entry-button");
  place.replaceChildren();
  const canUndo = shownCount === 0 && removedItems !== "";
  if (isOwn() && shownCount === 0 && !canUndo) return;
  const sentence = element("p", "", place);
  if (canUndo) {
    sentence.textContent = "All items were removed.";
    add("Undo", () => setParameters({items: removedItems}));
    return;
  }
  if (isOwn()) {
    sentence.textContent = "This is your report. Your browser stores it, and items from other pages are added to it.";
    add("Remove all items", () => {
      removedItems = pageReport().items;
      setParameters({items: ""});
    });
    return;
  }
  const items = `${ownCount} item${ownCount === 1 ? "" : "s"}`;
  sentence.textContent = `This report comes from a link. ${ownCount ? `Your own report (${items}) is not changed.` : "Items from other pages are not added to it."}`;
  add(ownCount ? `Replace my report (${items}) by this one` : "Make this my report", () => {
    storeReport((lastOwn = reportText(pageReport())));
    showOwner();
  });
  if (ownCount) add("Open my report", () => openOwn("push"));
}

/**
 * Show the buttons for the report's files, and whose report it is.
 * @param {PartView} view
 * @param {Part} part
 */
export function showFiles(view, {names, missing}) {
  view.bar ??= element("div", "dp-files", view.node);
  ownerPlace = view.owner ??= element("div", "dp-owner", view.node);
  view.bar.replaceChildren();
  view.bar.hidden = names.length === 0;
  /** @type {(name: string, act: () => void) => void} */
  const add = (name, act) => {
    const button = addButton(view.bar, name, () => {
      note.textContent = "The file is being created…";
      act();
    });
    button.disabled = Boolean(missing);
  };
  add("HTML file", () => requestFile("report.html"));
  add("PDF", () => requestPaper("report.pdf", "svg"));
  add("Word file", () => requestPaper("report.docx", "png"));
  add("Numbers as CSV, zipped", () => requestFile("report.zip"));
  const note = (fileNote = element("span", "dp-done", view.bar, {role: "status"}));
  note.textContent = missing;
  addAddressField(view.bar, (sentence) => {
    note.textContent = sentence;
  });
  showOwner();
}

/** @param {string} file */
function requestFile(file) {
  send({file, at: baseAddress(), plotly: file === "report.html" && !plotly, how: "none"});
}

/**
 * Request a file for paper, which the server makes with the pictures that this browser draws of the charts.
 * @param {string} file
 * @param {"svg" | "png"} format
 */
async function requestPaper(file, format) {
  const charts = [...stage.parts.values()].filter((view) => view.chart && view.part);
  /** @type {Record<string, string>} */
  const pictures = {};
  for (const view of charts) pictures[required(view.part?.name)] = await drawnPicture(required(view.part), format);
  send({file, at: baseAddress(), pictures, how: "none"});
}

/**
 * Store the text of Plotly, which arrives with the first file.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function takePlotly(bytes) {
  plotly = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

/**
 * Save a file that Python has made.
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function takeFile(name, bytes) {
  if (fileNote) fileNote.textContent = "";
  if (name !== "report.html") return saveFile(name, new Blob([bytes], {type: FILE_TYPES[name]}));
  const script = required(await plotly), text = new TextDecoder().decode(bytes).replace("/* Plotly */", () => script);
  return saveFile(name, new Blob([text], {type: "text/html"}));
}

// ------------------------------------------------------------------------------------------------------- one item of it

/**
 * Show an item of the report; `showContent` draws its content into an element.
 * @param {PartView} view
 * @param {Part} part
 * @param {(host: HTMLElement) => void} showContent
 */
export function showItem(view, part, showContent) {
  const {place, of} = part;
  view.item ??= addItemHeader(view);
  view.body ??= element("div", "dp-paper", view.node);
  view.place = place;
  const {buttons, title, source, note} = /** @type {ReturnType<typeof addItemHeader>} */ (view.item), [up, down, remove] = buttons;
  up.disabled = place === 0;
  down.disabled = place === of - 1;
  up.setAttribute("aria-label", `Move item ${place + 1} up`);
  down.setAttribute("aria-label", `Move item ${place + 1} down`);
  remove.setAttribute("aria-label", `Remove item ${place + 1}`);
  setHtml(title, `${place + 1}. ${part.heading}`);
  source.textContent = part.source;
  if (part.link) source.href = `.${part.link}`;
  else source.removeAttribute("href"); // no link rebuilds an item that depends on data of the session
  note.setAttribute("aria-label", `Note on item ${place + 1}`);
  showText(note, part.note);
  showContent(view.body);
  if (nextFocus?.place !== place) return;
  const button = buttons[required(nextFocus).button];
  nextFocus = null;
  (button.disabled ? buttons.find((other) => !other.disabled) : button)?.focus();
}

/** @param {PartView} view */
function addItemHeader(view) {
  const header = element("div", "dp-item-head", view.node);
  const names = element("div", "dp-item-names", header);
  const title = element("h2", "dp-title", names), source = element("a", "", names);
  const tools = element("div", "dp-item-tools", header);
  const buttons = [
    addButton(tools, "↑ Up", () => moveItem(view.place, -1, 0)),
    addButton(tools, "↓ Down", () => moveItem(view.place, 1, 1)),
    addButton(tools, "Remove", () => changeItems((items) => items.filter((_, place) => place !== view.place))),
  ];
  const note = element("input", "dp-entry dp-item-note", view.node, {
    type: "text", maxlength: 300, placeholder: "Note on this item", autocomplete: "off",
  });
  note.onchange = () => changeItems((items) => items.map((item, place) => (place === view.place ? withNote(item, note.value) : item)));
  return {title, source, buttons, note};
}

/**
 * @param {string} item
 * @param {string} note
 */
const withNote = (item, note) => item.split("#")[0] + (note.trim() && `#${encodeURIComponent(note.trim()).replaceAll("~", "%7E")}`);

/** @param {(items: string[]) => string[]} edit */
function changeItems(edit) {
  setParameters({items: edit(itemsOf(pageReport())).join("~")});
}

/**
 * @param {number} place
 * @param {number} by
 * @param {number} button
 */
function moveItem(place, by, button) {
  nextFocus = {place: place + by, button};
  changeItems((items) => items.with(place, items[place + by]).with(place + by, items[place]));
}
