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
 * Let a button open a box, which is filled anew each time: beside itself, or at the end of a host, where it moves what
 * follows instead of covering it. Escape closes it wherever the focus is.
 * @param {HTMLButtonElement} button
 * @param {(box: HTMLElement, close: () => void) => void} fill
 * @param {Element | null} [host]
 */
export function addPopover(button, fill, host = null) {
  /** @type {HTMLElement | null} */
  let box = null;
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  const close = () => {
    box?.remove();
    box = null;
    button.setAttribute("aria-expanded", "false");
    removeEventListener("pointerdown", closeFromOutside, true);
    removeEventListener("keydown", closeByEscape, true);
  };
  /** @param {PointerEvent} event */
  const closeFromOutside = ({target}) => {
    const node = /** @type {Node} */ (target);
    if (!box?.contains(node) && !button.contains(node)) close();
  };
  /** @param {KeyboardEvent} event */
  const closeByEscape = (event) => {
    if (event.key !== "Escape") return;
    const isOpen = box?.isConnected;
    close();
    if (!isOpen) return; // the element that contained it was removed
    event.stopImmediatePropagation();
    button.focus();
  };
  button.onclick = () => {
    if (box) return close();
    const name = button.getAttribute("aria-label") ?? button.textContent;
    box = element("div", "dp-popover", host ?? button.parentElement, {role: "dialog", "aria-label": name});
    fill(box, close);
    button.setAttribute("aria-expanded", "true");
    keepInSight(box);
    /** @type {HTMLElement | null} */ (box.querySelector("button, input, select"))?.focus();
    addEventListener("pointerdown", closeFromOutside, true);
    addEventListener("keydown", closeByEscape, true);
  };
}

/**
 * Move a popover into the window, its upper end before its lower one.
 * @param {HTMLElement} box
 */
export function keepInSight(box) {
  box.style.translate = "";
  box.scrollIntoView?.({block: "nearest"});
  const {left, right, top} = box.getBoundingClientRect();
  const x = right > innerWidth - 8 ? innerWidth - 8 - right : Math.max(0, 8 - left);
  box.style.translate = `${x}px ${Math.max(0, 8 - top)}px`;
}
