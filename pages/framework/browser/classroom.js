// A demonstration in front of a class: the bar of its step above the page, a question before each reveal, a picture that
// moves, the keys.
import {redrawAll} from "../chart/chart.js";
import {addButton, addPopover} from "./buttons.js";
import {baseAddress} from "./citation.js";
import {stage} from "./current_stage.js";
import {element, pause, setHtml} from "./dom.js";
import {change, drawnChange, setHeld} from "./edits.js";
import {goTo} from "./history.js";
import {isForField} from "./keyboard.js";
import {head} from "./page_state.js";
import {moveParameter, textOf} from "./parameters.js";
import {releaseParameter} from "./prefetch.js";
import {addCodePlace, addLocalNote, requestCode} from "./qr_code.js";
import {required} from "./required.js";
import {askOnPhones, followVotes, forgetVotes, votesOn} from "./room_votes.js";

/** @typedef {import("./types").Demonstration} Demonstration */

const PATIENCE = 15_000; // ms to wait for a step
const SWEEP = 5000, SHORTEST_FRAME = 90, LONGEST_FRAME = 600; // ms of a picture that moves, and of each of its settings; late ones are left out
const MOST_FRAMES = 24;

/** @type {Map<string, {place: number, isRight: boolean | null, line: string}>} By step: the answer; forgotten when the demonstration is left. */
const answers = new Map();

/** @type {Map<string, string>} By step: its question, once that was asked: it is not on the screen before a key asks it. */
const asked = new Map();

/** @type {number | null} The place of the step that was requested last, until it is open. */
let nextStep = null;
let isTravelling = false;

/** The title of the demonstration that is open. */
let openTitle = "";

/** The height of the last question, which the end of the demonstration keeps free, so that the picture keeps its place. */
let questionHeight = "";

/** The name of the first step of the demonstration that was left, until the focus is on its link. */
let leftStep = "";

/** The step that is open; empty without a demonstration. */
let openStep = "";

/** The step whose picture moves; empty while none does. */
let moving = "";

/** How often a picture was set in motion: a motion ends when the next one begins, though it still waits for its setting. */
let lastMotion = 0;

/** By key of the keyboard: how a question is asked on phones, which stands among the tools, as it is no answer. */
const ROOM_KEYS = [
  ["p", "", "Ask on phones", "Asks it at once in the room of the class, in another tab, where C closes the round and P leads back. At ε = 1 a vote needs some 100 students"],
  ["n", "ask_exactly", "Without noise", "Asks it on phones, of which each sends its answer as it is: for a small class"],
];

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {HTMLElement} parent */
export function newLesson(parent) {
  const node = element("section", "dp-lesson"), header = element("div", "dp-lesson-head", node);
  parent.prepend(node);
  const title = element("strong", "", header), place = element("span", "dp-lesson-place", header);
  const back = element("a", "dp-lesson-back", header);
  const tools = element("div", "dp-lesson-tools", header);
  const rooms = ROOM_KEYS.map(([key, how, name, title]) => {
    const button = addKeyButton(tools, name, key.toUpperCase(), () => askOnPhones(required(head.demo?.quiz).room, how));
    button.title = title;
    button.classList.add("dp-room-key");
    return {key, button};
  });
  const play = addKeyButton(tools, "Play", "space", () => void playOrPause()), fields = addKeyButton(tools, "Fields", "F", showFieldsOrPicture);
  play.title = "Move to this setting (space)";
  fields.title = "The fields and the answer of the page (F)";
  const previous = addButton(tools, "←", () => goStep(-1));
  const next = addButton(tools, "→", () => goStep(1));
  previous.setAttribute("aria-label", "Previous step");
  next.setAttribute("aria-label", "Next step");
  const code = addKeyButton(element("div", "dp-lesson-code", tools), "QR", "Q");
  code.setAttribute("aria-label", "QR code of this step");
  code.title = "QR code of this step (Q)";
  addPopover(code, (box, close) => {
    const {code, links, place} = required(head.demo), link = `${baseAddress()}/${(code || links[place - 1]).slice(2)}`;
    element("p", "", box).textContent = "This step on a phone; it is not the vote, which P opens.";
    addCodePlace(box);
    element("p", "dp-done", box).textContent = link;
    addLocalNote(box, link);
    addButton(box, "Close", close, "dp-entry-button");
    requestCode(link);
  });
  element("kbd", "", tools).textContent = "F11 full screen";
  addKeyButton(tools, "Leave", "Esc", leaveLesson);
  back.textContent = "Back to the step";
  const text = element("div", "dp-lesson-text", node, {role: "status"});
  const quiz = element("div", "dp-lesson-quiz", node, {role: "group", "aria-label": "Question"});
  return {node, title, place, back, rooms, play, fields, previous, next, code, text, quiz, quizId: ""};
}

