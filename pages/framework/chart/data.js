// Figures as they come: bytes to arrays, old arrays for unchanged ones, copies for Plotly.

function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = bytes.byteOffset + 4 + size;
  const told = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const arrays = told.arrays.map(([type, from, length, shape]) => {
    const flat = new TYPES[type](bytes.buffer.slice(start + from, start + from + length)); // aligned anew
    return shape ? Array.from({length: shape[0]}, (_, row) => flat.subarray(row * shape[1], (row + 1) * shape[1])) : flat;
  });
  const fill = (value) => {
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return arrays[value.$];
    for (const key in value) value[key] = fill(value[key]);
    return value;
  };
  return fill(told);
}

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || a.constructor !== b.constructor) return false;
  if (ArrayBuffer.isView(a)) return a.length === b.length && a.every((value, place) => Object.is(value, b[place]));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

// Plotly.react takes an array for unchanged only if it is the very same object.
function share(now, old) {
  if (old === undefined || now === null || typeof now !== "object") return now;
  if (ArrayBuffer.isView(now) || (Array.isArray(now) && typeof now[0] !== "object")) return same(now, old) ? old : now;
  for (const key in now) now[key] = share(now[key], old?.[key]);
  return now;
}

// Plotly writes into the objects that it is given, and into the short lists of a layout, but not into those of a trace.
function copied(value, isLayout = false) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return isLayout || value[0]?.constructor === Object ? value.map((part) => copied(part, isLayout)) : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part, isLayout)]));
}

function element(tag, kind, parent, attributes = {}) {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent?.append(node);
  return node;
}

function setHtml(node, markup) {
  if (node.markup !== markup) node.innerHTML = node.markup = markup;
  node.hidden = !markup;
}
