// The decoder of the binary messages that Python sends: responses, and the stages and figures in them.

/** @type {Record<string, any>} The typed array for each type of number, by its name in a message. */
const TYPES = {f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array};

/** @typedef {[type: string, start: number, length: number, shape: [rows: number, columns: number] | null]} ArrayPlace in bytes */

/**
 * Return the message from which pages/framework/rendering/stage.py made these bytes. Each array in it is a typed array
 * with a buffer of its own, or, if it has two axes, a list of typed arrays.
 * @param {Uint8Array} bytes
 * @returns {any}
 */
export function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = bytes.byteOffset + 4 + size;
  const {arrays: places, ...message} = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const arrays = places.map((/** @type {ArrayPlace} */ [type, from, length, shape]) => {
    const flat = new TYPES[type](bytes.buffer.slice(start + from, start + from + length)); // a copy is aligned
    return shape ? Array.from({length: shape[0]}, (_, row) => flat.subarray(row * shape[1], (row + 1) * shape[1])) : flat;
  });
  /** @type {(value: any) => any} */
  const fill = (value) => {
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return arrays[value.$];
    for (const key in value) value[key] = fill(value[key]);
    return value;
  };
  return fill(message);
}
