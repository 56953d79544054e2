// A demonstration in front of a class: the bar of its step above the page, a question before each reveal, the keys.
const chosen = new Map(); // of a step: the answer that was chosen; forgotten with the page
const lesson = {at: null, of: null, going: false}; // the step that was asked for last, while it is on its way

function newLesson(parent) {
  const node = element("section", "dp-lesson"), head = element("div", "dp-lesson-head", node);
  parent.prepend(node);
  const part = {node, title: element("strong", "", head), place: element("span", "dp-lesson-place", head), back: element("a", "dp-lesson-back", head)};
  element("span", "dp-lesson-keys", head).textContent = "← → steps · 1 2 3 answers · Esc leaves";
  const tools = element("div", "dp-lesson-tools", head);
  part.before = toolButton(tools, "←", () => goStep(-1));
  part.next = toolButton(tools, "→", () => goStep(1));
  part.before.setAttribute("aria-label", "Previous step");
  part.next.setAttribute("aria-label", "Next step");
  const code = toolButton(element("div", "dp-lesson-code", tools), "QR");
  code.setAttribute("aria-label", "QR code of this step");
  popover(code, (box, close) => {
    const link = stepLink(told.head.demo.place - 1);
    root.code = element("div", "dp-code", box);
    element("p", "dp-done", box).textContent = link;
    toolButton(box, "Close", close, "dp-entry-button");
    ask({qr: link});
  });
  toolButton(tools, "Leave", leaveLesson);
  part.back.textContent = "Back to the step";
  part.said = element("div", "dp-lesson-said", node, {role: "status"});
  part.quiz = element("div", "dp-lesson-quiz", node, {role: "group", "aria-label": "Question"});
  return part;
}

function showLesson(demo) {
  const {lesson: part} = root;
  part.node.hidden = !demo;
  root.node.classList.toggle("dp-teaching", Boolean(demo));
  root.node.dataset.step = demo?.key ?? "";
  if (!demo) return;
  if (lesson.of !== demo.title || lesson.at === demo.place - 1) lesson.at = null;
  lesson.of = demo.title;
  part.node.setAttribute("aria-label", `Demonstration: ${demo.title}`);
  part.title.textContent = demo.title;
  part.place.textContent = `${demo.place} of ${demo.links.length}`;
  part.back.hidden = !demo.moved;
  part.back.href = demo.links[demo.place - 1];
  part.before.disabled = demo.place === 1;
  part.next.disabled = demo.place === demo.links.length;
  setHtml(part.said, verdict(demo) + demo.said);
  showQuiz(part.quiz, demo);
}

// What became of the question on this step, where one was answered.
function verdict(demo) {
  const answer = chosen.get(`${demo.key.replace(/\d+$/, "")}${demo.place - 1}`);
  if (!answer) return "";
  const [mark, words] = answer.place === answer.right ? ["✓", "Right."] : ["✗", `Not “${answer.words}”, but “${answer.rightly}”.`];
  const line = element("p", answer.place === answer.right ? "dp-lesson-right" : "dp-lesson-wrong");
  line.textContent = `${mark} ${words}`;
  return line.outerHTML;
}

function showQuiz(node, {key, quiz}) {
  node.hidden = !quiz;
  const id = `${key} ${chosen.get(key)?.place}`;
  if (!quiz || node.told === id) return;
  node.told = id;
  node.replaceChildren();
  element("p", "", node).textContent = quiz.question;
  const row = element("div", "dp-lesson-choices", node);
  quiz.choices.forEach((words, place) => {
    const button = toolButton(row, "", () => choose(place));
    element("kbd", "", button).textContent = place + 1;
    button.append(` ${words}`);
    button.setAttribute("aria-pressed", String(chosen.get(key)?.place === place));
  });
}

// An answer reveals: what is right stands with the next step.
function choose(place) {
  const {key, quiz} = told.head.demo;
  if (!quiz?.choices[place] || lesson.at !== null) return;
  chosen.set(key, {place, right: quiz.right, words: quiz.choices[place], rightly: quiz.choices[quiz.right]});
  goStep(1);
}

const stepLink = (at) => new URL(told.head.demo.links[at], location).href;

function goStep(by) {
  const {place, links} = told.head.demo, at = (lesson.at ?? place - 1) + by;
  if (!links[at]) return;
  lesson.at = at;
  if (!lesson.going) travel();
}

// One step after the other.
async function travel() {
  lesson.going = true;
  const goal = lesson.at;
  if (goal !== null && told.head.demo) {
    goTo(stepLink(goal));
    await patience(() => told.head.demo?.place === goal + 1);
  }
  lesson.going = false;
  if (lesson.at !== null && lesson.at !== goal) travel();
}

async function patience(isSo) {
  for (let waited = 0; !isSo() && waited < 750; waited++) await pause(20);
}

function leaveLesson() {
  lesson.at = null;
  change({demo: "none"}, false);
}

// In a demonstration the arrow keys step, as do the page keys of a presenter's remote control.
addEventListener("keydown", (event) => {
  if (!told.head?.demo || !root || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (isForField(event)) return;
  const by = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1}[event.key];
  if (by) goStep(by);
  else if (/^[1-4]$/.test(event.key)) choose(event.key - 1);
  else if (event.key === "Escape") leaveLesson();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// What was moved by mouse or finger gives the keys back to the demonstration.
addEventListener("click", (event) => {
  if (!told.head?.demo || event.detail === 0) return;
  setTimeout(() => document.activeElement?.matches("[type=range], [type=radio], .dp-handle") && document.activeElement.blur());
});
