// The report that is being gathered. The browser keeps it as the parameters of its link, under one name for all tabs;
// a report that somebody else's link opened is shown, and replaces it only when that is asked for.
const REPORT = "dp_report", PARTS = ["title", "notes", "items"];
const visit = {open: false, last: null, awaits: false, focus: null};
let unkept = ""; // where the browser refuses to keep anything

function kept() {
  try {
    return localStorage.getItem(REPORT) ?? unkept;
  } catch {
    return unkept;
  }
}

function keep(text) {
  unkept = text;
  try {
    localStorage.setItem(REPORT, text);
  } catch {} // this tab has it
  countItems();
}

const partsOf = (query) => Object.fromEntries(PARTS.map((key) => [key, new URLSearchParams(query).get(key) ?? ""]));
const textOf = (parts) => PARTS.map((key) => `${key}=${encodeURIComponent(parts[key])}`).join("&");
const itemsIn = (parts) => parts.items.split("~").filter(Boolean);
const isReport = () => told.head?.page === "Report";
const shownReport = () => partsOf(told.head.link.slice(told.head.link.indexOf("?")));
const counted = (many) => `${many} item${many === 1 ? "" : "s"}`;

// ------------------------------------------------------------------------------------------------------------ adding

function addToReport(name) {
  sayAdded("Adding it to the report…");
  ask({add: name, how: "none"});
}

function takeItem({item, refused}) {
  if (refused) return sayAdded(refused);
  const parts = partsOf(kept()), items = itemsIn(parts);
  const isThere = items.some((each) => each.split("#")[0] === item);
  const more = [...items, item];
  if (isThere) return sayAdded("This is in the report already.");
  if (more.length > reportMost[0]) return sayAdded(`A report has ${reportMost[0]} items at most: remove one first.`);
  if (more.join("~").length + 1 > reportMost[1]) return sayAdded("With this the link of the report would be too long: remove an item first.");
  keep(textOf({...parts, items: more.join("~")}));
  sayAdded("Added to the report.");
}

// What was done, with the way to the report; it stays until it is closed or the page is left.
function sayAdded(words) {
  const old = document.querySelector(".dp-added"), box = old ?? element("div", "dp-added", root.node);
  box.page = told.head.page;
  if (!old) {
    element("span", "", box, {role: "status"});
    element("a", "", box, {"data-page": ""});
    toolButton(box, "×", () => box.remove(), "dp-menu").setAttribute("aria-label", "Close");
  }
  const [said, link] = box.children, many = itemsIn(partsOf(kept())).length;
  said.textContent = words;
  link.textContent = `Open report (${many})`;
  link.href = reportLink();
  link.hidden = many === 0;
}

// ------------------------------------------------------------------------------------------------- the way to it

function reportLink() {
  const link = document.querySelector('.dp-pages a[href*="/Report?"]'), now = new URLSearchParams(location.search);
  const shared = link ? new URL(link.href).searchParams : now;
  for (const key of PARTS) shared.delete(key);
  return `./Report?${shared}&${textOf(partsOf(kept()))}`;
}

function countItems() {
  const link = document.querySelector('.dp-pages a[href*="/Report?"]'), many = itemsIn(partsOf(kept())).length;
  if (link) link.dataset.many = many || "";
}

// The navigation is made by Python, which does not know what the browser keeps.
for (const kind of ["pointerdown", "focusin", "click"]) {
  addEventListener(kind, (event) => {
    const link = event.target.closest?.('.dp-pages a[href*="/Report?"]');
    if (link) link.href = reportLink();
  }, true);
}

addEventListener("storage", (event) => {
  if (event.key !== REPORT) return;
  countItems();
  if (!root || !isReport()) return;
  if (isMine()) openMine("replace"); // another tab has gone on
  else showOwner();
});

// ------------------------------------------------------------------------------------------------- the page of a report

// Whose report the page shows is settled when it is opened: it is one's own where it is the one that is kept. Then an
// edit of it is kept, unless another tab has kept something since; one's own replaces it where the page shows none.
function followReport(head) {
  countItems();
  const added = document.querySelector(".dp-added");
  if (added && added.page !== head.page) added.remove();
  if (head.page !== "Report") return void (visit.open = false);
  const shown = textOf(shownReport()), own = textOf(partsOf(kept()));
  if (!visit.open) { // a server that is lost and there again does not open it anew
    Object.assign(visit, {open: true, last: null, awaits: true});
    if (shown === EMPTY && own !== EMPTY) ask({set: partsOf(kept()), how: "replace"});
  }
  if (visit.awaits && shown === own) Object.assign(visit, {awaits: false, last: own});
  if (isMine() && shown !== visit.last) {
    if (own === visit.last) keep((visit.last = shown));
    else visit.last = null;
  }
  showOwner();
}

const EMPTY = textOf(partsOf(""));
const isMine = () => visit.last !== null;
function openMine(how) {
  Object.assign(visit, {awaits: true, last: null});
  ask({set: partsOf(kept()), how});
}

