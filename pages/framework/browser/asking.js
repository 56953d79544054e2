// What Python has said, what it is asked, and the address, which follows the setting.

function hear(data) {
  const view = new DataView(data.buffer, data.byteOffset), count = view.getUint32(0, true);
  let from = 4 * (count + 2);
  const take = (place) => data.subarray(from, (from += view.getUint32(4 * (place + 1), true)));
  const head = JSON.parse(new TextDecoder().decode(take(0)));
  const bodies = head.bodies.map((what, place) => [what, take(place + 1).slice()]);
  if (head.session === told.session && head.run < told.run) { // Streamlit gives the first ones of a page in any order
    for (const [[kind, what], bytes] of bodies) if (!["stage", "ahead"].includes(kind)) deliverOnce(head.n, kind, what, bytes);
    return;
  }
  root.data = data;
  const isLate = left.has(head.page);
  if (isLate || left.size) {
    told.heard = isLate ? Math.max(told.heard, head.n) : told.n;
    acknowledge();
    if (isLate) return;
    left.clear();
    root.node.inert = false;
  }
  const lost = told.session !== null && told.session !== head.session && told.path === location.pathname;
  const isNew = told.path !== location.pathname || told.session !== head.session;
  Object.assign(told, {session: head.session, run: head.run, path: location.pathname, head});
  for (const [[kind, what], bytes] of bodies) {
    if (kind === "stage") remember(head.view, bytes);
    else if (kind === "ahead") remember(viewWith(head.view, what), bytes);
    else deliverOnce(head.n, kind, what, bytes);
  }
  const restore = missingCopies(head);
  if (restore && !lost) return void ask({link: location.search, restore});
  if (lost) return void ask({link: location.search, ...(restore ? {restore} : {}), ...(queue?.set || told.last?.set ? {set: {...told.last?.set, ...queue?.set}} : {})});
  const answered = head.n > told.heard;
  if (answered) told.heard = head.n;
  const turn = told.turns.get(head.n) ?? told.turn;
  if (!queue?.set && turn >= told.turn && !head.working) wanted.clear();
  showLesson(head.demo);
  if (head.working) ask({how: "none"}); // how far it is: Python waits a while before it answers
  else if (turn >= told.shown) {
    told.shown = turn;
    if (known.has(plainView(head.view))) show(known.get(plainView(head.view)));
    else ask({how: "none"}); // it was let go meanwhile
  }
  showHead(head);
  const isOld = queue?.link || told.last?.n > head.n; // the browser has gone on meanwhile
  if (!isOld && (isNew || answered || head.link !== told.link)) setAddress(head.link, isNew ? "replace" : answered ? told.last.how : "push");
  told.link = head.link;
  if (told.heard >= told.n) acknowledge(); // a run that answers an older question ends no wait
  followOwnData(head); // after the address, which a question of its own would hold back
}

// A question whose run begins late is sent again: what each of its runs brings, such as a file, is taken once.
const delivered = new Set();
function deliverOnce(n, kind, what, bytes) {
  const key = JSON.stringify([n, kind, what]);
  if (n && delivered.has(key)) return;
  delivered.add(key);
  if (delivered.size > 100) delivered.delete(delivered.values().next().value);
  deliver(kind, what, bytes);
}

function remember(view, bytes) {
  known.delete(plainView(view));
  known.set(plainView(view), {view, bytes});
  if (known.size > KEPT) known.delete(known.keys().next().value);
}

const plainView = (view) => `${told.head?.dark} ${new URL(view, location).pathname} ${new URLSearchParams(view.slice(view.indexOf("?")))}`;

function viewWith(view, set) {
  const params = new URLSearchParams(view.slice(view.indexOf("?")));
  for (const [key, text] of Object.entries(set)) params.set(key, text);
  return `${view.slice(0, view.indexOf("?"))}?${params}`;
}

// Colours come from Python, which learns of another theme at its next run only: ask for that run, once.
function heedTheme() {
  const [r, g, b] = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\d+/g).map(Number);
  const dark = r + g + b < 384;
  if (!told.head || dark === told.head.dark) told.theme = undefined;
  else if (told.theme !== dark) ask({theme: (told.theme = dark)});
}

// ------------------------------------------------------------------------------------------------- what Python is asked
// One question at a time; the newest waits until the run for the one before is over.

