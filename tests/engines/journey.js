// One journey through the app in a browser that is not Chromium: open, type, drag, Back, zoom, save a picture.
// `node journey.js firefox ADDRESS` or `node journey.js webkit ADDRESS`, while a server of the app runs at the address.
import {mkdtemp, readdir, readFile, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {openFirefox, openWebKit} from "./tabs.js";

const LIMIT = 120_000; // milliseconds that one step may take: the processors may be busy
const EPSILON = "Privacy loss parameter ε";
const PICTURE = /^gaussian_bounds_.*_eps2_delta1e-6\.svg$/; // of the chart that the page opens with

const answer = "document.querySelector('.st-key-answer p')?.innerText ?? ''";
const field = `document.querySelector('input[aria-label$="${EPSILON}"]')`;
const handle = `document.querySelector('[role=slider][aria-label="${EPSILON}, in the chart"]')`;
const area = "document.querySelector('.js-plotly-plot .nsewdrag')";
const range = "document.querySelector('.js-plotly-plot')?._fullLayout?.xaxis?.range";
const link = "new URLSearchParams(location.search).get('epsilon')";
/** @param {string} text */
const button = (text) => `[...document.querySelectorAll('button')].find((node) => node.checkVisibility() && node.textContent === '${text}')`;

/**
 * Wait until something holds, and fail by a sentence that names it.
 * @param {string} sentence
 * @param {() => Promise<unknown>} test
 */
async function until(sentence, test) {
  for (const end = Date.now() + LIMIT; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200))) {
    if (await test()) return console.log(`  ${sentence}`);
  }
  throw new Error(`it is not so that ${sentence}`);
}

/**
 * @param {import("./tabs.js").Tab} tab
 * @param {string} address
 * @param {string} folder
 */
async function travel(tab, address, folder) {
  /** @type {(sentence: string, expression: string) => Promise<void>} */
  const expect = (sentence, expression) => until(sentence, () => tab.evaluate(expression));
  /** @type {(epsilon: string) => string} */
  const shows = (epsilon) => `(${answer}).includes(${JSON.stringify(`At ε = ${epsilon},`)}) && ${field}?.value === '${epsilon}' `
    + `&& ${handle}?.ariaValueText === '${epsilon}'`;
  /** @type {(part: string, x?: number, y?: number) => Promise<[number, number]>} */
  const placeOf = async (part, x = 0.5, y = 0.5) => {
    const [left, top, width, height] = await tab.evaluate(
      `(({left, top, width, height}) => [left, top, width, height])(${part}.getBoundingClientRect())`,
    );
    return [Math.round(left + x * width), Math.round(top + y * height)];
  };
  /** @type {(from: [number, number], to: [number, number]) => Promise<void>} */
  const drag = async ([x, y], [right, low]) => {
    await tab.move(x, y);
    await tab.press();
    for (let step = 1; step <= 6; step += 1) {
      await tab.move(Math.round(x + ((right - x) * step) / 6), Math.round(y + ((low - y) * step) / 6));
    }
    await tab.release();
  };
  /** @type {(part: string) => Promise<void>} */
  const click = async (part) => {
    await tab.move(...await placeOf(part));
    await tab.press();
    await tab.release();
  };

  await tab.open(`${address}/Gaussian_bounds`);
  await expect("the page opens with its answer, its chart and its handle", `${shows("1")} && ${range}?.[0] === -3`);
  await tab.evaluate("void (globalThis.failures = [], addEventListener('error', ({message}) => failures.push(message)))");

  await click(field);
  await tab.evaluate(`void ${field}.select()`);
  await tab.type("2\n");
  await expect("the answer follows what is typed", `${shows("2")} && ${link} === '2'`);

  const [x, y] = await placeOf(handle);
  await drag([x, y], [x + 60, y]);
  await until("the link, the answer, the field and the handle follow the handle that is dragged", async () => {
    const dragged = await tab.evaluate(link); // on a busy machine the link passes the steps of the way
    return Number(dragged) > 2 && tab.evaluate(shows(dragged));
  });

  await tab.back();
  await expect("Back takes the drag back", `${shows("2")} && ${link} === '2'`);

  await drag(await placeOf(area, 0.2, 0.2), await placeOf(area, 0.45, 0.6));
  await expect("the chart shows the rectangle that is drawn on it", `${range}[0] > -2.9 && ${range}[1] < 1.9`);

  await click("document.querySelector('[aria-label=\"Save this chart\"]')");
  await expect("the menu of the chart opens", `Boolean(${button("Save picture")})`);
  await click(button("Save picture"));
  const saved = async () => {
    const name = (await readdir(folder)).find((file) => PICTURE.test(file));
    return name ? readFile(join(folder, name), "utf8") : "";
  };
  await until("a picture is saved that holds the link of the page", async () => {
    const picture = await saved();
    return picture.startsWith("<?xml") && picture.includes("/Gaussian_bounds?epsilon=2") && picture.trimEnd().endsWith("</svg>");
  });
  const failures = await tab.evaluate("[...failures, ...[...document.querySelectorAll('[data-testid=stException]')].map((node) => node.innerText)]");
  if (failures.length) throw new Error(`the page fails: ${failures.join("; ")}`);
}

const [engine, address] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "journey-"));
try {
  const tab = await (engine === "firefox" ? openFirefox : openWebKit)(folder);
  try {
    console.log(`${engine} ${tab.version}:`);
    await travel(tab, address, folder);
  } catch (error) {
    console.error(`The journey fails in ${engine}: ${error.message}`);
    console.error(await tab.evaluate("`at ${location.href}: ${document.body.innerText.slice(0, 400)}`").catch(String));
    process.exitCode = 1;
  } finally {
    await tab.close();
  }
} finally {
  await rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
}
