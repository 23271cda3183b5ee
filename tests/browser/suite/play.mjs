import { check, equal, test } from "../harness.mjs";
import { board, byTest, describe, movesOf, playMove, random, setLevel, settled, state, until } from "../driver.mjs";

/** Plays a game against the engine with random moves of our own until it is over. */
async function completeGame(page, server, game, level, seed) {
  const choose = random(seed);
  await board(page);
  await setLevel(page, level);
  let moves = 0;
  for (;;) {
    await until(page, () => !document.querySelector(".mover.thinking"));
    const now = await state(page);
    if (now.result) return { ...now, moves };
    const described = await describe(server.address, game, movesOf(page));
    if (described.outcome) {
      // The address runs ahead of the board by one answer of the server.
      await until(page, () => document.querySelector('[data-testid="result"]').textContent !== "");
      continue;
    }
    if (described.mover !== "first" || described.moves[0] === "pass") {
      await until(page, (ply) => Number(document.querySelector('[data-testid="board"]').dataset.ply) > ply, now.ply);
      continue;
    }
    // Random moves, but no piece of our own goes off the board: that would end a game of Ostle at once.
    const sensible = described.view.moves.filter((move) => move.to !== undefined);
    const text = sensible[choose(sensible.length)].move;
    await playMove(page, described, text);
    moves += 1;
    await until(page, (ply) => {
      const svg = document.querySelector('[data-testid="board"]');
      if (document.querySelector('[data-testid="result"]').textContent) return true;
      return Number(svg.dataset.ply) >= ply + 2 && !document.querySelector(".mover.thinking");
    }, now.ply);
    check(moves < 400, "the game does not end");
  }
}

for (const [game, level, seed] of [["othello", 1, 7], ["trax", 3, 11], ["ostle", 3, 5], ["shogi", 4, 3]]) {
  test(`play: a complete game of ${game} against the engine`, async ({ open, server }) => {
    const page = await open(`/${game}`);
    const end = await completeGame(page, server, game, level, seed);
    const described = await describe(server.address, game, movesOf(page));
    check(described.outcome !== null, "the server agrees that the game is over");
    check(end.result.length > 3 && (await page.title()).includes(end.result), `title: ${await page.title()}`);
    const live = await byTest(page, "live").textContent();
    check(live.includes(end.result), `live region: ${live}`);
    equal(await page.locator("[data-cell].playable").count(), 0, "playable cells after the end");
    console.log(`      ${game}: ${end.ply} plies, ${end.result}`);
  });
}

test("play: undo takes back both moves, redo plays them again", async ({ open, server }) => {
  const page = await open("/othello");
  await board(page);
  await setLevel(page, 1);
  await playMove(page, await describe(server.address, "othello", {}), "f5");
  await settled(page, 2);
  const after = await state(page);
  await byTest(page, "undo").click();
  await until(page, () => document.querySelector('[data-testid="board"]').dataset.ply === "0");
  await byTest(page, "redo").click();
  await settled(page, 2);
  equal((await state(page)).position, after.position, "position after redo");
});

test("play: the other side, both sides, and the engine off", async ({ open, server }) => {
  const page = await open("/othello");
  await board(page);
  await setLevel(page, 1);
  await page.locator('[data-side="second"]').click();
  await settled(page, 1);
  equal((await state(page)).ply, 1, "the engine opened as black");
  equal(await page.evaluate(() => document.querySelector("[data-cell]").getAttribute("data-cell")), "a1", "cells stay in reading order");
  await page.locator('[data-side="both"]').click();
  for (let ply = 1; ply < 4; ply += 1) {
    const described = await describe(server.address, "othello", movesOf(page));
    await playMove(page, described, described.moves[0]);
    await settled(page, ply + 1);
    equal((await state(page)).ply, ply + 1, "nobody answers");
  }
  await page.locator('[data-side="first"]').click();
  await byTest(page, "engine-toggle").click();
  equal(await byTest(page, "engine-toggle").getAttribute("aria-checked"), "false", "switch");
});

test("play: the board is turned for the second player where its players sit opposite each other", async ({ open }) => {
  for (const [game, first, turned] of [["othello", "a1", "a1"], ["ostle", "a1", "e5"], ["shogi", "9a", "1i"]]) {
    const page = await open(`/${game}`);
    await board(page);
    /** The cell at the top left. */
    const corner = () => page.evaluate(() => {
      const cells = [...document.querySelectorAll("[data-cell]")].map((cell) => ({ name: cell.getAttribute("data-cell"), box: cell.getBoundingClientRect() }));
      return cells.sort((a, b) => Math.round(a.box.top - b.box.top) || a.box.left - b.box.left)[0].name;
    });
    equal(await corner(), first, `${game} for the first player`);
    await byTest(page, "engine-toggle").click();
    await page.locator('[data-side="second"]').click();
    equal(await corner(), turned, `${game} for the second player`);
  }
});

test("play: a hint marks a legal move, the engine moves when asked", async ({ open }) => {
  const page = await open("/othello");
  await board(page);
  await byTest(page, "hint").click();
  await page.waitForSelector(".overlay .arrow.ring");
  check(/^Hint: [a-h][1-8]\.$/u.test(await page.locator(".notice").textContent()), "the hint is written as well");
  await byTest(page, "engine-move").click();
  await settled(page, 1);
  check((await state(page)).ply >= 1, "the engine moved");
});

