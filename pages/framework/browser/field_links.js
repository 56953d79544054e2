// Links to fields of Streamlit below the stage: they unfold, come into sight, and take the focus. And links back.
import {unfoldedElement, uploadButton} from "./streamlit_host.js";

const FOLLOWED = 1500; // ms: what the fields hold comes with a run of Python

/**
 * Unfold the fields of a key, go there, and stay there while what they hold comes; return whether there are such fields.
 * @param {string} key
 */
export function goToFields(key) {
  const fields = unfoldedElement(key);
  if (!fields) return false;
  const observer = new ResizeObserver(() => {
    fields.scrollIntoView({block: "start"});
    uploadButton(fields)?.focus({preventScroll: true});
  });
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
