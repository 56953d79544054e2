// The cache of stages by setting: a cached stage is drawn before Python answers.
import {head, queryOf} from "./page_state.js";

const CAPACITY = 60; // settings

/** @typedef {{view: string, bytes: Uint8Array}} CachedStage */

/** @type {Map<string, CachedStage>} */
const stages = new Map();

/**
 * Store the bytes of the stage at a setting, and drop the oldest if there are too many. The same bytes keep their entry, by
 * which a stage that is drawn is known.
 * @param {string} view the link of the setting, as Python writes it
 * @param {Uint8Array} bytes
 */
export function store(view, bytes) {
  const key = settingKey(view), old = stages.get(key);
  const isSame = old?.view === view && old.bytes.length === bytes.length && old.bytes.every((byte, place) => byte === bytes[place]);
  stages.delete(key);
  stages.set(key, isSame ? old : {view, bytes});
  if (stages.size > CAPACITY) stages.delete([...stages.keys()][0]);
}

/** @param {string} view */
export const lookUp = (view) => stages.get(settingKey(view));

/**
 * Find the stage at the current setting with other texts for some parameters.
 * @param {import("./types").Texts} entries
 */
export const lookUpWith = (entries) => (head ? lookUp(viewWith(head.view, entries)) : undefined);

/**
 * Return a key that is the same for all spellings of a setting in the same colours.
 * @param {string} view
 */
export const settingKey = (view) =>
  `${head?.dark} ${new URL(view, location.href).pathname} ${new URLSearchParams(queryOf(view))}`;

/**
 * Return a link with other texts for some parameters.
 * @param {string} view
 * @param {import("./types").Texts} entries
 */
export function viewWith(view, entries) {
  const params = new URLSearchParams(queryOf(view));
  for (const [key, text] of Object.entries(entries)) params.set(key, text);
  return `${view.slice(0, view.indexOf("?"))}?${params}`;
}
