// Data of the user's own, such as an uploaded table. No link holds them unless the user includes them. The session
// storage of this tab keeps a packed copy, which ends with the tab, and sends it to a session that does not have it: after
// a reload, or where the server was started again.
const OWN_DATA = "dp_own_data_";
const sentTo = new Map(); // by slot: the session that was sent the copy
const requested = new Map(); // by slot: the token of the copy that Python was asked for

function storedCopies() {
  const copies = new Map();
  for (const key of storedKeys(sessionStorageOf(window))) {
    try {
      copies.set(key.slice(OWN_DATA.length), JSON.parse(sessionStorage.getItem(key)));
    } catch {
      sessionStorage.removeItem(key); // it is broken; the others are still good
    }
  }
  return copies;
}

function sessionStorageOf(tab) {
  try {
    return tab.sessionStorage;
  } catch {
    return {}; // the browser refuses to store
  }
}

const storedKeys = (storage) => Object.keys(storage).filter((key) => key.startsWith(OWN_DATA));

// A tab that this one opens begins with a copy of its session storage: the data would outlive this tab.
function forgetIn(tab) {
  const storage = sessionStorageOf(tab);
  for (const key of storedKeys(storage)) storage.removeItem(key);
}

function storeCopy({slot, token}, bytes) {
  try {
    sessionStorage.setItem(OWN_DATA + slot, JSON.stringify([token, new TextDecoder().decode(bytes)]));
  } catch {
    removeCopy(slot); // there is no room: an older copy would come back in the place of this one
  }
}

function removeCopy(slot) {
  try {
    sessionStorage.removeItem(OWN_DATA + slot);
  } catch {} // nothing was stored
}

// The copies that the session of this answer lacks, by slot; each session is sent each of them once.
function missingCopies({session, data}) {
  const missing = {};
  for (const [slot, copy] of storedCopies()) {
    if (slot in data || sentTo.get(slot) === session) continue;
    sentTo.set(slot, session);
    missing[slot] = copy;
  }
  return Object.keys(missing).length ? missing : null;
}

// Forget the copies of data that the user has removed, and ask for those that are new.
function followOwnData({data}) {
  const stored = storedCopies(), wanted = [];
  for (const [slot, token] of Object.entries(data)) {
    if (!token) removeCopy(slot);
    else if (stored.get(slot)?.[0] !== token && requested.get(slot) !== token) wanted.push(slot);
    if (token) requested.set(slot, token);
  }
  if (!wanted.length) return;
  if (going || left.size) requested.clear(); // a page that is being left does not answer, and the next one asks again
  else ask({keep: wanted, how: "none"});
}

// A sentence where the link holds data of the user's own, and a button that takes them out.
function showIncluded(sentence) {
  if (!sentence) return;
  const line = element("p", "", root.notices);
  line.append(sentence, " ");
  toolButton(line, "Take my data out of the link", () => ask({exclude: true, how: "replace"}), "dp-entry-button");
  root.notices.hidden = false;
}
