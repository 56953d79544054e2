import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";
import {test} from "node:test";
import {unpack} from "../../pages/framework/browser/packing.js";
import {pack} from "./fake_host.js";

// The bytes of the message in tests/pages/framework/test_packing.py, as Python packs it.
const sample = new Uint8Array(await readFile(new URL("message.bin", import.meta.url)));

test("numbers, texts and tables are unpacked as Python packed them", () => {
  const {text, none, rows, parts: [single, integers, number]} = unpack(sample);
  assert.equal(text, "σ ≤ 1");
  assert.equal(none, null);
  assert.deepEqual(rows, [new Float64Array([1, NaN, 3]), new Float64Array([4, 5, Infinity])]);
  assert.deepEqual(single.x, new Float32Array([0.5, -2]));
  assert.deepEqual(integers, new Int32Array([1, -7]));
  assert.equal(number, 0.25);
});

test("each array has a buffer of its own, so that it outlives the message", () => {
  const {bodies: [[, name, file]]} = unpack(sample);
  assert.equal(name, "ratio.csv");
  assert.equal(new TextDecoder().decode(file), "x,y");
  assert.equal(file.buffer.byteLength, 3);
});

test("a message in a message is unpacked from its bytes", () => {
  const {bodies: [, [kind, , stage]]} = unpack(sample);
  assert.equal(kind, "stage");
  assert.deepEqual(unpack(stage).x, new Float64Array([1, 2]));
});

test("a message is unpacked wherever in its buffer it begins", () => {
  const shifted = new Uint8Array(sample.length + 3);
  shifted.set(sample, 3);
  assert.deepEqual(unpack(shifted.subarray(3)), unpack(sample));
});

test("the fake host packs messages as Python does", () => {
  const file = new TextEncoder().encode("x,y");
  assert.deepEqual(unpack(pack({n: 1, bodies: [["csv", "a.csv", file]]})), {n: 1, bodies: [["csv", "a.csv", file]]});
});
