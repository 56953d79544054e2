// The stage: the question, the answer, the parameters and the parts of a page, as Python tells them at every run.
// It owns the address: a change of the setting is one entry of the browser's history, and so is a drag.
const KEPT = 60; // settings whose stage is kept here
const known = new Map(); // of a setting: the bytes of its stage
const wanted = new Map(); // of a parameter that is being set: the text that Python has not answered yet
const told = {n: 0, heard: 0, session: null, path: null, head: null, turn: 0, shown: 0, turns: new Map(), hold: null};
const stages = new WeakMap();
let root, queue = null, busy = false, acknowledge = () => {}, nearKey = null, nearUntil = 0;

const hand = {
  fieldOf: (key) => root?.fields[key],
  textOf: (key) => wanted.get(key) ?? root.fields[key].used,
  valueOf: (key) => (wanted.has(key) ? Number(wanted.get(key)) : root.fields[key].value),
  turn, rest, set: (set) => change(set, false), near,
};

function drawStage({data, parentElement, setTriggerValue}) {
  let stage = stages.get(parentElement);
  if (!stage) stages.set(parentElement, (stage = newStage(parentElement)));
  stage.left = false;
  stage.tell = setTriggerValue;
  root = stage;
  if (stage.data !== data) hear((stage.data = data));
  heedTheme();
  return () => {
    // Streamlit also calls this for a call that the next one overtook.
    stage.left = true;
    setTimeout(() => stage.left && closeStage(parentElement, stage));
  };
}

function newStage(parent) {
  const node = element("div", "dp-stage", parent), top = element("div", "dp-top", node);
  const stage = {node, fields: {}, parts: new Map(), widgets: new Map(), question: element("h1", "dp-question", top)};
  stage.notices = element("div", "dp-notices st-key-link_notice", node, {role: "status"});
  stage.answer = element("div", "dp-answer st-key-answer", node);
  stage.said = element("div", "", stage.answer);
  stage.wrong = element("div", "dp-wrong", stage.answer, {role: "status"});
  const bar = element("div", "dp-bar", node);
  stage.sections = element("nav", "dp-sections", bar, {"aria-label": "Sections of this page"});
  stage.tools = element("div", "dp-tools", bar);
  stage.lead = element("div", "dp-lead", node);
  stage.strip = element("div", "dp-strip", stage.lead, {role: "group", "aria-label": "Parameters"});
  stage.first = element("div", "dp-first", stage.lead);
  stage.rest = element("div", "dp-rest", node);
  stage.foot = element("p", "dp-foot", node);
  pageTools(stage);
  return stage;
}

function closeStage(parent, stage) {
  for (const part of stage.parts.values()) if (part.chart) closeChart(part.chart);
  stage.node.remove();
  stages.delete(parent);
  if (root === stage) root = undefined;
}

// ---------------------------------------------------------------------------------------------- what Python has said

