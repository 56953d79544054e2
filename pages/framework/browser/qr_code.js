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

const LOCAL = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/;
const LOCAL_NOTE = "Phones cannot open this address: it is that of this machine alone. Share has a field for another one.";

/** @param {string} address of which only this machine can open the page */
export const isLocal = (address) => LOCAL.test(new URL(address).host);

/**
 * Warn where phones cannot open the address of a code.
 * @param {HTMLElement} host
 * @param {string} address
 */
export function addLocalNote(host, address) {
  if (isLocal(address)) element("p", "dp-problem", host).textContent = LOCAL_NOTE;
}

/** @param {string} link */
export function requestCode(link) {
  send({qr: link});
}

/** @param {string} markup */
export function showCode(markup) {
  if (place) place.innerHTML = markup;
}