function showOwner() {
  if (!root.owner?.isConnected) return;
  const own = itemsIn(partsOf(kept())).length, many = itemsIn(shownReport()).length;
  const make = (name, act) => toolButton(root.owner, name, act, "dp-entry-button");
  root.owner.replaceChildren();
  if (isMine() && many === 0) return;
  const words = element("p", "", root.owner);
  if (isMine()) {
    words.textContent = "This is your report: your browser keeps it, and what you add on other pages is added to it.";
    make("Remove all items", () => change({items: ""}, false));
    return;
  }
  words.textContent = `This report comes from its link. ${own ? `Your own, of ${counted(own)}, is kept apart from it.` : "What you add on other pages is not added to it."}`;
  make(own ? `Make this my report and drop the other (${own})` : "Make this my report", () => {
    keep((visit.last = textOf(shownReport())));
    showOwner();
  });
  if (own) make("Open my report", () => openMine("push"));
}

// The files of the page, and whose report it is.
function showFiles(made, {names, missing}) {
  made.bar ??= element("div", "dp-files", made.node);
  root.owner = made.owner ??= element("div", "dp-owner", made.node);
  made.bar.replaceChildren();
  made.bar.hidden = names.length === 0;
  const offer = (name, file, act) => {
    const button = toolButton(made.bar, name, () => {
      said.textContent = "The file is being made…";
      act(file);
    });
    button.disabled = Boolean(missing);
  };
  offer("HTML file", "report.html", (file) => askFile(file));
  offer("PDF", "report.html", (file) => askFile(file, printTab()));
  offer("Numbers as CSV, zipped", "report.zip", (file) => askFile(file));
  const said = (root.filed = element("span", "dp-done", made.bar, {role: "status"}));
  said.textContent = missing;
  showOwner();
}

// A tab for the file, opened while the browser still sees the click; it prints itself when it is drawn.
function printTab() {
  const tab = open("", "_blank");
  if (tab) forgetIn(tab);
  if (tab) tab.document.title = "The report is being made…";
  return tab;
}

function askFile(file, tab) {
  visit.tab = tab; // undefined where none is wanted, null where the browser opens none
  ask({file, at: location.href.replace(/\/Report[/]?[?].*$/, ""), plotly: !visit.plotly, how: "none"});
}

async function takeFile(name, bytes) {
  if (root.filed) root.filed.textContent = "";
  if (name === "report.zip") return save(name, new Blob([bytes], {type: "application/zip"}));
  const blob = new Blob([withPlotly(new TextDecoder().decode(bytes), await visit.plotly)], {type: "text/html"});
  if (visit.tab) visit.tab.location = `${URL.createObjectURL(blob)}#print`;
  else save(name, blob);
  if (visit.tab === undefined || !root.filed) return;
  root.filed.textContent = visit.tab ? "In the print dialog, choose to save as PDF." : "The browser opened no tab: print the saved file, and choose to save as PDF.";
}

const withPlotly = (text, plotly) => text.replace("/* Plotly */", () => plotly);

const inflated = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();

// ------------------------------------------------------------------------------------------------------- one item of it

function showItem(made, part, used, id) {
  const {place, of} = part;
  made.head ??= itemHead(made);
  made.body ??= element("div", "dp-paper", made.node);
  made.place = place;
  const [up, down, remove] = made.buttons;
  up.disabled = place === 0;
  down.disabled = place === of - 1;
  for (const [button, act] of [[up, "up"], [down, "down"]]) button.setAttribute("aria-label", `Move item ${place + 1} ${act}`);
  remove.setAttribute("aria-label", `Remove item ${place + 1}`);
  setHtml(made.title, `${place + 1}. ${part.heading}`);
  made.source.textContent = part.source;
  made.source.href = `.${part.link}`;
  made.note.setAttribute("aria-label", `Note to item ${place + 1}`);
  if (document.activeElement !== made.note || made.note.value === made.note.told) made.note.value = part.note;
  made.note.told = part.note;
  arrange(made.body, part.parts, used, id);
  if (visit.focus?.place !== place) return;
  const wanted = made.buttons[visit.focus.button];
  visit.focus = null;
  (wanted.disabled ? made.buttons.find((each) => !each.disabled) : wanted).focus();
}

function itemHead(made) {
  const head = element("div", "dp-item-head", made.node);
  const names = element("div", "dp-item-names", head);
  made.title = element("h2", "dp-title", names);
  made.source = element("a", "", names);
  const tools = element("div", "dp-item-tools", head);
  made.buttons = [
    toolButton(tools, "↑ Up", () => moveItem(made.place, -1, 0)),
    toolButton(tools, "↓ Down", () => moveItem(made.place, 1, 1)),
    toolButton(tools, "Remove", () => changeItems((items) => items.filter((_, place) => place !== made.place))),
  ];
  made.note = element("input", "dp-entry dp-item-note", made.node, {type: "text", maxlength: 300, placeholder: "A note to this item", autocomplete: "off"});
  made.note.onchange = () => changeItems((items) => items.map((each, place) => (place === made.place ? noted(each, made.note.value) : each)));
  return head;
}

const noted = (item, note) => item.split("#")[0] + (note.trim() && `#${encodeURIComponent(note.trim()).replaceAll("~", "%7E")}`);

function changeItems(changed) {
  change({items: changed(itemsIn(shownReport())).join("~")}, false);
}

function moveItem(place, by, button) {
  visit.focus = {place: place + by, button};
  changeItems((items) => items.with(place, items[place + by]).with(place + by, items[place]));
}
