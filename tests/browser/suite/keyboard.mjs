import { check, equal, test } from "../harness.mjs";
import { board, byTest, setLevel, settled, state, until } from "../driver.mjs";

const atPly = (page, ply) => until(page, (wanted) => document.querySelector('[data-testid="board"]').dataset.ply === String(wanted), ply);

/** Tabs until a cell of the board has the focus. */
async function toBoard(page) {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.hasAttribute("data-cell"))) return;
  }
  throw new Error("the board cannot be reached by Tab");
}

/** Walks from the focused cell to another by arrow keys. */
async function walk(page, name) {
  const place = (cell) => page.evaluate((wanted) => {
    const box = document.querySelector(wanted ? `[data-cell="${wanted}"]` : ":focus").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2, box.width];
  }, cell);
  const [fx, fy, size] = await place(null);
  const [tx, ty] = await place(name);
  const [dx, dy] = [Math.round((tx - fx) / size), Math.round((ty - fy) / size)];
  for (let n = 0; n < Math.abs(dx); n += 1) await page.keyboard.press(dx > 0 ? "ArrowRight" : "ArrowLeft");
  for (let n = 0; n < Math.abs(dy); n += 1) await page.keyboard.press(dy > 0 ? "ArrowDown" : "ArrowUp");
  equal(await page.evaluate(() => document.activeElement.getAttribute("data-cell")), name, "focused cell");
}

test("keyboard: a move of each game without a mouse", async ({ open }) => {
  const walks = { othello: ["f5"], trax: ["@0"], ostle: ["c5", "c4"], shogi: ["7g", "7f"] };
  for (const [game, cells] of Object.entries(walks)) {
    const page = await open(`/${game}`);
    await board(page);
    await setLevel(page, 1);
    await toBoard(page);
    for (const cell of cells) {
      await walk(page, cell);
      await page.keyboard.press("Enter");
    }
    if (game === "trax") {
      await until(page, () => document.activeElement.hasAttribute("data-choice"));
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
    }
    await settled(page, 2);
    check(await page.evaluate(() => document.activeElement !== null), "focus");
  }
});

test("keyboard: the focus is visible and leaves the board by Esc", async ({ open }) => {
  const page = await open("/othello");
  await board(page);
  await toBoard(page);
  const stroke = await page.evaluate(() => getComputedStyle(document.activeElement.querySelector(".hit")).strokeWidth);
  check(Number.parseFloat(stroke) > 3, `focus ring ${stroke}`);
  const help = page.locator("#board-help");
  check((await help.isVisible()) && (await help.textContent()).includes("Esc leaves the board"), "the way out is told");
  await page.keyboard.press("Escape");
  check(!(await page.evaluate(() => document.activeElement.hasAttribute("data-cell"))), "Esc leaves the board");
  check(!(await help.isVisible()), "the help goes with the focus");
});

test("keyboard: Tab on the board changes between playing and analysing", async ({ open }) => {
  const page = await open("/othello");
  await board(page);
  await toBoard(page);
  await page.keyboard.press("Tab");
  await until(page, () => document.querySelector('[data-mode="analyse"]').getAttribute("aria-pressed") === "true");
  check(await page.evaluate(() => document.activeElement.hasAttribute("data-cell")), "the focus stays");
  await page.keyboard.press("Tab");
  await until(page, () => document.querySelector('[data-mode="play"]').getAttribute("aria-pressed") === "true");
});

