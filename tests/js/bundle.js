// Writes the bundles that the app serves, or tells with --check whether they are those of the sources.
import {build} from "esbuild";
import {createHash} from "node:crypto";
import {readFile, readdir, writeFile} from "node:fs/promises";
import {fileURLToPath} from "node:url";

const FRAMEWORK = new URL("../../pages/framework/", import.meta.url);
const BUNDLES = {
  "browser/page.bundle.js": "browser/page.js", // what draws a page
  "browser/phone.bundle.js": "browser/phone.js", // the page of a phone in a class
  "chart/export.bundle.js": "chart/export.js", // what makes the file of a chart
};

const path = (name) => fileURLToPath(new URL(name, FRAMEWORK));

// The digest of all modules, in the order of their names: by it tests/test_bundles.py knows a bundle without npm.
async function digestOfSources() {
  const names = (await readdir(path(""), {recursive: true})).map((name) => name.replaceAll("\\", "/"));
  const digest = createHash("sha256");
  for (const name of names.filter((name) => name.endsWith(".js") && !name.endsWith(".bundle.js")).sort()) {
    digest.update(`${name}\n`).update(await readFile(path(name)));
  }
  return digest.digest("hex");
}

const digest = await digestOfSources();
for (const [bundle, entry] of Object.entries(BUNDLES)) {
  const {outputFiles: [{text}]} = await build({
    entryPoints: [path(entry)],
    absWorkingDir: path(""),
    bundle: true,
    write: false,
    format: "esm",
    charset: "utf8",
    target: "es2024",
    banner: {js: `// Made of ${entry} and what it imports by \`npm --prefix tests/js run bundle\`: do not edit.\n// Sources: ${digest}`},
  });
  if (!process.argv.includes("--check")) await writeFile(path(bundle), text);
  else if ((await readFile(path(bundle), "utf8")) !== text) {
    console.error(`pages/framework/${bundle} is not that of the sources: run \`npm --prefix tests/js run bundle\`.`);
    process.exitCode = 1;
  }
}
