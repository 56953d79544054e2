// A demonstration in front of a class: the bar of its step above the page, a question before each reveal, the keys.
import {addButton, addPopover} from "./buttons.js";
import {stage} from "./current_stage.js";
import {element, pause, setHtml} from "./dom.js";
import {goTo} from "./history.js";
import {isForField} from "./keyboard.js";
import {head} from "./page_state.js";
import {addCodePlace, requestCode} from "./qr_code.js";
import {required} from "./required.js";

/** @typedef {import("./types").Demonstration} Demonstration */

const PATIENCE = 15_000; // ms to wait for a step

/** @type {Map<string, {place: number, right: number, choice: string, rightChoice: string}>} By step: the answer; forgotten with the page. */
const answers = new Map();

/** @type {Set<string>} The steps whose question was asked: it is not on the screen before a key asks it. */
const asked = new Set();

/** @type {number | null} The place of the step that was requested last, until it is open. */
let nextStep = null;
let isTravelling = false;

/** The title of the demonstration that is open. */
let openTitle = "";

/** @param {HTMLElement} parent */
export function newLesson(parent) {
  const node = element("section", "dp-lesson"), header = element("div", "dp-lesson-head", node);
  parent.prepend(node);
  const title = element("strong", "", header), place = element("span", "dp-lesson-place", header);
  const back = element("a", "dp-lesson-back", header);
  element("span", "dp-lesson-keys", header).textContent = "→ asks, then goes on · ← back · 1 2 3 answers · Esc leaves";
  const tools = element("div", "dp-lesson-tools", header);
  const previous = addButton(tools, "←", () => goStep(-1));
  const next = addButton(tools, "→", () => goStep(1));
  previous.setAttribute("aria-label", "Previous step");
  next.setAttribute("aria-label", "Next step");
  const code = addButton(element("div", "dp-lesson-code", tools), "QR");
  code.setAttribute("aria-label", "QR code of this step");
  addPopover(code, (box, close) => {
    const link = stepLink(required(head.demo).place - 1);
    addCodePlace(box);
    element("p", "dp-done", box).textContent = link;
    addButton(box, "Close", close, "dp-entry-button");
    requestCode(link);
  });
  addButton(tools, "Leave", leaveLesson);
  back.textContent = "Back to the step";
  const text = element("div", "dp-lesson-text", node, {role: "status"});
  const quiz = element("div", "dp-lesson-quiz", node, {role: "group", "aria-label": "Question"});
  return {node, title, place, back, previous, next, text, quiz, quizId: ""};
}

/** @param {Demonstration | null} demo */
export function showLesson(demo) {
  const {lesson} = stage;
  lesson.node.hidden = !demo;
  stage.node.classList.toggle("dp-teaching", Boolean(demo));
  stage.node.dataset.step = demo?.key ?? "";
  if (!demo) return;
  if (openTitle !== demo.title || nextStep === demo.place - 1) nextStep = null;
  openTitle = demo.title;
  lesson.node.setAttribute("aria-label", `Demonstration: ${demo.title}`);
  lesson.title.textContent = demo.title;
  lesson.place.textContent = `${demo.place} of ${demo.links.length}`;
  lesson.back.hidden = !demo.moved;
  lesson.back.href = demo.links[demo.place - 1];
  lesson.previous.disabled = demo.place === 1;
  lesson.next.disabled = demo.place === demo.links.length;
  setHtml(lesson.text, verdict(demo) + demo.text);
  stage.node.classList.toggle("dp-asking", isAsking(demo) && !demo.moved);
  showQuiz(demo);
}

/**
 * Return whether the question of a step is on the screen; the answer of the page, which may tell, is then not.
 * @param {Demonstration} demo
 */
const isAsking = ({key, quiz}) => Boolean(quiz) && (asked.has(key) || answers.has(key));

/**
 * Return the result of the question of the previous step, if it was answered.
 * @param {Demonstration} demo
 */
