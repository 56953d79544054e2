// A tab of Firefox by WebDriver BiDi and a tab of WebKit by WebDriver, with the same few functions.
import {spawn} from "node:child_process";
import {once} from "node:events";
import {writeFile} from "node:fs/promises";
import {createServer} from "node:net";
import {join} from "node:path";
import puppeteer from "puppeteer-core";

const WIDTH = 1280, HEIGHT = 900;

/**
 * @typedef {object} Tab
 * @property {string} version
 * @property {(address: string) => Promise<unknown>} open
 * @property {() => Promise<unknown>} back
 * @property {(expression: string) => Promise<any>} evaluate
 * @property {(x: number, y: number) => Promise<unknown>} move
 * @property {() => Promise<unknown>} press
 * @property {() => Promise<unknown>} release
 * @property {(text: string) => Promise<unknown>} type A line break presses Enter.
 * @property {() => Promise<unknown>} close
 */

/**
 * Open a tab of Firefox that saves files in a folder.
 * @param {string} folder
 * @returns {Promise<Tab>}
 */
export async function openFirefox(folder) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX,
    headless: true,
    defaultViewport: {width: WIDTH, height: HEIGHT},
    extraPrefsFirefox: {
      "browser.download.folderList": 2,
      "browser.download.dir": folder,
      "browser.download.useDownloadDir": true,
      "browser.helperApps.neverAsk.saveToDisk": "image/svg+xml",
    },
  });
  const page = await browser.newPage();
  return {
    version: await browser.version(),
    open: (address) => page.goto(address),
    back: () => page.evaluate("history.back()"),
    evaluate: (expression) => page.evaluate(expression),
    move: (x, y) => page.mouse.move(x, y),
    press: () => page.mouse.down(),
    release: () => page.mouse.up(),
    type: async (text) => {
      for (const key of text) await page.keyboard.press(/** @type {import("puppeteer-core").KeyInput} */ (key === "\n" ? "Enter" : key));
    },
    close: () => browser.close(),
  };
}

/**
 * Open a tab of WebKit, on a screen of its own, that saves files in a folder.
 * @param {string} folder
 * @returns {Promise<Tab>}
 */
export async function openWebKit(folder) {
  await writeFile(join(folder, "user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${folder}"\n`);
  const home = {HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder, NO_AT_BRIDGE: "1"};
  const port = await freePort();
  const screen = ["-a", "-s", `-screen 0 ${WIDTH}x${HEIGHT + 200}x24`];
  const driver = spawn("xvfb-run", [...screen, "WebKitWebDriver", `--port=${port}`], {
    env: {...process.env, ...home, LIBGL_ALWAYS_SOFTWARE: "1"},
    detached: true, // so that it can be ended with the screen and the browser that it starts
    stdio: "ignore",
  });
  const end = () => process.kill(-driver.pid, "SIGTERM");
  let session = "";
  /** @type {(method: string, command: string, body?: object) => Promise<any>} */
  const request = async (method, command, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/session${session}${command}`, {method, body: body && JSON.stringify(body)});
    const {value} = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  try {
    await answering(() => fetch(`http://127.0.0.1:${port}/status`));
    const options = {binary: process.env.MINIBROWSER, args: ["--automation"]};
    const capabilities = {alwaysMatch: {browserName: "MiniBrowser", "webkitgtk:browserOptions": options}};
    const {sessionId, capabilities: {browserVersion}} = await request("POST", "", {capabilities});
    session = `/${sessionId}`;
    await request("POST", "/timeouts", {pageLoad: 120_000, script: 60_000});
    await request("POST", "/window/rect", {x: 0, y: 0, width: WIDTH, height: HEIGHT + 100});
    /** @type {(...actions: object[]) => Promise<void>} */
    const point = (...actions) => request("POST", "/actions", {actions: [{type: "pointer", id: "mouse", parameters: {pointerType: "mouse"}, actions}]});
    return {
      version: browserVersion,
      open: (url) => request("POST", "/url", {url}),
      back: () => request("POST", "/back", {}),
      evaluate: (expression) => request("POST", "/execute/sync", {script: `return (${expression})`, args: []}),
      move: (x, y) => point({type: "pointerMove", x, y, duration: 0}),
      press: () => point({type: "pointerDown", button: 0}),
      release: () => point({type: "pointerUp", button: 0}),
      type: (text) => {
        const actions = [...text].map((key) => (key === "\n" ? "\uE007" : key))
          .flatMap((value) => [{type: "keyDown", value}, {type: "keyUp", value}]);
        return request("POST", "/actions", {actions: [{type: "key", id: "keyboard", actions}]});
      },
      close: () => request("DELETE", "").catch(String).then(end),
    };
  } catch (error) {
    end();
    throw error;
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const {port} = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** @param {() => Promise<unknown>} ask */
async function answering(ask) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 150) throw new Error(`WebKitWebDriver does not answer: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
