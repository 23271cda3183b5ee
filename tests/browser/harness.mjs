// Starts the real server and a real browser, and runs tests. No test waits for a fixed time: each waits for what it
// expects, and fails when that does not come.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
export const artifacts = path.join(here, "artifacts");

/** A condition that does not come true within this time has failed. The machine may be busy. */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 60_000);

export function findBinary() {
  if (process.env.TESUJI) return process.env.TESUJI;
  const built = ["release", "debug"].map((profile) => path.join(root, "target", profile, "tesuji")).filter((file) => fs.existsSync(file));
  built.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs);
  if (!built[0]) throw new Error("no tesuji binary: run `cargo build --release`, or set TESUJI");
  return built[0];
}

function findBrowser() {
  const known = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = known.find((file) => file && fs.existsSync(file));
  if (!found) throw new Error("no Chromium: install the package `chromium`, or set CHROMIUM");
  return found;
}

/**
 * Starts `tesuji serve` on a free port. The assets are the embedded ones unless ASSETS names a folder. TESUJI_ADDRESS
 * names a server that runs already.
 */
export async function startServer(extra = []) {
  if (process.env.TESUJI_ADDRESS) return { address: process.env.TESUJI_ADDRESS, pid: 0, stop: async () => {} };
  const options = ["serve", "--listen", "127.0.0.1:0", ...(process.env.ASSETS ? ["--assets", process.env.ASSETS] : []), ...extra];
  const child = spawn(findBinary(), options, { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (data) => (log += data));
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\/\/[\d.:]+/u.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
  return {
    address,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners("exit");
        child.on("exit", resolve);
        child.kill("SIGTERM");
      }),
  };
}

export const startBrowser = () => chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });

/** @type {{ name: string, run: (context: any) => Promise<void> }[]} */
const tests = [];
export const test = (name, run) => tests.push({ name, run });

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(found, expected, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: found ${a}, expected ${b}`);
}

/** Figures for the report, printed at the end. */
export const figures = [];

/** Runs the tests whose names contain one of the words; returns the number of failures. */
export async function runAll(words) {
  fs.mkdirSync(artifacts, { recursive: true });
  const server = await startServer();
  const browser = await startBrowser();
  let [passed, failed] = [0, 0];
  // A page that shows no board at all would fail every test by its timeout.
  const most = Number(process.env.MOST_FAILURES ?? 12);
  for (const { name, run } of tests) {
    if (failed >= most) {
      console.log(`more than ${most} failures: the rest is not run`);
      break;
    }
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const begin = performance.now();
    /** @type {import("playwright-core").BrowserContext[]} */
    const contexts = [];
    const errors = [];
    const open = async (address, options = {}, base = server.address) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", ...options });
      contexts.push(context);
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
      // Chance is the same in every run.
      await context.addInitScript(() => {
        let state = 1;
        Math.random = () => (state = (state * 16807) % 2147483647) / 2147483647;
      });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      page.on("pageerror", (error) => errors.push(`page error: ${error.message}`));
      page.on("console", (message) => {
        // A refused request is what some tests are about; so is a server that has gone.
        const expected = /status of 4\d\d|ERR_CONNECTION_REFUSED/u.test(message.text());
        if (message.type() === "error" && !expected) errors.push(`console: ${message.text()}`);
      });
      await page.goto(base + address);
      return page;
    };
    try {
      await run({ open, server, browser });
      if (errors.length > 0) throw new Error(errors.join("\n"));
      passed += 1;
      console.log(`ok    ${name} (${Math.round(performance.now() - begin)} ms)`);
    } catch (error) {
      failed += 1;
      if (errors.length > 0) console.log(`      ${errors.slice(0, 3).join("\n      ")}`);
      console.log(`FAIL  ${name}\n      ${String(error.stack ?? error).split("\n").slice(0, 9).join("\n      ")}`);
      const page = contexts.at(-1)?.pages()[0];
      await page?.screenshot({ path: path.join(artifacts, `failed-${name.replace(/\W+/gu, "-")}.png`) }).catch(() => {});
    }
    for (const context of contexts) await context.close();
  }
  await browser.close();
  await server.stop();
  for (const figure of figures) console.log(`figure: ${figure}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed;
}
