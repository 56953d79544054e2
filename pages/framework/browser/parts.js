// The parts of a stage: charts, tables, text, fields, and parts that contain others. Each has the same element at all
// settings.
import {closeChart, newChart, reachForStep, setChart} from "../chart/chart.js";
import {hideForStep} from "../chart/legend.js";
import {showArticles} from "./articles.js";
import {addButton} from "./buttons.js";
import {baseAddress} from "./citation.js";
import {addCopyButton} from "./clipboard.js";
import {stage} from "./current_stage.js";
import {element, setHtml} from "./dom.js";
import {showFields} from "./fields.js";
import {showInvitation} from "./invitation.js";
import {leadHeight} from "./lead_chart.js";
import {head} from "./page_state.js";
import {fieldOf, moveParameter, setParameters, textOf, valueOf} from "./parameters.js";
import {prefetch, releaseParameter} from "./prefetch.js";
import {showFiles, showItem} from "./report.js";
import {required} from "./required.js";
import {showExhibitMenu} from "./toolbar.js";
import {send} from "./transport.js";

/** @typedef {import("./types").Part} Part */
/** @typedef {import("./types").PartView} PartView */

/** @type {import("./types").Controls} */
const controls = {
  field: fieldOf, text: textOf, value: valueOf, move: moveParameter, release: releaseParameter, set: setParameters, prefetch,
};

/**
 * Show the parts of a stage: the first one is the lead if it is or begins with a chart or a table. Where there are none, or no
 * lead, as in a setting without an answer, its place stays, so that the fields stay in theirs.
 * @param {Part[]} parts
 * @param {boolean} [isLeadMissing]
 */
export function showParts(parts, isLeadMissing = false) {
  parts = withStepPicture(parts, head.demo?.picture ?? "");
  const first = parts[0]?.kind === "side-by-side" ? parts[0].parts?.[0] : parts[0], used = new Set();
  const hasLead = ["chart", "table"].includes(first?.kind ?? "");
  stage.node.classList.toggle("dp-without-lead", !hasLead && !isLeadMissing && parts.length > 0);
  arrange(stage.first, hasLead ? parts.slice(0, 1) : [], used, "lead");
  arrange(stage.below, hasLead ? parts.slice(1) : parts, used, "part");
  for (const [id, view] of stage.parts) {
    if (used.has(id)) continue;
    removePart(view);
    stage.parts.delete(id);
  }
}

/**
 * Return the parts in which the picture of a step of a demonstration and the first part have changed places.
 * @param {Part[]} parts
 * @param {string} name
 */
function withStepPicture(parts, name) {
  /** @type {(parts: Part[]) => Part | undefined} */
  const find = (within) => within.map((part) => (part.kind === "chart" && part.name === name ? part : find(part.parts ?? []))).find(Boolean);
  const first = parts[0], picture = find(parts);
  if (!picture) return parts;
  /** @type {(part: Part) => Part} */
  const exchange = (part) => (part === picture ? first : part === first ? picture : part.parts ? {...part, parts: part.parts.map(exchange)} : part);
  return parts.map(exchange);
}

/** @param {PartView} view */
export function removePart(view) {
  if (view.chart) closeChart(view.chart);
  view.node.remove();
}

/**
 * Show parts in a host, in their order; `used` collects the names of the parts in use.
 * @param {Element} host
 * @param {Part[]} parts
 * @param {Set<string>} used
 * @param {string} prefix
 */
function arrange(host, parts, used, prefix) {
  parts.forEach((part, place) => {
    const id = part.name ? `${part.kind}_${part.name}` : `${prefix}_${part.kind}_${place}`;
    used.add(id);
    let view = stage.parts.get(id);
    if (!view || view.host !== host) {
      if (view) removePart(view);
      view = {host, node: element("div", `dp-part dp-${part.kind}`)};
      stage.parts.set(id, view);
    }
    if (host.children[place] !== view.node) host.insertBefore(view.node, host.children[place] ?? null);
    showPart(view, part, used, id);
  });
}

/**
 * @param {PartView} view
 * @param {Part} part
 * @param {Set<string>} used
 * @param {string} id
 */
