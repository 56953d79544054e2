// A link that others open on their phones: its QR code, its buttons, and a look now and again for what has changed there.
import {addButton} from "./buttons.js";
import {baseAddress} from "./citation.js";
import {stage} from "./current_stage.js";
import {element, pause, setHtml} from "./dom.js";
import {addCodePlace, addLocalNote, requestCode} from "./qr_code.js";
import {askedAtOnce, followQuestions, isRoomTab, tellVotes} from "./room_votes.js";
import {isIdle, send} from "./transport.js";

/** @typedef {import("./types").Part} Part */
/** @typedef {import("./types").PartView} PartView */

/** How this tab asked last: the next question of a demonstration is asked in the same way. */
let way = "ask";

const LOOK = 500; // ms between two looks; none while the page is being drawn

/**
 * @param {PartView} view
 * @param {Part} part
 */
export function showInvitation(view, part) {
  view.part = part;
  view.words ??= element("div", "dp-invitation-words", view.node, {role: "status"});
  view.bar ??= element("div", "dp-invitation-actions", view.node);
  view.place ??= element("div", "dp-invitation-link", view.node);
  view.note ??= element("div", "dp-invitation-note", view.node);
  setHtml(view.words, part.html);
  setHtml(view.note, part.note);
  showActions(view, part.actions);
  // Simulated answers to the question of a demonstration would tell the right one.
  stage.node.classList.toggle("dp-without-answers", isRoomTab() && !part.link);
  showLink(view, part.link);
  tellVotes(part.votes);
  followQuestions(ask);
  const first = askedAtOnce();
  if (first) ask({}, first);
}

/**
 * Ask a question on the phones of the room, which opens if there is none.
 * @param {Record<string, string>} set the texts of the question and its options, empty for those of the page
 * @param {string} [how] the key of an action; that of the last question without it
 */
function ask(set, how) {
  way = how || way;
  send({act: way, set, how: "replace"});
}

/**
 * @param {PartView} view
 * @param {[key: string, name: string][]} actions
 */
function showActions(view, actions) {
  const text = JSON.stringify(actions);
  if (view.text === text) return; // else a button would lose the focus
  view.text = text;
  view.bar.replaceChildren();
  for (const [act, name] of actions) {
    const button = addButton(view.bar, name, () => {
      if (act.startsWith("ask")) way = act;
      send({act, how: "none"});
    });
    if (act === "close") element("kbd", "", button, {"aria-hidden": "true"}).textContent = "C";
  }
}

/** Close the question that is open on phones, if there is one. */
export function closeRound() {
  const key = stage.node.querySelector(".dp-invitation-actions kbd");
  if (key instanceof HTMLElement) key.click();
}

/**
 * @param {PartView} view
 * @param {string} link relative to the page; empty without one
 */
function showLink(view, link) {
  stage.node.classList.toggle("dp-with-room", Boolean(link)); // in a presentation its code takes the place of the fields
  if (view.link === link) return;
  view.link = link;
  view.place.replaceChildren();
  if (!link) return;
  const address = `${baseAddress()}/${link}`;
  const large = addButton(view.place, "", () => view.place.classList.toggle("dp-large"), "dp-invitation-code");
  large.setAttribute("aria-label", "QR code of the room; show it large, or as it was");
  addCodePlace(large);
  requestCode(address);
  const anchor = element("a", "", view.place, {href: address, target: "_blank", rel: "noopener"});
  anchor.textContent = address.replace(/^https?:\/\//, "");
  addLocalNote(view.place, address);
  void look(view, link);
}

/**
 * Look now and again whether the question, or how many have reported, is not what the page shows, and request the page then.
 * @param {PartView} view
 * @param {string} link
 */
async function look(view, link) {
  while (view.link === link) {
    await pause(LOOK);
    if (!view.node.isConnected) {
      stage?.node.classList.remove("dp-with-room");
      view.link = undefined; // the link is shown anew where the part returns
      return;
    }
    if (!isIdle()) continue;
    try {
      const response = await fetch(`./${link}/question`, {cache: "no-store"});
      const {round, open, reports} = response.ok ? await response.json() : {round: 0, open: false, reports: 0};
      const isGone = response.status === 404, shown = JSON.stringify(view.part?.state);
      if (isGone || (response.ok && JSON.stringify([round, open, reports]) !== shown)) send({how: "none"});
    } catch { // no network: the next look may succeed
    }
  }
}
