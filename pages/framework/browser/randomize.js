// What a phone reports in the place of an answer. The answer itself never leaves the phone.

/** The size of a draw: 2^53 whole numbers, which are exact as numbers of JavaScript. */
export const N_DRAWS = 2 ** 53;

/** Draw a whole number below 2^53 from the random source for cryptography, each with the same probability. */
export function draw() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}

/**
 * Return the option that a draw reports for an answer. Each other option has `weight` draws, and the answer has those that
 * remain. Every number here is a whole one of at most 2^53, so that nothing is rounded; the server has rounded the weight up,
 * so that the probabilities of a report differ for two answers by a factor of at most e^ε, never by more.
 * @param {number} answer the position of the answer, from 0
 * @param {number} nOptions
 * @param {number} weight
 * @param {number} drawn
 */
export function reportOf(answer, nOptions, weight, drawn) {
  for (let step = 1; step < nOptions; step++) {
    if (drawn < step * weight) return (answer + step) % nOptions;
  }
  return answer;
}
