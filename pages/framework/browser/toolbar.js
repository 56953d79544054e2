// The buttons above a page, and the menu of each chart and table.
import {resetZoom} from "../chart/drag_handles.js";
import {toggleFullScreen} from "../chart/chart.js";
import {addButton, addPopover} from "./buttons.js";
import {addAddressField, baseAddress, bibtexCitation, citedAddress, commentCitation, plainCitation} from "./citation.js";
import {addCopyButton} from "./clipboard.js";
import {element} from "./dom.js";
import {head} from "./page_state.js";
import {setParameters} from "./parameters.js";
import {namesOf, showPictureForm} from "./picture_files.js";
import {addCodePlace, addLocalNote, LONGEST_LINK, requestCode} from "./qr_code.js";
import {addToReport, isReport} from "./report.js";
import {latexTable} from "./latex_table.js";
import {required} from "./required.js";
import {send} from "./transport.js";

/** @typedef {import("./types").PartView} PartView */

/**
 * Add the buttons above a page, and return the function that updates them.
 * @param {Element} host
 */
export function addToolbar(host) {
  const pin = addButton(host, "Pin", () => send({pin: !head.pinned}));
  const present = addButton(host, "Present", () => setParameters({present: head.present ? "off" : "on"}));
  const share = addButton(host, "Share"), keys = element("span", "dp-present-keys");
  keys.textContent = "← → first slider · Page Up, Page Down sections · F11 full screen · Esc leave";
  host.prepend(keys);
  pin.title = "Keep this setting to compare with others";
  addPopover(share, fillShareMenu);
  return () => {
    keys.hidden = !head.present || Boolean(head.demo);
    pin.hidden = head.pinned === null;
    pin.textContent = head.pinned ? "Unpin" : "Pin";
    pin.setAttribute("aria-pressed", String(Boolean(head.pinned)));
    present.textContent = head.present ? "Leave presentation" : "Present";
  };
}

/**
 * @param {HTMLElement} box
 * @param {() => void} close
 */
function fillShareMenu(box, close) {
  const note = element("p", "dp-done", null, {role: "status"}), local = element("div");
  /** @type {(name: string, act: () => void) => void} */
  const addEntry = (name, act) => void addButton(box, name, act, "dp-entry-button");
  /** @type {(text: string, sentence: string) => Promise<void>} */
  const copy = (text, sentence) =>
    navigator.clipboard.writeText(text).then(() => sentence, () => text).then((line) => {
      note.textContent = line;
    });
  addEntry("Copy link", () => copy(location.href, "The link is copied."));
  /** @type {(text: string, sentence: string) => Promise<void>} */
  const cite = (text, sentence) => {
    local.replaceChildren();
    addLocalNote(local, citedAddress(), "Readers");
    return copy(text, sentence);
  };
  addEntry("Copy citation", () => cite(plainCitation(), "The citation is copied."));
  addEntry("Copy BibTeX", () => cite(bibtexCitation(), "The BibTeX entry is copied. It needs \\usepackage{url} or hyperref."));
  addEntry("QR code of the link", () => {
    if (location.href.length > LONGEST_LINK) note.textContent = "The link is too long for a code.";
    else {
      requestCode(location.href);
      local.replaceChildren();
      addLocalNote(local, location.href);
    }
  });
  if (!isReport()) {
    addEntry("Print or PDF", () => {
      close();
      setTimeout(print);
    });
  }
  addAddressField(box, (sentence) => {
    local.replaceChildren();
    note.textContent = sentence;
  });
  box.append(note, local);
  addCodePlace(box);
}

/**
 * Add the menu of a chart or table, once, and connect it to the current figure.
 * @param {PartView} view
 * @param {import("./types").Part} part
 */
export function showExhibitMenu(view, part) {
  view.part = part;
  if (view.menu) return;
  const {chart} = view, tools = element("div", "dp-exhibit-tools", chart?.frame ?? view.node);
  if (chart) addButton(tools, "Reset zoom", () => resetZoom(chart), "dp-menu dp-reset");
  if (!isReport()) addButton(tools, "Add to report", () => addToReport(required(view.part?.name), view.node), "dp-menu");
  view.menu = addButton(tools, "Save…", null, "dp-menu");
  view.menu.setAttribute("aria-label", chart ? "Save this chart" : "Save this table");
  addPopover(view.menu, (box, close) => fillExhibitMenu(view, box, close));
  if (!chart || !document.fullscreenEnabled) return;
  const full = addButton(tools, "", () => toggleFullScreen(chart), "dp-menu dp-full");
  full.setAttribute("aria-label", "Full screen");
  full.title = "Full screen, or back to the page";
}

/**
 * @param {PartView} view
 * @param {HTMLElement} box
 * @param {() => void} close
 */
function fillExhibitMenu(view, box, close) {
  const part = required(view.part), {chart} = view;
  /** @type {(name: string, act: () => void) => void} */
  const addEntry = (name, act) => {
    addButton(box, name, () => {
      close();
      act();
    }, "dp-entry-button");
  };
  if (part.confidential) element("p", "dp-confidential", box).textContent = part.confidential;
  const panels = chart ? showPictureForm(box, view, close) : () => [view];
  addEntry("Numbers as CSV", () => send({csv: namesOf(panels()), at: baseAddress()}));
  const table = view.node.querySelector("table");
  if (!chart && table) addCopyButton(box, "Copy for LaTeX", () => latexTable(table, commentCitation()), "The table is copied.");
}
