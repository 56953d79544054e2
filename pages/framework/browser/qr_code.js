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
/** @param {string} address of which only this machine can open the page */
export const isLocal = (address) => LOCAL.test(new URL(address).host);

/**
 * Warn where an address is of no use to others.
 * @param {HTMLElement} host
 * @param {string} address
 * @param {string} who cannot open it: "Phones" or "Readers"
 */
export function addLocalNote(host, address, who = "Phones") {
  if (isLocal(address)) element("p", "dp-problem", host).textContent = `${who} cannot open this address: it is that of this machine alone. Share has a field for another one.`;
}

/** @param {string} link */
export function requestCode(link) {
  send({qr: link});
}

/** @param {string} markup */
export function showCode(markup) {
  if (place) place.innerHTML = markup;
}
