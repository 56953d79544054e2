// The QR code of a link, which Python draws.
import {element} from "./dom.js";
import {send} from "./transport.js";

export const LONGEST_LINK = 2500; // characters that a QR code can hold

/** @type {HTMLElement | undefined} Where the next code is shown. */
let place;

/** @param {HTMLElement} host */
export function addCodePlace(host) {
  place = element("div", "dp-code", host);
}

/** @param {string} link */
export function requestCode(link) {
  send({qr: link});
}

/** @param {string} markup */
export function showCode(markup) {
  if (place) place.innerHTML = markup;
}
