// Buttons, and what they open beside themselves.
import {element} from "./dom.js";

/**
 * Append a button with a name that acts when it is clicked.
 * @param {Element} host
 * @param {string} name
 * @param {(() => unknown) | null} [act]
 * @param {string} [kind] its class
 */
export function addButton(host, name, act = null, kind = "dp-tool") {
  const button = element("button", kind, host, {type: "button"});
  button.textContent = name;
  if (act) button.onclick = () => void act();
  return button;
}

/**
 * Let a button open a box beside itself, which is filled anew each time.
 * @param {HTMLButtonElement} button
 * @param {(box: HTMLElement, close: () => void) => void} fill
 */
export function addPopover(button, fill) {
  /** @type {HTMLElement | null} */
  let box = null;
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  const close = () => {
    box?.remove();
    box = null;
    button.setAttribute("aria-expanded", "false");
    removeEventListener("pointerdown", closeFromOutside, true);
  };
  /** @param {PointerEvent} event */
  const closeFromOutside = ({target}) => {
    const node = /** @type {Node} */ (target);
    if (!box?.contains(node) && !button.contains(node)) close();
  };
  button.onclick = () => {
    if (box) return close();
    const name = button.getAttribute("aria-label") ?? button.textContent;
    box = element("div", "dp-popover", button.parentElement, {role: "dialog", "aria-label": name});
    box.onkeydown = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
      button.focus();
    };
    fill(box, close);
    button.setAttribute("aria-expanded", "true");
    const {left, right} = box.getBoundingClientRect();
    if (right > innerWidth - 8) box.style.translate = `${innerWidth - 8 - right}px 0`;
    else if (left < 8) box.style.translate = `${8 - left}px 0`;
    /** @type {HTMLElement | null} */ (box.querySelector("button, input, select"))?.focus();
    addEventListener("pointerdown", closeFromOutside, true);
  };
}