/**
 * Add a button whose key stands beside its name in a presentation.
 * @param {Element} host
 * @param {string} name
 * @param {string} key
 * @param {(() => unknown) | null} [act]
 */
function addKeyButton(host, name, key, act = null) {
  const button = addButton(host, name, act);
  element("kbd", "", button, {"aria-hidden": "true"}).textContent = key;
  return button;
}

/** @param {Demonstration | null} demo */
export function showLesson(demo) {
  const {lesson} = stage;
  lesson.node.hidden = !demo;
  if (moving !== demo?.key) moving = "";
  if (openTitle !== (demo?.title ?? "")) forgetAnswers();
  if (openStep !== (demo?.key ?? "")) answers.delete(demo?.key ?? ""); // a class that comes back to a question votes anew
  openStep = demo?.key ?? "";
  stage.node.classList.toggle("dp-teaching", Boolean(demo));
  stage.node.dataset.step = demo?.key ?? "";
  openTitle = demo?.title ?? "";
  if (!demo) return;
  if (nextStep === demo.place - 1) nextStep = null;
  lesson.node.setAttribute("aria-label", `Demonstration: ${demo.title}`);
  lesson.title.textContent = demo.title;
  lesson.place.textContent = `${demo.place} of ${demo.links.length}`;
  lesson.back.hidden = !demo.moved || Boolean(moving);
  lesson.back.href = demo.links[demo.place - 1];
  lesson.previous.disabled = demo.place === 1;
  lesson.next.disabled = demo.place === demo.links.length && (!demo.quiz || isAsking(demo));
  for (const {button} of lesson.rooms) button.hidden = !isAsking(demo) || !demo.quiz?.room;
  lesson.play.hidden = !demo.sweep || isStill() || isAsking(demo);
  required(lesson.play.firstChild).textContent = moving ? "Pause" : "Play";
  lesson.fields.setAttribute("aria-pressed", String(stage.node.classList.contains("dp-with-fields")));
  setHtml(lesson.text, verdict(demo) + classVotes(demo) + demo.text);
  const isElsewhere = demo.moved && !moving; // its numbers are those of the step, to which the picture moves
  lesson.text.style.visibility = isElsewhere ? "hidden" : ""; // it keeps its place
  stage.node.classList.toggle("dp-asking", isAsking(demo) && !demo.moved);
  showQuiz(demo);
}

/** Once the list of demonstrations is drawn, give the focus to the link of the one that was left. */
export function focusLeftDemonstration() {
  const link = /** @type {HTMLElement | null} */ (leftStep && !head.demo && stage.node.querySelector(`a[href*="demo=${leftStep}&"]`));
  if (!link) return;
  leftStep = "";
  link.focus();
}

/** Forget what was asked and answered: whoever presents it again, or another one, begins anew. */
function forgetAnswers() {
  answers.clear();
  asked.clear();
  forgetVotes();
  questionHeight = "";
  nextStep = null;
}