// A page that is about to be left still answers what the user asks of it, and nothing else. One that was left answers
// nothing: it is inert until the next one is here.
const OWN_QUESTIONS = ["how", "theme", "ahead", "have", "keep"]; // a question of these alone is the engine's own
const isUsers = (question) => Object.keys(question).some((key) => !OWN_QUESTIONS.includes(key));

function ask(question) {
  if (left.size || (going && !isUsers(question))) return;
  if (going) Object.assign(going.entered, question.set);
  const how = queue?.how === "push" ? "push" : question.how;
  queue = queue && !question.link ? {...queue, ...question, how, set: {...queue.set, ...question.set}} : question;
  if (!busy) askNext();
}

const SLOW = 700; // ms: a server that takes so long has enough to do for what is wanted now
let slow = false;
async function askNext() {
  busy = true;
  const start = performance.now();
  root?.node.setAttribute("aria-busy", "true");
  try {
    while (queue && root) {
      const question = queue;
      queue = null;
      question.n = ++told.n;
      told.turns.set(question.n, told.turn);
      if (told.turns.size > 50) told.turns.delete(told.turns.keys().next().value);
      question.how ??= question.link ? "replace" : question.set || "pin" in question ? "push" : "none";
      if (question.set && told.head) {
        const near = known.get(plainView(viewWith(told.head.view, question.set)));
        if (near) question.have = near.view;
      }
      told.last = question;
      await askUntilHeard(question);
    }
  } finally {
    busy = false;
    root?.node.removeAttribute("aria-busy");
  }
  slow = performance.now() - start > SLOW;
  lookAhead();
}

