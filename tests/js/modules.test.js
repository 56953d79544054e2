import assert from "node:assert/strict";
import {readFile, readdir} from "node:fs/promises";
import {test} from "node:test";

const FRAMEWORK = new URL("../../pages/framework/", import.meta.url);
const INTERNALS = /data-testid|dataset\.test|"\.st[A-Z]|\.st-key-|history\.pushState =|popstate|static\/js/;

async function sources() {
  const names = (await readdir(FRAMEWORK, {recursive: true})).filter((name) => name.endsWith(".js") && !name.endsWith(".bundle.js"));
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, FRAMEWORK), "utf8")])));
}

test("no module imports itself by way of others", async () => {
  const modules = await sources(), done = new Set();
  const visit = (name, path) => {
    assert.ok(!path.includes(name), `${[...path, name].join(" imports ")}`);
    if (done.has(name)) return;
    const text = modules.get(name);
    for (const [, specifier] of text.matchAll(/^import [^;]*from "(\.[^"]+)";/gm)) visit(resolve(name, specifier), [...path, name]);
    done.add(name);
  };
  const resolve = (name, specifier) => new URL(specifier, new URL(name, FRAMEWORK)).href.slice(FRAMEWORK.href.length);
  for (const name of modules.keys()) visit(name, []);
  assert.ok(done.size > 30);
});

test("only streamlit_host.js relies on what Streamlit does not document", async () => {
  for (const [name, text] of await sources()) {
    if (name === "browser/streamlit_host.js") assert.match(text, INTERNALS);
    else assert.doesNotMatch(text.replace(/^ *(\/\/|\*).*$/gm, ""), INTERNALS, name);
  }
});
