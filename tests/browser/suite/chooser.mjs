import { check, equal, test } from "../harness.mjs";
import { board, byTest } from "../driver.mjs";

test("chooser: four boards as pictures lead to the games", async ({ open }) => {
  const page = await open("/");
  await page.waitForSelector(".card .board .pieces > g");
  for (const game of ["othello", "trax", "ostle", "shogi"]) {
    await page.waitForSelector(`.card.${game} .pieces > g`);
  }
  equal(await page.locator(".card").count(), 4, "cards");
  await page.locator('[data-game="shogi"]').click();
  await board(page);
  check(page.url().endsWith("/shogi"), page.url());
  equal(await page.locator("[data-cell]").count(), 81, "cells of shogi");
});

test("chooser: every game shows its board and its names for tests", async ({ open }) => {
  for (const [game, cells] of [["othello", 64], ["trax", 1], ["ostle", 25], ["shogi", 81]]) {
    const page = await open(`/${game}`);
    await board(page);
    equal(await page.locator("[data-cell]").count(), cells, `cells of ${game}`);
    for (const id of ["board", "move-list", "mover", "result", "eval-bar", "lines", "graph", "engine-toggle", "level", "import", "export", "undo", "redo", "flip", "values", "new-game", "analyse-game", "keys"]) {
      equal(await byTest(page, id).count(), 1, `${id} of ${game}`);
    }
    const labels = await page.locator("[data-cell]").evaluateAll((all) => all.filter((cell) => !cell.getAttribute("aria-label").startsWith(cell.getAttribute("data-cell"))).length);
    equal(labels, 0, `labels of ${game} that do not begin with the cell's name`);
    check(await page.locator("[data-cell]").evaluateAll((all) => all.every((cell) => cell.getAttribute("role") && cell.hasAttribute("tabindex"))), `${game}: every cell has a role and can be focused`);
  }
});

test("chooser: an address that leads nowhere leads to the chooser", async ({ open }) => {
  const page = await open("/chess");
  await page.waitForSelector(".card.shogi .pieces > g");
  check((await page.locator(".toast").textContent()).includes("no such page"), "the page says so");
});

test("chooser: the theme can be chosen and is kept", async ({ open }) => {
  const page = await open("/othello", { colorScheme: "light" });
  await board(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await byTest(page, "theme").click();
  await byTest(page, "theme").click();
  const dark = await background();
  check(light !== dark, "the dark theme has another background");
  await page.reload();
  await board(page);
  equal(await background(), dark, "background after a reload");
});