/**
 * Return whether the question of a step is on the screen; the answer of the page, which may tell, is then not.
 * @param {Demonstration} demo
 */
const isAsking = ({key, quiz}) => Boolean(quiz) && (asked.has(key) || answers.has(key));

/**
 * Return the result of the question of the previous step, or of the last one, if it was answered and has a right answer.
 * @param {Demonstration} demo
 */
function verdict(demo) {
  const asking = demo.key.replace(/\d+$/, String(demo.place - 1)), isLast = demo.place === demo.links.length;
  const answer = (isLast && answers.get(demo.key)) || (isAsking(demo) ? undefined : answers.get(asking)); // it goes when the class is asked anew
  if (!answer || answer.isRight === null) return "";
  const line = element("p", answer.isRight ? "dp-lesson-right" : "dp-lesson-wrong");
  line.textContent = answer.line;
  return line.outerHTML;
}

/**
 * Return what the phones of the class sent, where the question of the previous step, or of the last one, was asked on them.
 * @param {Demonstration} demo
 */
function classVotes(demo) {
  const isEnd = demo.place === demo.links.length && answers.has(demo.key);
  const key = isEnd ? demo.key : demo.key.replace(/\d+$/, String(demo.place - 1)), words = votesOn(asked.get(key) ?? "");
  if (!words) return "";
  const line = element("p", "dp-lesson-votes");
  line.textContent = words;
  return line.outerHTML;
}

/** @param {Demonstration} demo */
function showQuiz(demo) {
  const {key, quiz} = demo, {lesson} = stage, node = lesson.quiz, isOpen = isAsking(demo);
  const id = `${key} ${isOpen} ${answers.get(key)?.place}`;
  const isEnd = !quiz && demo.place === demo.links.length;
  node.hidden = !quiz && !isEnd;
  if (lesson.quizId === id) return;
  lesson.quizId = id;
  if (isEnd) {
    node.replaceChildren();
    node.style.minHeight = questionHeight;
    element("p", "", node).textContent = "The end of the demonstration.";
  }
  if (!quiz) return;
  fillQuiz(demo);
  if (isOpen) return;
  node.style.minHeight = ""; // the picture below keeps its place when the question appears
  questionHeight = `${node.offsetHeight}px`;
  node.style.minHeight = questionHeight;
  node.replaceChildren();
  addButton(node, "Show the question", ask);
}

/**
 * Fill in the question and its answers.
 * @param {Demonstration} demo
 */
