// The bodies of a response besides the stage: files, codes and content that was requested.
import {takePanel} from "./answer_buttons.js";
import {saveText} from "./downloads.js";
import {takeMatches} from "./fields.js";
import {storeCopy} from "./own_data.js";
import {unpack} from "./packing.js";
import {savePicture, savePlotProgram, takeFont, takeScript} from "./picture_files.js";
import {showCode} from "./qr_code.js";
import {takeFile, takeItem, takePlotly} from "./report.js";

const MOST_REMEMBERED = 100;

/** @type {Set<string>} The bodies that were delivered last. */
const delivered = new Set();

/** @param {Uint8Array} bytes */
const decode = (bytes) => new TextDecoder().decode(bytes);

/** @type {Record<string, (bytes: Uint8Array<ArrayBuffer>, about: any) => unknown>} The functions that handle bodies, by kind. */
const RECIPIENTS = {
  reportItem: (bytes) => takeItem(JSON.parse(decode(bytes))),
  csv: (bytes) => saveText(unpack(bytes)),
  file: (bytes, name) => takeFile(name, bytes),
  font: (bytes, typeface) => takeFont(typeface, bytes),
  dataCopy: (bytes, about) => storeCopy(about, decode(bytes)),
  chart: (bytes) => savePicture(unpack(bytes)),
  plot: (bytes) => savePlotProgram(unpack(bytes)),
  matches: (bytes) => takeMatches(unpack(bytes)),
  panel: (bytes, key) => takePanel(key, decode(bytes)),
  plotly: takePlotly,
  qr: (bytes) => showCode(decode(bytes)),
  script: takeScript,
};

/**
 * Pass a body to its handler, once for each request: a request whose run starts late is sent again, and each of its
 * runs returns the same body.
 * @param {number} n the number of the request
 * @param {string} kind
 * @param {any} about the description of the body, such as the name of a file
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function deliver(n, kind, about, bytes) {
  const key = JSON.stringify([n, kind, about]);
  if (n && delivered.has(key)) return;
  delivered.add(key);
  if (delivered.size > MOST_REMEMBERED) delivered.delete([...delivered][0]);
  void RECIPIENTS[kind]?.(bytes, about);
}