function showPart(view, part, used, id) {
  if (part.kind === "words") return setHtml(view.node, part.html);
  if (part.kind === "fields") return showFieldsPart(view, part);
  if (part.kind === "item") return showItem(view, part, (host) => arrange(host, part.parts ?? [], used, id));
  if (part.kind === "articles") return showArticles(view, part);
  if (part.kind === "invitation") return showInvitation(view, part);
  if (part.kind === "downloads") return showDownloads(view, part);
  if (part.kind === "call") return showCall(view, part);
  if (part.kind === "files") return showFiles(view, /** @type {any} */ (part));
  if (["side-by-side", "cards"].includes(part.kind)) {
    view.node.classList.toggle("dp-several", (part.parts ?? []).length > 2);
    return arrange(view.node, part.parts ?? [], used, id);
  }
  if (part.kind === "fold") return showFold(view, part, used, id);
  if (part.kind === "card") return showCard(view, part, used, id);
  if (part.kind === "table") {
    view.table ??= element("div", "", view.node);
    setHtml(view.table, part.html);
  } else {
    view.chart ??= newChart(view.node, controls);
    hideForStep(view.chart, head.demo);
    if (stage.first.contains(view.host)) reachForStep(view.chart, required(part.figure), head.demo);
    setChart(view.chart, part, {dark: head.dark, height: stage.first.contains(view.host) ? leadHeight : null});
  }
  showExhibitMenu(view, part);
}

/**
 * Show fields, and below them the button that says that they are filled in, where they have one.
 * @param {PartView} view
 * @param {Part} part
 */
function showFieldsPart(view, part) {
  view.part = part;
  showFields(view.node, part.keys);
  if (!part.done) return view.button?.remove();
  view.node.hidden = false; // a button without fields
  view.button ??= addButton(view.node, "", () => {
    const [key, text] = view.part?.done ?? [];
    if (key) setParameters({[key]: text});
  }, "dp-tool dp-done");
  if (view.node.lastElementChild !== view.button) view.node.append(view.button); // after new fields
  view.button.textContent = part.done[2];
}

/**
 * Show buttons for files that the server makes, such as a program.
 * @param {PartView} view
 * @param {Part} part
 */
function showDownloads(view, part) {
  const text = JSON.stringify(part.files);
  if (view.text === text) return; // else a button would lose the focus
  view.text = text;
  view.bar ??= element("div", "dp-files", view.node);
  view.bar.replaceChildren();
  for (const [name, label] of part.files) {
    addButton(view.bar, label, () => send({download: name, at: baseAddress(), how: "none"}), "dp-entry-button");
  }
}

/**
 * Show a command to paste in a terminal, with a button that copies it.
 * @param {PartView} view
 * @param {Part} part
 */
function showCall(view, part) {
  if (!view.code) {
    view.code = element("code", "", element("pre", "", view.node));
    addCopyButton(view.node, "Copy", () => view.code.textContent, "The command is copied.");
  }
  view.code.textContent = part.text;
}

/**
 * Show parts that are folded under a name, which the user opens; what was opened stays open. A late one has none until then.
 * @param {PartView} view
 * @param {Part} part
 * @param {Set<string>} used
 * @param {string} id
 */
function showFold(view, part, used, id) {
  view.part = part;
  if (!view.details) {
    view.details = element("details", "", view.node);
    view.summary = element("summary", "", view.details);
    view.content = element("div", "", view.details);
    view.details.addEventListener("toggle", () => {
      if (view.details.open && view.part?.isLate && !view.part.parts?.length) send({how: "none"});
    });
  }
  view.details.classList.toggle("dp-late", Boolean(part.isLate));
  view.summary.textContent = part.name;
  arrange(view.content, part.parts ?? [], used, id);
}

/**
 * Show a card: a question as a link, its picture, and a sentence on the picture.
 * @param {PartView} view
 * @param {Part} part
 * @param {Set<string>} used
 * @param {string} id
 */
function showCard(view, part, used, id) {
  view.link ??= element("a", "", element("h2", "dp-card-question", view.node));
  view.picture ??= element("div", "dp-card-picture", view.node);
  view.text ??= element("div", "dp-card-text", view.node);
  view.link.href = part.link;
  view.link.textContent = part.question;
  setHtml(view.text, part.html);
  arrange(view.picture, part.parts ?? [], used, id);
}
