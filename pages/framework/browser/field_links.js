// Links to fields of Streamlit below the stage: they unfold them, scroll to them and focus them. And links back.
import {unfoldedElement, uploadButton} from "./streamlit_host.js";

const FOLLOWED = 1500; // ms: the content of the fields arrives with a run of Python

/** End the stay at the fields that were gone to last: later content of theirs no longer scrolls the page. */
let leaveFields = () => {};

/**
 * Unfold and focus the fields of a key, and stay there while their content arrives; return whether there are any.
 * @param {string} key
 */
export function goToFields(key) {
  const fields = unfoldedElement(key);
  if (!fields) return false;
  const observer = new ResizeObserver(() => {
    fields.scrollIntoView({block: "start"});
    uploadButton(fields)?.focus({preventScroll: true});
  });
  leaveFields();
  leaveFields = () => observer.disconnect();
  observer.observe(fields);
  setTimeout(() => observer.disconnect(), FOLLOWED);
  return true;
}

/** @param {MouseEvent} event */
function followFieldLink(event) {
  const anchor = /** @type {HTMLAnchorElement | null} */ (
    /** @type {Element} */ (event.target).closest?.(".dp-stage a[href^='#']:not([data-section]), .dp-to-answer"));
  if (anchor && goToFields(anchor.hash.slice(1))) event.preventDefault();
}

export const startFieldLinks = () => addEventListener("click", followFieldLink);
