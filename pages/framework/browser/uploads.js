// Files that the server refuses. Streamlit would keep such a file as a red entry, and name only the HTTP status, in a hint.
// The entry is removed, and one sentence below the field says why.
import {element} from "./dom.js";
import {refusedFiles, uploaderOf} from "./streamlit_host.js";

/** @type {WeakSet<Element>} */
const watched = new WeakSet();

/** @type {Record<string, string>} The sentence for each status with which the server refuses a file. */
let sentences = {};

/** @param {Record<string, string>} uploadSentences */
export function startUploads(uploadSentences) {
  sentences = uploadSentences;
  for (const kind of ["change", "drop"]) addEventListener(kind, watchUploader, true);
}

/** @param {Event} event */
function watchUploader(event) {
  const uploader = uploaderOf(event);
  if (!uploader) return;
  uploader.querySelector(".dp-refused")?.remove(); // it concerned the previous file
  if (watched.has(uploader)) return;
  watched.add(uploader);
  new MutationObserver(() => replaceRefused(uploader)).observe(uploader, {childList: true, subtree: true});
}

/** @param {HTMLElement} uploader */
function replaceRefused(uploader) {
  for (const {name, error, remove} of refusedFiles(uploader)) {
    const sentence = uploader.querySelector(".dp-refused") ?? element("p", "dp-problem dp-refused", uploader, {role: "alert"});
    sentence.textContent = `${name} was not taken. ${reason(error)}`;
    remove();
  }
}

/**
 * Say why a file was refused. Streamlit gives a sentence on what it checks itself, and only the status of what the server
 * refuses.
 * @param {string} error
 */
function reason(error) {
  const status = /status code (\d+)/.exec(error)?.[1];
  if (status && sentences[status]) return sentences[status];
  if (!status && !/AxiosError|Network Error/.test(error)) return error.replace(/^Error: /, "");
  return "It did not reach the server. Reload the page and choose it again.";
}