function hear(data) {
  const view = new DataView(data.buffer, data.byteOffset), count = view.getUint32(0, true);
  let from = 4 * (count + 2);
  const take = (place) => data.subarray(from, (from += view.getUint32(4 * (place + 1), true)));
  const head = JSON.parse(new TextDecoder().decode(take(0)));
  const bodies = head.bodies.map((what, place) => [what, take(place + 1).slice()]);
  const lost = told.session !== null && told.session !== head.session && told.path === location.pathname;
  const isNew = told.path !== location.pathname || told.session !== head.session;
  Object.assign(told, {session: head.session, path: location.pathname, head});
  for (const [[kind, what], bytes] of bodies) {
    if (kind === "stage") remember(head.view, bytes);
    else if (kind === "ahead") remember(viewWith(head.view, what), bytes);
    else deliver(kind, what, bytes);
  }
  if (lost) return void ask({link: location.search, ...(queue?.set || told.last?.set ? {set: {...told.last?.set, ...queue?.set}} : {})});
  const answered = head.n > told.heard;
  if (answered) told.heard = head.n;
  const turn = told.turns.get(head.n) ?? told.turn;
  if (!queue?.set && turn >= told.turn) wanted.clear();
  if (turn >= told.shown) {
    told.shown = turn;
    if (known.has(plainView(head.view))) show(known.get(plainView(head.view)));
    else ask({how: "none"}); // it was let go meanwhile
  }
  showHead(head);
  const isOld = queue?.link || told.last?.n > head.n; // the browser has gone on meanwhile
  if (!isOld && (isNew || answered || head.link !== told.link)) setAddress(head.link, isNew ? "replace" : answered ? told.last.how : "push");
  told.link = head.link;
  acknowledge();
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

function ask(question) {
  const how = queue?.how === "push" ? "push" : question.how;
  queue = queue && !question.link ? {...queue, ...question, how, set: {...queue.set, ...question.set}} : question;
  if (!busy) askNext();
}

async function askNext() {
  busy = true;
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

function change(set, held) {
  told.turn++;
  for (const [key, text] of Object.entries(set)) if (root.fields[key]?.steps?.includes(text)) wanted.set(key, text);
  for (const key of Object.keys(set)) follow(key);
  const all = {...(busy ? told.last?.set : {}), ...queue?.set, ...set};
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
  if (busy || queue || !field?.steps?.length || performance.now() > nearUntil || document.hidden) return;
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
  if (String(new URLSearchParams(location.search)) === String(new URLSearchParams(query)) || how === "none") return;
  history[how === "push" ? "pushState" : "replaceState"](history.state ?? {}, "", location.pathname + query + hasHash);
}

addEventListener("popstate", (event) => {
  if (!root || location.pathname !== told.path) return; // Streamlit itself goes to another page
  event.stopImmediatePropagation();
  wanted.clear();
  told.turn++;
  ask({link: location.search || "?"});
}, true);

// ------------------------------------------------------------------------------------------------------- what is shown

function show(entry) {
  if (!entry || !root) return;
  const stage = (entry.stage = unpack(entry.bytes));
  root.fields = stage.fields;
  setHtml(root.said, stage.answer.join(""));
  showSections(stage.sections, stage.section);
  showFields(root.strip, stage.strip);
  const used = new Set();
  const [lead, ...rest] = stage.parts[0]?.kind === "chart" || stage.parts[0]?.kind === "table" ? stage.parts : [null, ...stage.parts];
  arrange(root.first, lead ? [lead] : [], used, "lead");
  arrange(root.rest, rest, used, "part");
  for (const [id, part] of root.parts) {
    if (used.has(id)) continue;
    if (part.chart) closeChart(part.chart);
    part.node.remove();
    root.parts.delete(id);
  }
  for (const key of Object.keys(root.fields)) follow(key, false);
}

function arrange(host, parts, used, prefix) {
  parts.forEach((part, place) => {
    const id = part.name ? `${part.kind}_${part.name}` : `${prefix}_${part.kind}_${place}`;
    used.add(id);
    let made = root.parts.get(id);
    if (!made || made.host !== host) {
      if (made?.chart) closeChart(made.chart);
      made?.node.remove();
      made = {host, node: element("div", `dp-part dp-${part.kind}`)};
      root.parts.set(id, made);
    }
    if (host.children[place] !== made.node) host.insertBefore(made.node, host.children[place] ?? null);
    showPart(made, part, used, id);
  });
}

function showPart(made, part, used, id) {
  if (part.kind === "words") return setHtml(made.node, part.html);
  if (part.kind === "fields") return showFields(made.node, part.keys);
  if (part.kind === "beside") return arrange(made.node, part.parts, used, id);
  if (part.kind === "table") {
    made.table ??= element("div", "", made.node);
    setHtml(made.table, part.html);
  } else {
    made.chart ??= newChart(made.node, hand);
    setChart(made.chart, part, {dark: told.head.dark, height: made.host === root.first ? leadHeight : null});
  }
  exhibitTools(made, part);
}

// The lead picture fills what the first screen leaves it, and keeps that height while a parameter moves.
function leadHeight(chart) {
  const size = `${innerWidth} ${innerHeight} ${root.node.className} ${told.head.page} ${told.head.section}`;
  const stage = root.node.getBoundingClientRect().top + (document.querySelector(".stMain")?.scrollTop ?? 0);
  const above = chart.plot.getBoundingClientRect().top - root.node.getBoundingClientRect().top + stage;
  const below = (innerWidth <= 640 ? root.strip.offsetHeight : 0) + chart.legend.offsetHeight + 36; // and its menu
  const room = innerHeight - above - below;
  const height = Math.round(Math.min(Math.max(room, 240), innerWidth < 640 ? 460 : 760));
  if (root.size !== size || height < root.height) Object.assign(root, {size, height});
  return root.height;
}

function showSections(sections, open) {
  const names = Object.entries(sections ?? {});
  root.sections.hidden = names.length < 2;
  if (root.sections.names !== JSON.stringify(sections)) {
    root.sections.names = JSON.stringify(sections);
    root.sections.replaceChildren(...names.map(([key, name]) => {
      const link = element("a", "", null, {href: "#", "data-section": key});
      link.textContent = name;
      link.onclick = (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        change({section: key}, false);
      };
      return link;
    }));
  }
  for (const link of root.sections.children) {
    link.href = viewWith(location.pathname + location.search, {section: link.dataset.section});
    if (link.dataset.section === open) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function showHead(head) {
  root.question.textContent = head.question;
  document.body.classList.toggle("dp-presenting", head.present);
  root.node.classList.toggle("dp-dark", head.dark);
  if (root.node.classList.toggle("dp-present", head.present) !== root.present) {
    root.present = head.present;
    for (const chart of charts) if (chart.figure) redraw(chart);
    wake();
  }
  const lines = (node, sentences) => {
    node.hidden = sentences.length === 0;
    node.replaceChildren(...sentences.map((sentence) => Object.assign(element("p", ""), {textContent: sentence})));
  };
  lines(root.notices, head.notices);
  lines(root.wrong, head.wrong);
  root.buttons.pin.hidden = head.pinned === null;
  root.buttons.pin.textContent = head.pinned ? "Unpin" : "Pin";
  root.buttons.pin.setAttribute("aria-pressed", String(Boolean(head.pinned)));
  root.buttons.present.textContent = head.present ? "Leave presentation" : "Present";
  for (const widget of root.widgets.values()) widget.refresh();
}

// --------------------------------------------------------------------------------------------------------- parameters

function showFields(host, keys) {
  const id = keys.map((key) => `${key} ${root.fields[key].label}`).join("|");
  if (host.keys !== id) {
    host.keys = id;
    host.replaceChildren();
    for (const key of keys) {
      const field = root.fields[key], make = field.steps ? quantityField : field.options ? choiceField : wordsField;
      root.widgets.set(key, make(host, key, field));
    }
  }
  host.hidden = keys.length === 0;
  for (const key of keys) root.widgets.get(key).refresh();
}

// Every place that shows a parameter follows it: its slider, its box, and the markers of the charts.
function follow(key, charted = true) {
  root.widgets.get(key)?.refresh();
  if (!charted) return;
  for (const chart of charts) if (chart.drawn && chart.marks.includes(key)) moveMark(chart, key);
}

let places = 0;
function fieldBox(host, key, field, kind) {
  const node = element("div", `dp-field dp-${kind}`, host, {"data-key": key}), id = `dp_${key}_${places++}`;
  const head = element("div", "dp-field-head", node);
  return {node, head, id, problem: element("p", "dp-problem", node, {id: `${id}_problem`, role: "alert"}), meant: element("p", "dp-meant", node)};
}

function helpButton(host, field, name) {
  if (!field.help && (field.short ?? name) === name) return;
  const button = element("button", "dp-help", host, {type: "button", "aria-label": `About ${field.symbol}`});
  button.textContent = "?";
  popover(button, (box) => {
    element("strong", "", box).textContent = name;
    element("p", "", box).textContent = field.help;
  });
}

function showEntry(box, input, key) {
  const field = root.fields[key], [entry, problem] = told.head.entered[key] ?? [field.used, ""];
  const text = wanted.get(key) ?? entry;
  if (document.activeElement !== input || input.value === input.told) input.value = text;
  input.told = text;
  box.problem.textContent = wanted.has(key) ? "" : problem;
  box.problem.hidden = !box.problem.textContent;
  box.meant.textContent = wanted.has(key) || problem ? "" : field.meant ?? "";
  box.meant.hidden = !box.meant.textContent;
  if (problem) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

function entryBox(host, box, key, name) {
  const input = element("input", "dp-entry", host, {
    type: "text", id: box.id, autocomplete: "off", spellcheck: "false", "aria-label": name, "aria-describedby": `${box.id}_problem`,
  });
  const commit = () => {
    if (input.value === input.told) return;
    const text = input.value;
    input.told = text; // until Python has read it
    change({[key]: text}, false);
  };
  input.onchange = commit;
  input.onkeydown = (event) => {
    if (event.key === "Enter") commit();
    if (event.key === "Escape") input.value = input.told;
  };
  return input;
}

function quantityField(host, key, field) {
  const box = fieldBox(host, key, field, "quantity");
  const symbol = element("label", "dp-symbol", box.head, {for: box.id, title: field.label});
  symbol.textContent = field.short;
  const input = entryBox(box.head, box, key, field.label);
  helpButton(box.head, field, field.label);
  const range = field.steps.length ? rangeOf(box, key, field) : null;
  return {refresh: () => root.fields[key] && (showEntry(box, input, key), range?.())};
}

function rangeOf(box, key, field) {
  const range = element("input", "dp-range", null, {
    type: "range", min: 0, max: field.steps.length - 1, step: "any", "aria-label": field.ends || `${field.label}, steps`,
  });
  box.head.after(range);
  const stepAt = () => field.steps[Math.round(Number(range.value))];
  range.oninput = () => turn(key, stepAt(), true);
  range.onchange = () => rest(key);
  range.onpointerenter = range.onfocus = () => near(key);
  range.onkeydown = (event) => {
    const step = keyStep(event, root.fields[key].steps, hand.valueOf(key));
    if (step !== undefined) turn(key, step, true);
  };
  range.onkeyup = range.onblur = () => rest(key);
  return () => {
    const {steps} = root.fields[key], value = hand.valueOf(key);
    const below = steps.filter((step) => Number(step) < value).length;
    range.value = String(Number(steps[below]) === value ? below : Math.max(0, below - 0.5));
    range.setAttribute("aria-valuetext", hand.textOf(key));
  };
}

function choiceField(host, key, field) {
  const box = fieldBox(host, key, field, "choice"), options = Object.entries(field.options);
  if (options.length > 4 || options.map(([, name]) => name).join("").length > 40) return selectField(box, key, field, options);
  const group = element("div", "dp-options", box.node, {role: "radiogroup", "aria-label": field.label});
  element("span", "dp-symbol", box.head).textContent = field.label;
  helpButton(box.head, field, field.label);
  const inputs = options.map(([option, name]) => {
    const label = element("label", "", group), input = element("input", "", label, {type: "radio", name: box.id, value: option});
    element("span", "", label).textContent = name;
    input.onchange = () => change({[key]: option}, false);
    return input;
  });
  return {refresh: () => { for (const input of inputs) input.checked = input.value === root.fields[key]?.used; }};
}

function selectField(box, key, field, options) {
  element("label", "dp-symbol", box.head, {for: box.id}).textContent = field.label;
  helpButton(box.head, field, field.label);
  const select = element("select", "dp-select", box.node, {id: box.id, "aria-label": field.label});
  for (const [option, name] of options) element("option", "", select, {value: option}).textContent = name;
  select.onchange = () => change({[key]: select.value}, false);
  return {refresh: () => { if (root.fields[key]) select.value = root.fields[key].used; }};
}

function wordsField(host, key, field) {
  const box = fieldBox(host, key, field, "words-field");
  element("label", "dp-symbol", box.head, {for: box.id}).textContent = field.label;
  helpButton(box.head, field, field.label);
  const input = entryBox(box.node, box, key, field.label);
  box.head.after(input);
  return {refresh: () => root.fields[key] && showEntry(box, input, key)};
}

// -------------------------------------------------------------------------------------------------------------- tools

// A button and what it opens beside itself; made anew each time it is opened.
function popover(button, fill) {
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  const close = () => {
    button.box?.remove();
    button.box = null;
    button.setAttribute("aria-expanded", "false");
    removeEventListener("pointerdown", outside, true);
  };
  const outside = (event) => !button.box?.contains(event.target) && !button.contains(event.target) && close();
  button.onclick = () => {
    if (button.box) return close();
    button.box = element("div", "dp-popover", button.parentElement, {role: "dialog", "aria-label": button.getAttribute("aria-label") ?? button.textContent});
    button.box.onkeydown = (event) => event.key === "Escape" && (event.stopPropagation(), close(), button.focus());
    fill(button.box, close);
    button.setAttribute("aria-expanded", "true");
    const {left, right} = button.box.getBoundingClientRect();
    if (right > innerWidth - 8) button.box.style.translate = `${innerWidth - 8 - right}px 0`;
    else if (left < 8) button.box.style.translate = `${8 - left}px 0`;
    button.box.querySelector("button, input, select")?.focus();
    addEventListener("pointerdown", outside, true);
  };
}

function toolButton(host, name, act, kind = "dp-tool") {
  const button = element("button", kind, host, {type: "button"});
  button.textContent = name;
  button.onclick = act;
  return button;
}

function pageTools(stage) {
  stage.buttons = {
    pin: toolButton(stage.tools, "Pin", () => ask({pin: !told.head.pinned})),
    present: toolButton(stage.tools, "Present", () => change({present: told.head.present ? "off" : "on"}, false)),
    share: toolButton(stage.tools, "Share"),
  };
  stage.buttons.pin.title = "Keep this setting to compare with others";
  popover(stage.buttons.share, (box, close) => {
    const done = element("p", "dp-done", null, {role: "status"});
    const copy = (text, said) => navigator.clipboard.writeText(text).then(() => (done.textContent = said), () => (done.textContent = text));
    toolButton(box, "Copy link", () => copy(location.href, "The link is copied."), "dp-entry-button");
    toolButton(box, "Copy citation", () => copy(citation(), "The citation is copied."), "dp-entry-button");
    toolButton(box, "QR code of the link", () => ask({qr: location.href}), "dp-entry-button");
    toolButton(box, "Print or PDF", () => (close(), setTimeout(print)), "dp-entry-button");
    box.append(done);
    stage.code = element("div", "dp-code", box);
  });
}

function citation() {
  const said = [...root.said.querySelectorAll("p")].slice(0, 2).map((line) => line.textContent.trim()).join(" ");
  return `“${said}” DP Trade-off Explorer ${told.head.version}, ${new Date().toISOString().slice(0, 10)}, ${location.href}`;
}

function exhibitTools(made, part) {
  made.part = part;
  if (made.tools) return;
  made.tools = element("div", "dp-exhibit-tools", made.chart?.frame ?? made.node);
  const menu = toolButton(made.tools, "⋯", null, "dp-menu");
  menu.setAttribute("aria-label", made.chart ? "Save or enlarge this chart" : "Save this table");
  popover(menu, (box, close) => {
    toolButton(box, "Numbers as CSV", () => (ask({csv: made.part.name}), close()), "dp-entry-button");
    if (!made.chart) return;
    toolButton(box, "Save picture", () => saveFields(box, made, close), "dp-entry-button");
    toolButton(box, "Reset zoom", () => (resetZoom(made.chart), close()), "dp-entry-button");
    if (document.fullscreenEnabled) toolButton(box, "Full screen", () => (close(), toggleFull(made.chart)), "dp-entry-button");
  });
}

// What an author asks of a saved picture; the browser remembers it.
const PAPER = {format: null, widthMm: 180, typePt: 8, titled: true, greySafe: false, transparent: false};
const saver = {script: null, font: null, wish: null};

function saveFields(box, made, close) {
  const paper = {...PAPER, ...remembered(), format: told.head.picture};
  box.replaceChildren();
  const pick = (name, key, options) => {
    const label = element("label", "dp-row", box), select = element("select", "dp-select", label);
    label.prepend(name);
    for (const [value, words] of options) element("option", "", select, {value}).textContent = words;
    select.value = String(paper[key]);
    select.onchange = () => (paper[key] = key === "format" ? select.value : Number(select.value));
  };
  pick("Format", "format", [["svg", "SVG"], ["png", "PNG, 300 dpi"], ["pdf", "PDF"]]);
  pick("Width", "widthMm", [[85, "85 mm"], [120, "120 mm"], [180, "180 mm"]]);
  pick("Type", "typePt", [6, 7, 8, 9, 10, 11, 12].map((size) => [size, `${size} pt`]));
  for (const [key, name] of [["titled", "With its title"], ["greySafe", "Apart in grey print"], ["transparent", "No white ground"]]) {
    const label = element("label", "dp-row", box), tick = element("input", "", label, {type: "checkbox"});
    label.append(name);
    tick.checked = paper[key];
    tick.onchange = () => (paper[key] = tick.checked);
  }
  toolButton(box, "Save", () => {
    rememberPaper(paper);
    saver.wish = {...paper, name: made.part.name, alternative: made.part.alt, hidden: [...made.chart.hidden], ranges: zoomOf(made.chart)};
    ask({light: made.part.name, script: !saver.script, how: "replace", ...(paper.format === told.head.picture ? {} : {set: {picture: paper.format}})});
    close();
  }, "dp-entry-button");
  box.querySelector("select").focus();
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem("dp_paper")) ?? {};
  } catch {
    return {}; // a browser may refuse to remember
  }
}

function rememberPaper(paper) {
  try {
    localStorage.setItem("dp_paper", JSON.stringify(paper));
  } catch {} // as above
}

// The ranges of the axes that are fixed, by their figure or by a zoom.
function zoomOf({plot}) {
  const axes = Object.entries(plot._fullLayout ?? {}).filter(([key, axis]) => /^[xy]axis\d*$/.test(key) && axis.autorange === false);
  return Object.fromEntries(axes.map(([key, axis]) => [key, [...axis.range]]));
}

async function savePicture(part) {
  const {savedPicture} = await saver.script, {wish} = saver;
  if (!wish) return;
  saver.wish = null;
  const about = {link: location.href, version: told.head.version, date: new Date().toISOString().slice(0, 10), font: saver.font};
  const {name, blob} = await savedPicture(globalThis.Plotly, part.figure, {...wish, ...about});
  save(name, blob);
}

// Files and codes that Python has made.
function deliver(kind, what, bytes) {
  if (kind === "csv") save(what, new Blob([bytes], {type: "text/csv"}));
  if (kind === "qr" && root.code) root.code.innerHTML = new TextDecoder().decode(bytes);
  if (kind === "font") saver.font = bytes;
  if (kind === "script") saver.script = import(URL.createObjectURL(new Blob([bytes], {type: "text/javascript"})));
  if (kind === "light") savePicture(unpack(bytes));
}

function save(name, blob) {
  const link = element("a", "", document.body, {href: URL.createObjectURL(blob), download: name});
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

addEventListener("beforeprint", drawAll);
addEventListener("resize", () => { for (const chart of charts) if (chart.height) redraw(chart); wake(); });

// In a presentation the arrow keys move the first parameter, and the page keys go through the sections.
addEventListener("keydown", (event) => {
  if (!root?.present || event.target.closest?.("input, select, textarea, [role=slider], [role=dialog]")) return;
  const key = Object.keys(root.fields).find((each) => root.fields[each].steps?.length && root.strip.querySelector(`[data-key="${each}"]`));
  if (event.key === "Escape") return change({present: "off"}, false);
  if (["PageDown", "PageUp"].includes(event.key)) {
    const links = [...root.sections.children], at = links.findIndex((link) => link.hasAttribute("aria-current"));
    event.preventDefault();
    return links[at + (event.key === "PageDown" ? 1 : -1)]?.click();
  }
  const step = key && event.key.startsWith("Arrow") && keyStep(event, root.fields[key].steps, hand.valueOf(key));
  if (step) turn(key, step, true);
});
addEventListener("keyup", (event) => root?.present && event.key.startsWith("Arrow") && rest(nearKey));

(globalThis.dpStage ??= Promise.withResolvers()).resolve(drawStage);
export default () => void loadPlotly().catch(() => {}); // Plotly comes while Python still computes