test("keyboard: every key of the map", async ({ open }) => {
  const page = await open("/othello?moves=" + encodeURIComponent("f5 d6 c3 d3") + "&var=" + encodeURIComponent("0.1 f6 e6"));
  await atPly(page, 4);
  await page.locator("body").click({ position: { x: 3, y: 300 } });
  const press = async (key, ply) => {
    await page.keyboard.press(key);
    await atPly(page, ply).catch((error) => {
      throw new Error(`${key}: ${error.message}`);
    });
  };
  await press("ArrowLeft", 3);
  await press("ArrowRight", 4);
  await press("j", 3);
  await press("k", 4);
  await press("Home", 0);
  await press("End", 4);
  await press("0", 0);
  await press("$", 4);
  await press("Home", 0);
  await press("Shift+ArrowRight", 2);
  check((await page.locator("[aria-current].move").textContent()) === "f6", "entered the variation");
  await page.keyboard.press("ArrowUp");
  await until(page, () => document.querySelector("[aria-current].move").textContent === "d6");
  await page.keyboard.press("ArrowDown");
  await until(page, () => document.querySelector("[aria-current].move").textContent === "f6");
  await press("Shift+ArrowLeft", 1);
  await press("u", 0);
  await press("Control+Shift+z", 1);
  await press("Control+z", 0);
  await press("End", 4);
  const pressed = (id) => byTest(page, id).getAttribute("aria-pressed");
  const values = await pressed("values");
  await page.keyboard.press("v");
  await until(page, (old) => document.querySelector('[data-testid="values"]').getAttribute("aria-pressed") !== old, values);
  await page.keyboard.press("v");
  await page.keyboard.press("g");
  await until(page, () => document.querySelector('[data-testid="graph"]').hidden);
  await page.keyboard.press("g");
  const corner = () => page.evaluate(() => document.querySelector('[data-cell="a1"]').getBoundingClientRect().x > document.querySelector('[data-cell="h8"]').getBoundingClientRect().x);
  equal(await corner(), false, "a1 is at the left");
  await page.keyboard.press("f");
  equal(await corner(), true, "a1 is at the right after flipping");
  await page.keyboard.press("f");
  await page.keyboard.press("e");
  await page.waitForSelector('[data-testid="editor"]');
  await page.keyboard.press("Escape");
  await until(page, () => !document.querySelector('[data-testid="editor"]'));
  await page.keyboard.press("Space");
  await page.waitForSelector('[data-testid="lines"] .line');
  await page.keyboard.press("1");
  await atPly(page, 5);
  await page.keyboard.press("l");
  await until(page, () => document.querySelector('[data-testid="engine-toggle"]').getAttribute("aria-checked") === "false");
  await page.keyboard.press("Enter");
  await atPly(page, 6);
  await page.keyboard.press("x");
  await page.waitForSelector(".overlay .arrow.rank-9");
  await page.keyboard.press("x");
  await until(page, () => !document.querySelector(".overlay .arrow.rank-9"));
  await page.keyboard.press("h");
  await page.waitForSelector(".overlay .arrow.ring");
  await page.keyboard.press("a");
  await page.waitForSelector('[data-testid="summary"]:not([hidden])');
  await page.keyboard.press("?");
  await page.waitForSelector('[data-testid="keys-dialog"]');
  await page.keyboard.press("Escape");
  await until(page, () => !document.querySelector("dialog"));
});

test("keyboard: keys can be rebound, and rest while a text is written", async ({ open }) => {
  const page = await open("/othello?moves=f5%20d6");
  await atPly(page, 2);
  await byTest(page, "keys").click();
  await page.locator('[data-action="back"] .rebind').click();
  await page.keyboard.press("b");
  await until(page, () => document.querySelector('[data-action="back"] kbd').textContent === "b");
  await page.keyboard.press("Escape");
  await page.locator("body").click({ position: { x: 3, y: 300 } });
  await page.keyboard.press("b");
  await atPly(page, 1);
  await page.reload();
  await board(page);
  await page.locator("body").click({ position: { x: 3, y: 300 } });
  await page.keyboard.press("b");
  await atPly(page, 0);
  await byTest(page, "import").click();
  await byTest(page, "import-text").fill("");
  await page.keyboard.type("kkff");
  equal(await byTest(page, "import-text").inputValue(), "kkff", "typed text");
  equal((await state(page)).ply, 0, "ply");
});