function verdict(demo) {
  const answer = answers.get(`${demo.key.replace(/\d+$/, "")}${demo.place - 1}`);
  if (!answer) return "";
  const isRight = answer.place === answer.right;
  const line = element("p", isRight ? "dp-lesson-right" : "dp-lesson-wrong");
  line.textContent = isRight ? "✓ Right." : `✗ Not “${answer.choice}”, but “${answer.rightChoice}”.`;
  return line.outerHTML;
}

/** @param {Demonstration} demo */
function showQuiz(demo) {
  const {key, quiz} = demo, {lesson} = stage, node = lesson.quiz, isOpen = isAsking(demo);
  const id = `${key} ${isOpen} ${answers.get(key)?.place}`;
  node.hidden = !quiz;
  if (!quiz || lesson.quizId === id) return;
  lesson.quizId = id;
  node.replaceChildren();
  if (!isOpen) return void addButton(node, "Ask the class", ask);
  element("p", "", node).textContent = quiz.question;
  const row = element("div", "dp-lesson-choices", node);
  quiz.choices.forEach((choice, place) => {
    const button = addButton(row, "", () => choose(place));
    element("kbd", "", button).textContent = String(place + 1);
    button.append(` ${choice}`);
    button.setAttribute("aria-pressed", String(answers.get(key)?.place === place));
  });
}

/**
 * Answer the question, which reveals the next step with the right answer.
 * @param {number} place
 */
function choose(place) {
  const {key, quiz} = required(head.demo);
  if (!quiz?.choices[place] || nextStep !== null) return;
  answers.set(key, {place, right: quiz.right, choice: quiz.choices[place], rightChoice: quiz.choices[quiz.right]});
  goStep(1);
}

/** Show the question of the step. */
function ask() {
  const demo = required(head.demo);
  asked.add(demo.key);
  showLesson(demo);
}

/** @param {number} at */
const stepLink = (at) => new URL(required(head.demo).links[at], location.href).href;

/**
 * Go to another step; forward only after the question was asked.
 * @param {number} by
 */
function goStep(by) {
  const demo = required(head.demo), {place, links} = demo;
  if (by > 0 && nextStep === null && demo.quiz && !isAsking(demo)) return ask();
  const at = (nextStep ?? place - 1) + by;
  if (!links[at]) return;
  nextStep = at;
  if (!isTravelling) void travel();
}

/** Go from step to step until the last requested one is open. */
async function travel() {
  isTravelling = true;
  const goal = nextStep;
  if (goal !== null && head.demo) {
    void goTo(stepLink(goal));
    for (let waited = 0; head.demo?.place !== goal + 1 && waited < PATIENCE; waited += 20) await pause(20);
  }
  isTravelling = false;
  if (nextStep !== null && nextStep !== goal) void travel();
}

/** Return to the list of demonstrations, from which this one was opened. */
function leaveLesson() {
  nextStep = null;
  void goTo(new URL(required(head.demo).classroom, location.href).href);
}

/**
 * Step by the arrow keys and by the page keys of a presenter's remote control, and answer by digits.
 * @param {KeyboardEvent} event
 */
function followKey(event) {
  if (!head?.demo || !stage || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isForField(event)) return;
  const by = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1}[event.key];
  if (by) goStep(by);
  else if (/^[1-4]$/.test(event.key)) choose(Number(event.key) - 1);
  else if (event.key === "Escape") leaveLesson();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Return the focus to the demonstration after a field was moved by mouse or finger.
 * @param {MouseEvent} event
 */
function blurField(event) {
  if (!head?.demo || event.detail === 0) return;
  setTimeout(() => {
    const field = /** @type {HTMLElement | null} */ (document.activeElement);
    if (field?.matches("[type=range], [type=radio], .dp-handle")) field.blur();
  });
}

export function startClassroom() {
  addEventListener("keydown", followKey, true);
  addEventListener("click", blurField);
}
