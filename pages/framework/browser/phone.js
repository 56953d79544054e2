// The page of a phone in a class: it shows the question, draws at random what it reports, and sends that alone.
import {element} from "./dom.js";
import {draw, reportOf} from "./randomize.js";

const WAIT = 3000; // ms between two looks for the next question, and as much again at random
const STILL = 20_000; // ms after which a request has failed
const GONE = "This room is closed, or the link is not complete. Scan the code on the screen again.";
const REFUSED = new Map([
  [409, "Your phone has answered this question already."],
  [410, "This question is over. Wait for the next one."],
  [503, "This room is full: 500 phones have answered."],
]);

/** @typedef {{round: number, open: boolean, question?: string, options?: string[], promise?: string, weight?: number, answered?: boolean}} Question */

/** The round that is shown, and the report to it once it was drawn: a second try sends the same one. */
let shown = -1;

/** @type {{round: number, report: number} | null} */
let drawn = null;

const place = /** @type {HTMLElement} */ (document.getElementById("class"));

/**
 * @param {string} path
 * @param {RequestInit} [more]
 */
const request = (path, more) => fetch(`${location.pathname}/${path}`, {cache: "no-store", signal: AbortSignal.timeout(STILL), ...more});

/** @param {string} words */
function say(words) {
  place.replaceChildren();
  element("p", "", place).textContent = words;
}

/** Look for the question, now and again, while somebody looks at the phone. */
async function look() {
  try {
    const response = document.hidden ? null : await request("question");
    if (response?.status === 404) {
      shown = -1;
      say(GONE);
    } else if (response?.ok) show(await response.json());
  } catch { // no network: the next look may succeed
  }
  setTimeout(look, WAIT * (1 + Math.random()));
}

/** @param {Question} question */
function show(question) {
  const {round, open, options = [], answered, weight} = question, now = open ? round : 0;
  if (now === shown) return;
  shown = now;
  if (!open) return say("Wait for the question.");
  if (answered) return say(/** @type {string} */ (REFUSED.get(409)));
  place.replaceChildren();
  const form = element("form", "", place, {novalidate: ""}), choices = element("fieldset", "", form);
  element("legend", "", choices).textContent = question.question ?? "";
  options.forEach((option, position) => {
    const label = element("label", "", choices);
    element("input", "", label, {type: "radio", name: "answer", value: position, required: ""});
    label.append(" ", option);
  });
  element("p", "", form).textContent = question.promise ?? "";
  element("button", "", form).textContent = weight ? "Draw and send" : "Send";
  element("p", "", form, {role: "status"});
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, question);
  });
}

/**
 * Draw the report to a question and send it.
 * @param {HTMLFormElement} form
 * @param {Question} question
 */
async function send(form, {round, options = [], weight = 0}) {
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const choice = new FormData(form).get("answer");
  if (drawn?.round !== round && choice === null) {
    status.textContent = "Choose an answer first.";
    return;
  }
  if (drawn?.round !== round) {
    drawn = {round, report: reportOf(Number(choice), options.length, weight, draw())};
    for (const input of form.querySelectorAll("input")) input.disabled = true;
  }
  button.disabled = true;
  status.textContent = "Sending …";
  const body = `${round} ${drawn.report}`;
  const answer = await request("report", {method: "POST", body}).then((response) => response.status, () => 0);
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
