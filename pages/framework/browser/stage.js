// The stage: the question, the answer, the parameters and the parts of a page, as Python tells them at every run.
// It owns the address: a change of the setting is one entry of the browser's history, and so is a drag.
const KEPT = 60; // settings whose stage is kept here
const known = new Map(); // of a setting: the bytes of its stage
const wanted = new Map(); // of a parameter that is being set: the text that Python has not answered yet
const told = {n: 0, heard: 0, session: null, run: 0, path: null, head: null, turn: 0, shown: 0, turns: new Map(), hold: null};
const stages = new Map(); // by the element that Streamlit gives them
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
  stage.tell = setTriggerValue;
  root = stage;
  if (stage.data !== data) hear(data);
  heedTheme();
}

function newStage(parent) {
  for (const [element, old] of stages) if (!element.isConnected) closeStage(element, old); // that of a page left
  const node = element("div", "dp-stage", parent), top = element("div", "dp-top", node);
  const stage = {node, fields: {}, parts: new Map(), widgets: new Map(), question: element("h1", "dp-question", top)};
  stage.lesson = newLesson(node);
  stage.notices = element("div", "dp-notices st-key-link_notice", node, {role: "status"});
  stage.answer = element("div", "dp-answer st-key-answer", node);
  stage.said = element("div", "dp-said", stage.answer);
  stage.offers = element("span", "dp-offers", stage.answer);
  stage.working = workingBar(stage.answer);
  stage.wrong = element("div", "dp-wrong", stage.answer, {role: "status"});
  newOffer(stage);
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

// How far what takes long is, and a button to do without it.
function workingBar(host) {
  const bar = element("div", "dp-working", host, {role: "group", "aria-label": "Computation"});
  bar.hidden = true;
  bar.said = element("span", "", bar, {role: "status"});
  bar.share = element("progress", "", bar, {max: 1, "aria-label": "Processor time taken, of the most there is"});
  const button = element("button", "dp-tool", bar, {type: "button"});
  button.textContent = "Cancel";
  button.onclick = () => ask({stop: true, how: "none"});
  return bar;
}

function showWorking(working) {
  root.working.hidden = !working;
  root.node.classList.toggle("dp-waiting", Boolean(working));
  if (!working) return void (root.working.said.textContent = "");
  const [seconds, most] = working;
  root.working.said.textContent = `Computing, for at most ${most} s of processor time`;
  root.working.share.value = Math.min(seconds / most, 1);
}

function closeStage(parent, stage) {
  for (const part of stage.parts.values()) if (part.chart) closeChart(part.chart);
  stage.node.remove();
  stages.delete(parent);
}

// ------------------------------------------------------------------------------------------------------- what is shown

function show(entry) {
  if (!entry || !root) return;
  const stage = (entry.stage = unpack(entry.bytes));
  root.fields = stage.fields;
  root.view = entry.view;
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
  showOffer();
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
  if (part.kind === "item") return showItem(made, part, used, id);
  if (part.kind === "files") return showFiles(made, part);
  if (["beside", "cards"].includes(part.kind)) return arrange(made.node, part.parts, used, id);
  if (part.kind === "card") return showCard(made, part, used, id);
  if (part.kind === "table") {
    made.table ??= element("div", "", made.node);
    setHtml(made.table, part.html);
  } else {
    made.chart ??= newChart(made.node, hand);
    setChart(made.chart, part, {dark: told.head.dark, height: made.host === root.first ? leadHeight : null});
  }
  exhibitTools(made, part);
}

// A question that is a link, its picture, and what it shows in a sentence.
function showCard(made, part, used, id) {
  made.link ??= element("a", "", element("h2", "dp-card-question", made.node));
  made.picture ??= element("div", "dp-card-picture", made.node);
  made.said ??= element("div", "dp-card-said", made.node);
  made.link.href = part.link;
  made.link.textContent = part.question;
  setHtml(made.said, part.html);
  arrange(made.picture, part.parts, used, id);
}

// The lead picture fills what the first screen leaves it, and keeps that height while a parameter moves and where the
// panel of an offer pushes it down.
function leadHeight(chart) {
  const size = `${innerWidth} ${innerHeight} ${root.node.className} ${told.head.page} ${told.head.section} ${root.node.dataset.step}`;
  const stage = root.node.getBoundingClientRect().top + (document.querySelector(".stMain")?.scrollTop ?? 0);
  const above = chart.plot.getBoundingClientRect().top - root.node.getBoundingClientRect().top + stage - root.panel.offsetHeight;
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
    if (link.dataset.section === open) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (root.sections.open !== open) requestAnimationFrame(() => showOpen(root.sections));
  root.sections.open = open;
}

// On a phone the row of sections is wider than the screen: the open one is brought into its middle.
function showOpen(row) {
  const link = row.querySelector("[aria-current]");
  if (!link) return;
  const [all, one] = [row, link].map((node) => node.getBoundingClientRect());
  row.scrollLeft += one.left + one.width / 2 - all.left - all.width / 2;
}

// The links to all pages carry the parameters that all pages share.
function followPages(address) {
  const nav = document.querySelector(".dp-pages"), open = new URL(address, location).searchParams;
  const links = [...(nav?.children ?? [])].map((link) => [link, new URL(link.href)]);
  const here = links.filter(([, to]) => to.pathname === location.pathname); // Start, and a section of it
  const current = here.find(([, to]) => to.searchParams.get("section") === open.get("section")) ?? here[0];
  for (const [link, to] of links) {
    for (const key of nav.dataset.shared.split(" ")) to.searchParams.set(key, open.get(key));
    if (link.href !== to.href) link.href = to.href;
    if (link === current?.[0]) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function showHead(head) {
  showWorking(head.working);
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
  showIncluded(head.included);
  lines(root.wrong, head.wrong);
  root.buttons.pin.hidden = head.pinned === null;
  root.buttons.pin.textContent = head.pinned ? "Unpin" : "Pin";
  root.buttons.pin.setAttribute("aria-pressed", String(Boolean(head.pinned)));
  root.buttons.present.textContent = head.present ? "Leave presentation" : "Present";
  for (const widget of root.widgets.values()) widget.refresh();
  showOffers(head.offers);
  followPages(head.link);
  followReport(head);
}

// Python sends the style with this engine, in an element that goes with its next answer.
document.head.append(document.querySelector(".stHtml > style").cloneNode(true));
(globalThis.dpStage ??= Promise.withResolvers()).resolve(drawStage);
loadPlotly().catch(() => {}); // Plotly comes while Python still computes
