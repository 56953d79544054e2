// The stage: the question, the answer, the parameters and the parts of a page, as Python describes them at every run.
import {newAnswerPanel, showAnswerButtons, showPanel} from "./answer_buttons.js";
import {addButton} from "./buttons.js";
import {newLesson} from "./classroom.js";
import {refreshConditions, showConditions} from "./conditions.js";
import {stage} from "./current_stage.js";
import {element, setHtml} from "./dom.js";
import {changesElsewhere, showFields} from "./fields.js";
import {refitLead} from "./lead_chart.js";
import {fitSheet, newMoreSettings, openWhereProblem, showMoreSettings} from "./more_settings.js";
import {showIncludedData} from "./own_data.js";
import {unpack} from "./packing.js";
import {head} from "./page_state.js";
import {refreshFields} from "./parameters.js";
import {removePart, showParts} from "./parts.js";
import {showPresentation} from "./presentation.js";
import {newProgress, showProgress} from "./progress.js";
import {addToReport, followReport, isReport} from "./report.js";
import {required} from "./required.js";
import {followNavigation, newSections, showSections} from "./sections.js";
import {addToolbar} from "./toolbar.js";

/** @typedef {import("./current_stage.js").Stage} Stage */

/**
 * Make the elements of a stage; the state of each part belongs to its module.
 * @param {HTMLElement} parent
 */
export function newStage(parent) {
  const node = element("div", "dp-stage dp-without-lead", parent), top = element("div", "dp-top", node);
  const question = element("h1", "dp-question", top), lesson = newLesson(node);
  const notices = element("div", "dp-notices st-key-link_notice", node, {role: "status"});
  const answer = element("div", "dp-answer st-key-answer", node);
  const answerText = element("div", "dp-answer-text", answer), tools = element("span", "dp-answer-tools", answer);
  const answerButtons = element("span", "dp-answer-buttons", tools);
  const adder = addButton(tools, "Add to report", () => addToReport("answer", answer), "dp-menu");
  const conditions = element("div", "dp-conditions", answer, {role: "group", "aria-label": "Conditions of this answer"});
  const changes = element("div", "dp-changes", answer, {role: "status"}); // in the box, which keeps its height without them
  const progress = newProgress(answer);
  const problems = element("div", "dp-problems", answer, {role: "status"});
  const bar = element("div", "dp-bar", node), sections = newSections(bar);
  const showToolbar = addToolbar(element("div", "dp-tools", bar));
  const lead = element("div", "dp-lead", node);
  const controls = element("div", "dp-controls", lead, {role: "group", "aria-label": "Parameters"});
  const knownFields = element("div", "dp-known-fields", controls), moreSettings = newMoreSettings(controls);
  const first = element("div", "dp-first", lead), panel = newAnswerPanel(node, first, answerButtons);
  const sizes = new ResizeObserver(() => stage?.first === first && followSizes()); // a picture is drawn after its fields
  for (const part of [notices, answer, first, controls]) sizes.observe(part);
  return {
    node, question, lesson, notices, answerText, conditions, changes, progress, problems, panel, adder, sections, showToolbar, controls,
    knownFields, moreSettings, first,
    below: element("div", "dp-rest", node),
    foot: newFoot(node),
    fields: /** @type {Record<string, import("./types").Field>} */ ({}),
    /** @type {Map<string, {refresh: () => void}>} */
    widgets: new Map(),
    /** @type {Map<string, import("./types").PartView>} */
    parts: new Map(),
    shownView: "",
    /** @type {import("./stage_cache.js").CachedStage | undefined} */
    drawn: undefined,
    drawnUnder: "",
  };
}

/**
 * Make the line at the foot of a printed page: a link in words, and the address for paper.
 * @param {HTMLElement} node
 */
function newFoot(node) {
  const foot = element("p", "dp-foot", node);
  element("a", "", foot).textContent = "Open in the Explorer";
  foot.append(" ");
  return foot;
}

/** @param {Stage} old */
export function closeStage(old) {
  for (const view of old.parts.values()) removePart(view);
  old.node.remove();
}

