// The user's own data, such as an uploaded table. No link contains them unless the user includes them. The session
// storage of this tab keeps a packed copy, which ends with the tab, and sends it to a session that does not have it: after
// a reload, or after a restart of the server.
import {addButton} from "./buttons.js";
import {stage} from "./current_stage.js";
import {departure, pagesLeft} from "./departure.js";
import {element} from "./dom.js";
import {required} from "./required.js";
import {send} from "./transport.js";

/** @typedef {[token: string, packed: string]} StoredCopy */

const PREFIX = "dp_own_data_";

/** @type {Map<string, string>} By slot: the session to which the copy was sent. */
const sentTo = new Map();

/** @type {Map<string, string>} By slot: the token of the copy that was requested from Python. */
const requested = new Map();

function storedCopies() {
  /** @type {Map<string, StoredCopy>} */
  const copies = new Map();
  for (const key of storedKeys(sessionStorageOf(window))) {
    try {
      copies.set(key.slice(PREFIX.length), JSON.parse(required(sessionStorage.getItem(key))));
    } catch {
      sessionStorage.removeItem(key); // it is damaged; the others are usable
    }
  }
  return copies;
}

/**
 * @param {Window} tab
 * @returns {Storage | null} null where the browser refuses to store
 */
function sessionStorageOf(tab) {
  try {
    return tab.sessionStorage;
  } catch {
    return null;
  }
}

/** @param {Storage | null} storage */
const storedKeys = (storage) => Object.keys(storage ?? {}).filter((key) => key.startsWith(PREFIX));

/**
 * Store the packed copy of a slot.
 * @param {{slot: string, token: string}} name
 * @param {string} packed
 */
export function storeCopy({slot, token}, packed) {
  try {
    sessionStorage.setItem(PREFIX + slot, JSON.stringify([token, packed]));
  } catch {
    removeCopy(slot); // the storage is full: an older copy would be restored instead
  }
}

/** @param {string} slot */
function removeCopy(slot) {
  try {
    sessionStorage.removeItem(PREFIX + slot);
  } catch {} // nothing was stored
}

/**
 * Return the copies that the session of a response lacks, by slot; each session is sent each of them once.
 * @param {import("./types").Head} head
 */
export function missingCopies({session, data}) {
  /** @type {Record<string, StoredCopy>} */
  const missing = {};
  for (const [slot, copy] of storedCopies()) {
    if (slot in data || sentTo.get(slot) === session) continue;
    sentTo.set(slot, session);
    missing[slot] = copy;
  }
  return Object.keys(missing).length ? missing : null;
}

/**
 * Remove the copies of data that the user has removed, and request new ones.
 * @param {import("./types").Head} head
 */
export function followOwnData({data}) {
  const stored = storedCopies(), newSlots = [];
  for (const [slot, token] of Object.entries(data)) {
    if (!token) removeCopy(slot);
    else if (stored.get(slot)?.[0] !== token && requested.get(slot) !== token) newSlots.push(slot);
    if (token) requested.set(slot, token);
  }
  if (!newSlots.length) return;
  if (departure || pagesLeft.size) requested.clear(); // a page that is being left does not answer; the next page requests the copies again
  else send({dataCopies: newSlots, how: "none"});
}

/**
 * Show a sentence if the link contains the user's own data, with a button that removes them.
 * @param {string} sentence
 */
export function showIncludedData(sentence) {
  if (!sentence) return;
  const line = element("p", "", stage.notices);
  line.append(sentence, " ");
  addButton(line, "Take my data out of the link", () => send({exclude: true, how: "replace"}), "dp-entry-button");
  stage.notices.hidden = false;
}