test("play: a cell without a legal move is marked, and words say so", async ({ open }) => {
  const presses = { othello: ["a1"], ostle: ["a1"], shogi: ["5e"], trax: [] };
  for (const [game, cells] of Object.entries(presses)) {
    for (const cell of cells) {
      const page = await open(`/${game}`);
      await board(page);
      await page.locator(`[data-cell="${cell}"]`).click({ force: true });
      await page.waitForSelector(`[data-mark="refused ${cell}"]`, { state: "attached" });
      equal(await page.locator(".notice").textContent(), `No legal move at ${cell}.`, game);
      check((await byTest(page, "live").textContent()).includes(`No legal move at ${cell}.`), "announced");
      equal((await state(page)).ply, 0, "nothing is played");
      const described = await describe(page.url().slice(0, page.url().lastIndexOf("/")), game, {});
      await playMove(page, described, described.view.moves.find((move) => move.to !== undefined).move);
      await until(page, () => !document.querySelector(".mark.refused") && document.querySelector(".notice").textContent === "");
    }
  }
});

test("play: a level is told in plain words", async ({ open }) => {
  for (const game of ["othello", "trax", "ostle", "shogi"]) {
    const page = await open(`/${game}`);
    await board(page);
    const top = Number(await byTest(page, "level").getAttribute("max"));
    equal(top, 10, `levels of ${game}`);
    const texts = new Set();
    for (let level = 1; level <= top; level += 1) {
      await setLevel(page, level);
      texts.add(await page.locator(".level-about").textContent());
    }
    equal(texts.size, top, `descriptions of ${game}`);
  }
});

test("play: othello passes are played and announced", async ({ open, server }) => {
  // Found by playing the first legal move until a side must pass.
  const choose = random(1);
  let moves = [];
  for (let tries = 0; tries < 200; tries += 1) {
    const described = await describe(server.address, "othello", { moves });
    if (described.outcome) {
      moves = [];
      continue;
    }
    if (described.moves[0] === "pass") break;
    moves = [...moves, described.moves[choose(described.moves.length)]];
  }
  const [last] = moves.slice(-1);
  const page = await open(`/othello?moves=${encodeURIComponent(moves.slice(0, -1).join(" "))}&play=both`);
  await board(page);
  const described = await describe(server.address, "othello", { moves: moves.slice(0, -1) });
  await playMove(page, described, last);
  await settled(page, moves.length + 1);
  check((await byTest(page, "live").textContent()).includes("passes"), "the pass is announced");
});

test("play: shogi promotion is asked for, and drops come from the hand", async ({ open, server }) => {
  const page = await open("/shogi?moves=7g7f%203c3d&play=both");
  await board(page);
  let described = await describe(server.address, "shogi", movesOf(page));
  await page.locator('[data-cell="8h"]').click();
  await page.locator('[data-cell="2b"]').click();
  equal(await page.locator("[data-choice]").evaluateAll((all) => all.map((one) => one.dataset.choice).sort()), ["8h2b", "8h2b+"], "choices");
  await page.locator('[data-choice="8h2b+"]').click();
  await settled(page, 3);
  described = await describe(server.address, "shogi", movesOf(page));
  await playMove(page, described, "3a2b");
  await settled(page, 4);
  await page.waitForSelector('[data-hand="b-B"]');
  described = await describe(server.address, "shogi", movesOf(page));
  await playMove(page, described, "B*5e");
  await settled(page, 5);
  check((await page.locator('[data-cell="5e"]').getAttribute("aria-label")).includes("bishop"), "the dropped bishop");
  check((await page.locator('[data-hand="w-B"]').getAttribute("aria-label")).includes("1"), "the other hand");
});

test("play: check is marked in shogi", async ({ open }) => {
  const page = await open("/shogi?moves=" + encodeURIComponent("7g7f 3c3d 8h3c+"));
  await board(page);
  await page.waitForSelector(".mark.check");
  check((await page.locator('[data-cell="5a"]').getAttribute("aria-label")).includes("check"), "label of the king");
});

test("play: ostle marks the forbidden move and moves off the board", async ({ open, server }) => {
  const page = await open("/ostle?moves=c3u&play=both");
  await board(page);
  const described = await describe(server.address, "ostle", movesOf(page));
  equal(described.view.forbidden.move, "c2d", "the move that would undo the last one");
  await page.waitForSelector('.ko[data-mark="ko c2d"]');
  const off = described.view.moves.find((move) => move.to === undefined && move.direction);
  await page.locator(`[data-cell="${described.view.names[off.from]}"]`).click();
  await page.waitForSelector(`[data-choice="${off.move}"]`);
  const own = described.view.moves.find((move) => move.from === off.from && move.to !== undefined);
  await page.locator(`[data-cell="${described.view.names[own.to]}"]`).click({ force: true });
  await settled(page, described.history.length + 1);
});

test("play: resigning ends the game", async ({ open, server }) => {
  const page = await open("/othello");
  await board(page);
  await setLevel(page, 1);
  await playMove(page, await describe(server.address, "othello", {}), "f5");
  await settled(page, 2);
  await byTest(page, "resign").click();
  await until(page, () => document.querySelector('[data-testid="result"]').textContent.includes("White won"));
});