function fillQuiz({key, quiz}) {
  const {quiz: node} = stage.lesson, {question, choices} = required(quiz);
  node.replaceChildren();
  element("p", "", node).textContent = question;
  const row = element("div", "dp-lesson-choices", node);
  choices.forEach((choice, place) => {
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
  const demo = required(head.demo), {key, quiz} = demo, choice = quiz?.choices[place];
  if (!quiz || choice === undefined || nextStep !== null || !isAsking(demo)) return;
  const isRight = quiz.right === null ? null : place === quiz.right;
  const line = isRight ? "✓ Right." : `✗ Not “${choice}”, but “${quiz.choices[quiz.right ?? 0]}”.`;
  answers.set(key, {place, isRight, line});
  showLesson(demo);
  goStep(1);
}

/** Show the question of the step. */
function ask() {
  const demo = required(head.demo);
  asked.set(demo.key, required(demo.quiz).question);
  showLesson(demo);
}

/** Show the fields and the answer of the page beside the picture, or the picture alone. */
function showFieldsOrPicture() {
  stage.node.classList.toggle("dp-with-fields");
  showLesson(head.demo);
  redrawAll((chart) => Boolean(chart.height));
}

/** Move the picture to the setting of the step, one setting of the page after the other, or pause. */
async function playOrPause() {
  const demo = required(head.demo), {key, sweep} = demo, steps = sweep && stage.fields[sweep.key]?.steps;
  if (!sweep || !steps || isStill() || isAsking(demo)) return;
  if (moving) return pausePlay();
  const ends = [Number(sweep.start), Number(sweep.end)], low = Math.min(...ends), high = Math.max(...ends);
  const within = steps.filter((step) => Number(step) > low && Number(step) < high), stride = Math.ceil(within.length / MOST_FRAMES);
  const between = within.filter((_, place) => place % stride === 0);
  const frames = [sweep.start, ...(ends[0] < ends[1] ? between : between.reverse()), sweep.end];
  const at = frames.indexOf(textOf(sweep.key)), rest = at < frames.length - 1 ? frames.slice(at + 1) : frames;
  const motion = ++lastMotion;
  moving = key;
  showLesson(demo);
  setHeld(true); // one step of the history
  stage.controls.addEventListener("pointerdown", pausePlay, {once: true});
  const lasting = Math.min(Math.max(SWEEP / frames.length, SHORTEST_FRAME), LONGEST_FRAME), start = performance.now();
  for (let place = 0; place < rest.length; place = Math.max(place + 1, Math.min(Math.floor((performance.now() - start) / lasting), rest.length - 1))) {
    if (motion !== lastMotion || moving !== key || head.demo?.key !== key) return;
    moveParameter(sweep.key, rest[place]);
    await pause(lasting);
    for (let waited = 0; drawnChange < change && waited < PATIENCE; waited += 20) await pause(20);
  }
  if (motion === lastMotion && moving === key) pausePlay();
}

/** Keep the picture at the setting at which it is. */
function pausePlay() {
  const {sweep} = required(head.demo);
  moving = "";
  if (sweep) releaseParameter(sweep.key);
  showLesson(head.demo);
}

/** @param {number} at */
const stepLink = (at) => new URL(required(head.demo).links[at], location.href).href;

/**
 * Go to another step; forward only after the question was asked.
 * @param {number} by
 */
function goStep(by) {
  const demo = required(head.demo), {place, links} = demo;
  if (moving) pausePlay();
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
  moving = "";
  leftStep = required(head.demo).key.replace(/\d+$/, "1");
  void goTo(new URL(required(head.demo).classroom, location.href).href);
}

/**
 * Step by the arrow keys and by the page keys of a presenter's remote control, answer by digits, play and show the fields.
 * @param {KeyboardEvent} event
 */
function followKey(event) {
  if (!head?.demo || !stage || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const isCodeKey = event.key === "q" && (!isForField(event) || Boolean(/** @type {Element} */ (event.target).closest(".dp-lesson-code")));
  if (!isCodeKey && isForField(event)) return;
  const by = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1}[event.key];
  if (by) goStep(by);
  else if (/^[1-4]$/.test(event.key)) choose(Number(event.key) - 1);
  else if (event.key === "Escape") leaveLesson();
  else if (event.key === "f") showFieldsOrPicture();
  else if (/^[pn]$/.test(event.key) && isAsking(head.demo)) askByKey(event.key);
  else if (isCodeKey) stage.lesson.code.click();
  else if (event.key === " " && head.demo.sweep && !(/** @type {Element} */ (event.target).closest?.("button, a, summary"))) void playOrPause();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {string} key */
function askByKey(key) {
  const room = stage.lesson.rooms.find((way) => way.key === key);
  if (!room?.button.hidden) room?.button.click();
}

/**
 * Return the focus to the demonstration after a field was moved by mouse or finger.
 * @param {MouseEvent} event
 */
function blurField(event) {
  if (!head?.demo || event.detail === 0) return;
  setTimeout(() => {
    const field = /** @type {HTMLElement | null} */ (document.activeElement);
    if (field?.matches("[type=range], [type=radio], .dp-handle, .dp-lesson-tools > .dp-tool")) field.blur();
  });
}

export function startClassroom() {
  addEventListener("keydown", followKey, true);
  addEventListener("click", blurField);
  followVotes(() => head?.demo && stage && showLesson(head.demo));
}
