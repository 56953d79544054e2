// Made of browser/phone.js and what it imports by `npm --prefix tests/js run bundle`: do not edit.
// Sources: 558bee2a79183a53f3e64f5a36ea5a1f02ebdbb74eef90efa4c401a45b22cef9

// browser/dom.js
function element(tag, kind, parent, attributes = {}) {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  parent?.append(node);
  return node;
}

// browser/randomize.js
var N_DRAWS = 2 ** 53;
function draw() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
function reportOf(answer, nOptions, weight, drawn2) {
  for (let step = 1; step < nOptions; step++) {
    if (drawn2 < step * weight) return (answer + step) % nOptions;
  }
  return answer;
}

// browser/phone.js
var WAIT = 3e3;
var STILL = 2e4;
var GONE = "This room is closed, or the link is not complete. Scan the code on the screen again.";
var REFUSED = /* @__PURE__ */ new Map([
  [409, "Your phone has answered this question already."],
  [410, "This question is over. Wait for the next one."],
  [503, "This room is full: 500 phones have answered."]
]);
var shown = -1;
var drawn = null;
var place = (
  /** @type {HTMLElement} */
  document.getElementById("class")
);
var request = (path, more) => fetch(`${location.pathname}/${path}`, { cache: "no-store", signal: AbortSignal.timeout(STILL), ...more });
function say(words) {
  place.replaceChildren();
  element("p", "", place).textContent = words;
}
async function look() {
  try {
    const response = document.hidden ? null : await request("question");
    if (response?.status === 404) {
      shown = -1;
      say(GONE);
    } else if (response?.ok) show(await response.json());
  } catch {
  }
  setTimeout(look, WAIT * (1 + Math.random()));
}
function show(question) {
  const { round, open, options = [], answered, weight } = question, now = open ? round : 0;
  if (now === shown) return;
  shown = now;
  if (!open) return say("Wait for the question.");
  if (answered) return say(
    /** @type {string} */
    REFUSED.get(409)
  );
  place.replaceChildren();
  const form = element("form", "", place, { novalidate: "" }), choices = element("fieldset", "", form);
  element("legend", "", choices).textContent = question.question ?? "";
  options.forEach((option, position) => {
    const label = element("label", "", choices);
    element("input", "", label, { type: "radio", name: "answer", value: position, required: "" });
    label.append(" ", option);
  });
  element("p", "", form).textContent = question.promise ?? "";
  element("button", "", form).textContent = weight ? "Draw and send" : "Send";
  element("p", "", form, { role: "status" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, question);
  });
}
async function send(form, { round, options = [], weight = 0 }) {
  const status = (
    /** @type {HTMLElement} */
    form.querySelector("[role=status]")
  );
  const button = (
    /** @type {HTMLButtonElement} */
    form.querySelector("button")
  );
  const choice = new FormData(form).get("answer");
  if (drawn?.round !== round && choice === null) {
    status.textContent = "Choose an answer first.";
    return;
  }
  if (drawn?.round !== round) {
    drawn = { round, report: reportOf(Number(choice), options.length, weight, draw()) };
    for (const input of form.querySelectorAll("input")) input.disabled = true;
  }
  button.disabled = true;
  status.textContent = "Sending …";
  const body = `${round} ${drawn.report}`;
  const answer = await request("report", { method: "POST", body }).then((response) => response.status, () => 0);
  const words = REFUSED.get(answer);
  if (answer === 204) {
    const meant = weight ? "If you chose another one, that is as meant: whether it is your answer, only you know." : "That is your answer, without noise.";
    say(`Your phone sent “${options[drawn.report]}”. ${meant}`);
  } else if (words) say(words);
  else if (answer === 404) say(GONE);
  else {
    status.textContent = "It did not arrive. Send it again: it is the same report.";
    button.textContent = "Send it again";
    button.disabled = false;
  }
}
void look();
