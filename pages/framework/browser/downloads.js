// Files that the browser saves.
import {element} from "./dom.js";

/**
 * Save a file under a name.
 * @param {string} name
 * @param {Blob} blob
 */
export function saveFile(name, blob) {
  const link = element("a", "", document.body, {href: URL.createObjectURL(blob), download: name});
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @typedef {{file: string, text?: string, zip?: Uint8Array<ArrayBuffer>}} TextOrZip a file with its name: a text, or a zip of several */

const TYPES = /** @type {Record<string, string>} */ ({csv: "text/csv", py: "text/x-python", zip: "application/zip"});

/** @param {TextOrZip} content */
export function saveText({file, text = "", zip}) {
  saveFile(file, new Blob([zip ?? text], {type: TYPES[file.split(".").at(-1) ?? ""]}));
}

export const today = () => new Date().toISOString().slice(0, 10);
