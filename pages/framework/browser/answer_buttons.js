// The buttons beside the answer, and the panel that each opens over the lead picture, which keeps its place. Python makes
// the content of the panel for one setting: at another one it is not shown, and is requested again when the user stops
// changing the setting.
import {addButton} from "./buttons.js";
import {stage} from "./current_stage.js";
import {element, setHtml} from "./dom.js";
import {isHeld} from "./edits.js";
import {isForField} from "./keyboard.js";
import {head} from "./page_state.js";
import {required} from "./required.js";
import {settingKey} from "./stage_cache.js";
import {showStatement, startStatements} from "./statements.js";
import {isIdle, send} from "./transport.js";

const DELAY = 300; // ms without a change before the panel is requested for a new setting

/** @typedef {{key: string, view: string | null, html: string}} OpenPanel */

/**
 * Make the panel, which lies over the content of `lead`, and the lines that a screen reader reads of it; `buttons` is the
 * place of the buttons.
 * @param {HTMLElement} parent
 * @param {HTMLElement} lead
 * @param {HTMLElement} buttons
 */
export function newAnswerPanel(parent, lead, buttons) {
  const node = element("section", "dp-answer-panel", lead, {id: "dp-answer-panel", tabindex: -1});
  node.hidden = true;
  const top = element("div", "dp-panel-top", node), title = element("b", "", top), content = element("div", "dp-panel-content", node);
  const closer = addButton(top, "Close", () => closePanel(true));
  node.onclick = (event) => void copyText(/** @type {Element} */ (event.target).closest("[data-copy]"));
  startStatements(node);
  const news = element("p", "dp-hidden", parent, {role: "status"});
  const copyNote = element("p", "dp-hidden", parent, {role: "status"});
  return {node, title, closer, content, buttons, news, copyNote, names: "", buttonNames: /** @type {Record<string, string>} */ ({}), open: /** @type {OpenPanel | null} */ (null), timer: 0};
}

/** Let Escape close the panel wherever the focus is, except in a field that needs the key; a presentation has no panel. */
export function startAnswerButtons() {
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && stage?.panel.open && !head.present && !isForField(event)) closePanel(true);
  });
}

/** @param {Record<string, string>} buttonNames the names of the buttons, by the key of their panel */
export function showAnswerButtons(buttonNames) {
  const {panel} = stage, names = JSON.stringify(buttonNames);
  panel.buttonNames = buttonNames;
  if (panel.names !== names) {
    panel.names = names;
    panel.buttons.replaceChildren();
    for (const [key, name] of Object.entries(buttonNames)) {
      const button = addButton(panel.buttons, name, () => (panel.open?.key === key ? closePanel() : openPanel(key)), "");
      button.dataset.panel = key;
      button.setAttribute("aria-controls", "dp-answer-panel");
    }
  }
  if (panel.open && !buttonNames[panel.open.key]) panel.open = null;
  showPanel();
}

/** @param {string} key */
function openPanel(key) {
  const {node} = stage.panel;
  stage.panel.open = {key, view: null, html: ""};
  node.scrollTop = 0;
  showPanel();
  node.focus({preventScroll: node.getBoundingClientRect().top < innerHeight / 2}); // the picture keeps its place
}

/** @param {boolean} [isFromWithin] whether Escape or its own button closes it, which gives the focus back to the button */
function closePanel(isFromWithin = false) {
  const {panel} = stage;
  /** @type {HTMLElement | null} */
  const button = panel.buttons.querySelector(`[data-panel="${panel.open?.key}"]`);
  panel.open = null;
  showPanel();
  if (isFromWithin) button?.focus();
}

/**
 * Take the content of a panel for the setting of the current response.
 * @param {string} key
 * @param {string} html
 */
export function takePanel(key, html) {
  const open = stage?.panel.open;
  if (open?.key === key) Object.assign(open, {view: head.view, html});
}

const isCurrent = () => {
  const open = stage.panel.open;
  return Boolean(open?.view && stage.shownView && settingKey(open.view) === settingKey(stage.shownView));
};

export function showPanel() {
  const {node, title, closer, content, buttons, news, open} = stage.panel;
  for (const button of /** @type {Iterable<HTMLElement>} */ (buttons.children)) {
    button.setAttribute("aria-expanded", String(open?.key === button.dataset.panel));
  }
  node.hidden = !open;
  if (!open) {
    setHtml(content, "");
    news.textContent = node.style.minHeight = "";
    return;
  }
  const name = stage.panel.buttonNames[open.key] ?? "", isReady = isCurrent();
  node.setAttribute("aria-label", name);
  title.textContent = name;
  closer.setAttribute("aria-label", `Close ${name}`);
  node.setAttribute("role", "region");
  node.setAttribute("aria-busy", String(!isReady));
  node.style.minHeight = isReady ? "" : `${node.offsetHeight}px`; // nothing jumps while the setting moves
  setHtml(content, isReady ? open.html : "<p>Computing for this setting …</p>");
  showStatement(node);
  const sentence = isReady ? `${name}: shown over the picture` : `${name}: computing`;
  if (news.textContent !== sentence) news.textContent = sentence;
  if (!isReady) requestPanel(open.view ? DELAY : 0);
}

/** @param {number} wait */
function requestPanel(wait) {
  clearTimeout(stage.panel.timer);
  stage.panel.timer = Number(setTimeout(() => {
    if (!stage?.panel.open || isCurrent()) return;
    if (!isIdle() || isHeld) requestPanel(DELAY);
    else send({panel: stage.panel.open.key, view: head.view, how: "none"});
  }, wait));
}

/** @param {HTMLElement | null} button the button beside a program or a statement, which says what it copies */
async function copyText(button) {
  if (!button) return;
  const text = required(button.parentElement?.querySelector("code, p")), {copyNote} = stage.panel, what = `The ${button.dataset.copy}`;
  try {
    await navigator.clipboard.writeText(text.textContent);
    copyNote.textContent = `${what} is copied.`;
    button.textContent = "Copied";
  } catch { // a page that is served without TLS has no clipboard
    getSelection()?.selectAllChildren(text);
    copyNote.textContent = `${what} is selected: copy it from there.`;
    button.textContent = "Selected";
  }
}
