import { check, equal, test } from "../harness.mjs";
import { board, byTest, describe, movesOf, playMove, settled, until } from "../driver.mjs";

/** The centre of the first tile on the screen, by its fixed place on the plane. */
const firstTile = (page) =>
  page.evaluate(() => {
    const tile = document.querySelector('.pieces > g[transform="translate(0 0)"]');
    const box = tile.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width };
  });

test("trax: the board grows in all four directions and the view does not jump", async ({ open, server }) => {
  const page = await open("/trax?play=both", { reducedMotion: "reduce" });
  await board(page);
  await playMove(page, await describe(server.address, "trax", {}), "@0+");
  await settled(page, 1);
  let [before, window] = [await firstTile(page), await page.locator("[data-testid=board]").getAttribute("data-window")];
  const grown = { left: 0, right: 0, up: 0, down: 0 };
  let [kept, widened] = [0, 0];
  for (let ply = 1; ply < 17; ply += 1) {
    const described = await describe(server.address, "trax", movesOf(page));
    if (described.outcome) break;
    const { view } = described;
    const [columns, rows] = [view.columns.length, view.rows.length];
    const wish = ["left", "right", "up", "down"][ply % 4];
    const beyond = (cell) => ({ left: cell % columns === 0, right: cell % columns === columns - 1, up: cell < columns, down: cell >= columns * (rows - 1) })[wish];
    const candidates = view.moves.filter((move) => beyond(move.to));
    // Moves that do not end the game.
    let chosen = null;
    for (const move of candidates) {
      const next = await describe(server.address, "trax", { moves: [...movesOf(page).moves, move.move] });
      if (next.outcome === null) {
        chosen = move.move;
        break;
      }
    }
    if (!chosen) continue;
    await playMove(page, described, chosen);
    await settled(page, described.history.length + 1);
    grown[wish] += 1;
    const [after, now] = [await firstTile(page), await page.locator("[data-testid=board]").getAttribute("data-window")];
    const moved = Math.hypot(after.x - before.x, after.y - before.y);
    if (now === window) {
      kept += 1;
      check(moved < 0.5, `${chosen}: the window stayed, but the first tile moved by ${moved} px`);
    } else {
      widened += 1;
      check(moved < before.size, `${chosen}: the first tile jumped by ${moved} px, a tile is ${before.size} px`);
    }
    [before, window] = [after, now];
  }
  for (const [direction, times] of Object.entries(grown)) check(times > 0, `the board never grew ${direction}`);
  check(kept > 0, "the window never stayed");
  const labels = await page.locator(".ground .label").allTextContents();
  check(labels.includes("@") && labels.includes("A") && labels.includes("0"), `labels: ${labels}`);
  console.log(`      grew ${JSON.stringify(grown)}; the window stayed ${kept} times and widened ${widened} times`);
});

test("trax: a choice shows its forced tiles, a second press goes to the next", async ({ open, server }) => {
  const page = await open("/trax?play=both");
  await board(page);
  await playMove(page, await describe(server.address, "trax", {}), "@0/");
  await settled(page, 1);
  // A cell with several tiles, at least one of which forces another.
  let described = null;
  let target = null;
  for (let ply = 1; ply < 12 && !target; ply += 1) {
    described = await describe(server.address, "trax", movesOf(page));
    target = described.view.moves.find((move) => (move.fills?.length ?? 0) > 1 && described.view.moves.filter((other) => other.to === move.to).length > 1);
    if (target) break;
    await playMove(page, described, described.moves[ply % described.moves.length]);
    await settled(page, described.history.length + 1);
  }
  check(target, "no forcing move found");
  const cell = page.locator(`[data-cell="${described.view.names[target.to]}"]`);
  await cell.click({ force: true });
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-choice"));
  const first = await focused();
  await cell.click({ force: true });
  check((await focused()) !== first, "a second press goes to the next tile");
  await page.locator(`[data-choice=${JSON.stringify(target.move)}]`).hover();
  equal(await page.locator(".overlay .ghost").count(), target.fills.length, "translucent tiles");
  await page.keyboard.press("Escape");
  await until(page, () => document.querySelectorAll(".overlay .ghost").length === 0);
  await cell.click({ force: true });
  await page.locator(`[data-choice=${JSON.stringify(target.move)}]`).click();
  await settled(page, described.history.length + 1);
  await page.waitForSelector(".overlay .turn");
  equal(await page.locator(".overlay .turn.forced").count(), target.fills.length - 1, "tiles marked as forced");
});

test("trax: the winning track is highlighted", async ({ open, server }) => {
  // A loop of white: found by trying moves until one ends the game.
  let moves = ["@0/"];
  let ended = null;
  for (let ply = 0; ply < 40 && !ended; ply += 1) {
    const described = await describe(server.address, "trax", { moves });
    for (const move of described.moves) {
      const next = await describe(server.address, "trax", { moves: [...moves, move] });
      if (next.outcome) {
        ended = [...moves, move];
        break;
      }
    }
    moves = [...moves, described.moves[(ply * 7) % described.moves.length]];
  }
  check(ended, "no game ended");
  const page = await open(`/trax?moves=${encodeURIComponent(ended.join(" "))}`);
  await board(page);
  const described = await describe(server.address, "trax", { moves: ended });
  equal(await page.locator(".pieces > g.winning").count(), described.view.winning.cells.length, "highlighted tiles");
  check((await byTest(page, "result").textContent()).includes("won"), "result");
});

test("trax: pieces of a shared address keep their plus signs", async ({ open }) => {
  const page = await open("/trax?moves=" + encodeURIComponent("@0+ B1+"));
  await board(page);
  check(!page.url().includes("+"), page.url());
  check(page.url().includes("%2B"), page.url());
});