async function askUntilHeard(question) {
  for (let again = 0; again < 40 && told.heard < question.n && root; again++) {
    const heard = new Promise((resolve) => (acknowledge = resolve));
    root.tell("asked", question);
    await Promise.race([heard, pause(1500)]);
    while (told.heard < question.n && isRunning()) await Promise.race([heard, pause(200)]); // a long computation
  }
  await Promise.race([runOver(), pause(400)]);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const isRunning = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";

function runOver() {
  if (!isRunning()) return Promise.resolve();
  return new Promise((resolve) => {
    const app = document.querySelector("[data-testid=stApp]");
    const eye = new MutationObserver(() => !isRunning() && (eye.disconnect(), resolve()));
    eye.observe(app, {attributes: true, attributeFilter: ["data-test-script-state"]});
  });
}

// A parameter is set to one of its steps by hand: what is known of it is shown at once, Python is told of it.
function turn(key, text, held) {
  if (text === hand.textOf(key)) return;
  change({[key]: text}, held);
}

// What was entered and Python has not answered.
const unanswered = () => ({...(busy ? told.last?.set : {}), ...queue?.set});

function change(set, held) {
  if (left.size) return Object.keys(set).forEach((key) => follow(key)); // the field shows again what is used
  told.turn++;
  for (const [key, text] of Object.entries(set)) if (root.fields[key]?.steps?.includes(text)) wanted.set(key, text);
  for (const key of Object.keys(set)) follow(key);
  const all = {...unanswered(), ...set};
  const near = told.head && known.get(plainView(viewWith(told.head.view, all)));
  if (near) {
    told.shown = told.turn;
    show(near);
  }
  const how = !held ? "push" : told.hold ? "replace" : "push";
  if (held) told.hold ??= {};
  ask({set, how});
}

// The hand rests: what follows is another change.
function rest(key) {
  if (!told.hold) return;
  told.hold = null;
  near(key);
  lookAhead();
}

// The parameter that may be moved next: the settings beside the current one are asked for while there is time.
function near(key) {
  nearKey = key;
  nearUntil = performance.now() + 8000;
  lookAhead();
}

function lookAhead() {
  const field = root?.fields[nearKey];
  if (busy || queue || slow || !field?.steps?.length || performance.now() > nearUntil || document.hidden) return;
  const at = stepOf(field.steps, hand.valueOf(nearKey));
  const wishes = [1, -1, 2, -2, 3, -3].map((by) => field.steps[at + by]).filter((step) => step !== undefined && step !== field.used)
    .map((step) => ({[nearKey]: step})).filter((set) => !known.has(plainView(viewWith(told.head.view, set))));
  if (wishes.length && !told.tired?.has(wishes[0][nearKey] + told.head.view)) {
    told.tired = new Set([...(told.tired ?? [])].slice(-50)).add(wishes[0][nearKey] + told.head.view); // asked for once
    ask({ahead: wishes.slice(0, told.hold ? 1 : 3), have: told.head.view, how: "none"});
  }
}

// -------------------------------------------------------------------------------------------------------- the address

function setAddress(link, how) {
  const query = link.slice(link.indexOf("?")), hasHash = location.hash;
  root.foot.textContent = location.origin + location.pathname + query;
  for (const each of root.sections.children) each.href = viewWith(location.pathname + query, {section: each.dataset.section});
  if (String(new URLSearchParams(location.search)) === String(new URLSearchParams(query)) || how === "none") return;
  history[how === "push" ? "pushState" : "replaceState"](history.state ?? {}, "", location.pathname + query + hasHash);
}

// A page that is left takes with it what it was asked last; what its last run still tells, to this script or to
// Streamlit, which would write its address into the history again, comes too late.
const pageAt = (path) => path.slice(path.lastIndexOf("/") + 1);
const left = new Set(); // the pages that were left since the last one came
const push = history.pushState.bind(history);
let here = pageAt(location.pathname), going = null;
history.pushState = (state, title, url) => {
  if (left.has(pageAt(new URL(url, location).pathname))) return;
  push(state, title, url);
  if (pageAt(location.pathname) !== here) leave(); // by a link of Streamlit's own
};

function leave() {
  left.add(here);
  here = pageAt(location.pathname);
  left.delete(here);
  wanted.clear();
  queue = null;
  if (root) root.node.inert = true;
  Object.assign(told, {path: null, last: null, hold: null, shown: 0}); // shown: the next page is drawn whatever was set here
}

// A server that has lost the session has no body of this page to run again: when it is back, Streamlit opens the page as
// after a step in the history.
let isBack = false;
new MutationObserver(([{target}]) => {
  isBack = target.dataset.testConnectionState === "CONNECTED";
  if (isBack) dispatchEvent(new PopStateEvent("popstate"));
  isBack = false;
}).observe(document.querySelector("[data-testid=stApp]"), {attributeFilter: ["data-test-connection-state"]});

addEventListener("popstate", () => {
  if (pageAt(location.pathname) !== here) return leave(); // Streamlit itself goes to another page
  if (!root || isBack || left.size) return;
  wanted.clear();
  told.turn++;
  ask({link: location.search || "?"});
});

// Where Streamlit itself fails, all it has drawn is gone: its page comes back with what its link holds.
new MutationObserver(([{target}]) => target.childElementCount || performance.now() < 3000 || location.reload())
  .observe(document.getElementById("root"), {childList: true});

// A link to a box of fields below, by its key, unfolds it and goes there, and stays there while what it holds comes.
addEventListener("click", (event) => {
  const link = event.target.closest?.(".dp-stage a[href^='#']:not([data-section])");
  const box = link && document.querySelector(`.st-key-${CSS.escape(link.hash.slice(1))}`);
  if (!box) return;
  event.preventDefault();
  if (box.querySelector("details:not([open])")) box.querySelector("summary").click();
  const growing = new ResizeObserver(() => box.scrollIntoView({block: "start"}));
  growing.observe(box);
  setTimeout(() => growing.disconnect(), 1500);
});

// A link to another page, in the navigation or in words, is a step in the history, which Streamlit then follows without
// loading everything anew.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-page], .dp-stage a[href^='./']");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(link.href);
});

// On what comes of a page after it was left Streamlit stumbles: it is left when all that it was asked is answered, and
// what was entered goes with it, where the link would keep what was there before.
async function goTo(href) {
  const to = new URL(href, location), before = new URLSearchParams(told.link?.slice(told.link.indexOf("?")));
  const leaving = {entered: unanswered()};
  if (pageAt(to.pathname) !== here) {
    going = leaving;
    for (const start = performance.now(); (busy || isRunning()) && performance.now() - start < 10000; ) await pause(20);
    if (going !== leaving) return; // another one was chosen meanwhile
    going = null;
  }
  for (const [key, text] of Object.entries(leaving.entered)) {
    if (to.searchParams.has(key) && to.searchParams.get(key) === before.get(key)) to.searchParams.set(key, text);
  }
  push({}, "", to);
  dispatchEvent(new PopStateEvent("popstate"));
}