/**
 * Draw the stage at a setting from its bytes; of one that is drawn already only what Python answers besides is shown, since
 * the answer to a move often brings the stage that the browser drew when it was made.
 * @param {import("./stage_cache.js").CachedStage | undefined} cached
 */
export function showStage(cached) {
  if (!cached || !stage) return;
  const under = JSON.stringify([head.page, head.section, head.present, head.demo]); // what the parts read beside their own
  if (stage.drawn === cached && stage.drawnUnder === under) {
    refreshConditions(stage.conditions);
    return showPanel();
  }
  stage.drawn = cached;
  stage.drawnUnder = under;
  /** @type {import("./types").StageContent} */
  const content = unpack(cached.bytes);
  stage.fields = content.fields;
  stage.shownView = cached.view;
  setHtml(stage.answerText, content.answer.join(""));
  showConditions(stage.conditions, content.conditions ?? {lead: "", items: []});
  stage.adder.hidden = isReport() || Boolean(content.isAsking) || !content.parts.length; // nothing to add without an answer
  showAnswerButtons(content.answerButtons ?? {});
  showSections(content.tabs ?? [], content.section);
  showFields(stage.knownFields, content.controls);
  showMoreSettings(stage.moreSettings, content.moreSettings ?? {keys: [], changed: 0});
  stage.controls.hidden = stage.knownFields.hidden && stage.moreSettings.node.hidden;
  showSentences(stage.changes, changesElsewhere());
  chooseAnswerHeight(content.section);
  showParts(content.parts, content.isLeadMissing);
  for (const key of Object.keys(stage.fields)) refreshFields(key);
  showProblems();
  fitSheet();
}

const PHONE = 640, LINE = 25, USUAL = 143; // px: the widest phone, a line of the answer, and a box of three with conditions

/**
 * Give the box of the answer at a new layout of the page its height, and a short one room for one more line, so that the
 * picture below keeps its place when another setting has more lines.
 * @param {string | undefined} section
 */
function chooseAnswerHeight(section) {
  const {node, conditions} = stage, box = answerBox();
  const layout = [innerWidth, head.page, section, head.present, node.dataset.step].join();
  if (box.dataset.layout === layout) return;
  box.dataset.layout = layout;
  box.style.minHeight = "";
  const height = box.offsetHeight, hasRoom = innerWidth > PHONE && !conditions.hidden && !head.present;
  box.style.minHeight = `${hasRoom ? Math.max(height, Math.min(height + LINE, USUAL)) : height}px`;
}

const answerBox = () => required(stage.answerText.parentElement);

/** Follow the sizes that the browser has laid out: the answer keeps the height of the tallest of its section. */
function followSizes() {
  const box = answerBox(), height = box.offsetHeight;
  if (!stage.problems.childElementCount && height > parseFloat(box.style.minHeight || "0")) box.style.minHeight = `${height}px`;
  fitSheet();
  refitLead();
}

/**
 * Show a list of sentences, which is hidden while it has none.
 * @param {HTMLElement} node
 * @param {string[]} sentences
 */
function showSentences(node, sentences) {
  node.hidden = sentences.length === 0;
  node.replaceChildren(...sentences.map((sentence) => Object.assign(element("p"), {textContent: sentence})));
}

/** Show the sentences on texts that cannot be used, but for those that stand below their fields. */
function showProblems() {
  const said = Object.entries(head.entered).filter(([key]) => stage.node.querySelector(`[data-key="${key}"]`)?.getClientRects().length);
  showSentences(stage.problems, head.problems.filter((sentence) => !said.some(([, [, problem]]) => problem === sentence)));
}

/**
 * Show the parts of a response outside the stage.
 * @param {import("./types").Head} head
 */
export function showHead(head) {
  showProgress(head.working);
  stage.question.textContent = head.question;
  stage.node.classList.toggle("dp-dark", head.dark);
  showPresentation(head.present);
  showSentences(stage.notices, head.notices);
  showSentences(stage.changes, changesElsewhere());
  showIncludedData(head.included);
  stage.showToolbar();
  for (const widget of stage.widgets.values()) widget.refresh();
  openWhereProblem(stage.moreSettings);
  showProblems();
  fitSheet();
  followNavigation(head.link);
  followReport();
}
