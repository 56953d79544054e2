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

export const today = () => new Date().toISOString().slice(0, 10);
