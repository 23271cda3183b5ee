import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { check, equal, findBinary, startServer, test } from "../harness.mjs";
import { board, byTest, describe, playMove, state, until } from "../driver.mjs";

test("extras: ostle says whether there is a tablebase and offers to build one", async ({ open, server }) => {
  const page = await open("/ostle?moves=c5u");
  await board(page);
  await page.waitForSelector('[data-testid="table"] .table-body > *');
  const table = await (await fetch(`${server.address}/api/v1/ostle/table`)).json();
  if (table.present) {
    await page.waitForSelector('[data-testid="table-verdict"]');
    await page.waitForSelector(".fates li");
  } else {
    equal(await byTest(page, "table-build").count(), table.offers.length, "offers");
    check((await byTest(page, "table").textContent()).includes("no tablebase"), "the page says so");
  }
});

test("extras: a mate in shogi is found and played out", async ({ open }) => {
  const page = await open(`/shogi?position=${encodeURIComponent("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")}`);
  await board(page);
  await byTest(page, "mate").click();
  await until(page, () => document.querySelector('[data-testid="mate-answer"]').textContent.startsWith("Mate in 1."));
  await byTest(page, "mate-play").click();
  await until(page, () => document.querySelector('[data-testid="result"]').textContent.includes("Black won"));
});

test("extras: no mate is said as well", async ({ open }) => {
  const page = await open(`/shogi?position=${encodeURIComponent("4k4/9/9/9/9/9/9/9/4K4 b G 1")}`);
  await board(page);
  await byTest(page, "mate").click();
  await until(page, () => document.querySelector('[data-testid="mate-answer"]').textContent === "There is no mate.");
});

/** A folder that is removed at the end. */
async function withFolder(run) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tesuji-page-"));
  try {
    await run(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

test("extras: a tablebase is built with progress, and a build can be stopped", async ({ open }) => {
  await withFolder(async (folder) => {
    const server = await startServer(["--table", folder]);
    try {
      const page = await open("/ostle?moves=c5u", {}, server.address);
      await board(page);
      await byTest(page, "table-build").first().click();
      await page.waitForSelector('[data-testid="table-progress"]');
      await page.waitForSelector("progress");
      await byTest(page, "table-cancel").click();
      await page.waitForSelector('[data-testid="table-build"]');
    } finally {
      await server.stop();
    }
  });
});

test("extras: a tournament is watched and its games are replayed with their values", async ({ open }) => {
  await withFolder(async (folder) => {
    const players = '[[player]]\nname = "shallow"\nengine = "alphabeta:depth=2"\n[[player]]\nname = "blind"\nengine = "random"\n';
    fs.writeFileSync(path.join(folder, "cup.toml"), `name = "spring cup"\nseed = 7\npairs = 1\ncontrol = "none"\n${players}[[event]]\ngame = "othello"\n`);
    const games = path.join(folder, "games");
    execFileSync(findBinary(), ["tournament", "run", path.join(folder, "cup.toml"), "--out", games], { stdio: "ignore" });
    const server = await startServer(["--tournament", games]);
    try {
      const page = await open("/", {}, server.address);
      await page.locator('a[href="/?view=tournament"]').click();
      await page.waitForSelector('[data-testid="tournament"] table');
      check((await page.locator("h1").textContent()).includes("spring cup"), "name");
      const replays = page.locator('a[href^="/othello?tournament="]');
      equal(await replays.count(), 2, "games");
      await replays.first().click();
      await until(page, () => document.querySelectorAll("[data-testid=move-list] .main-line .move").length > 20);
      await until(page, () => document.querySelector('[data-testid="graph"] .curve').getAttribute("d").split("L").length > 10);
      check((await page.locator(".notice").textContent()).includes("shallow"), "players");
    } finally {
      await server.stop();
    }
  });
});

for (const game of ["othello", "trax", "ostle", "shogi"]) {
  test(`extras: a puzzle of ${game} is judged and its solution shown`, async ({ open, server }) => {
    const { games } = await (await fetch(`${server.address}/api/v1/games`)).json();
    if (!games.find((info) => info.game === game).capabilities.puzzles) {
      // A server without puzzles offers none.
      const bare = await open(`/${game}`);
      await board(bare);
      equal(await byTest(bare, "puzzles").count(), 0, "panels");
      return;
    }
    const list = await (await fetch(`${server.address}/api/v1/${game}/puzzles`)).json();
    if (list.puzzles.length === 0) {
      const none = await open(`/${game}`);
      await board(none);
      await byTest(none, "puzzle-next").click();
      await until(none, () => document.querySelector('[data-testid="puzzle-text"]').textContent.includes("no puzzles"));
      return;
    }
    const [first] = [...list.puzzles].sort((a, b) => a.difficulty - b.difficulty);
    const solution = await (await fetch(`${server.address}/api/v1/${game}/puzzles/${first.id}`)).json();
    const page = await open(`/${game}`);
    await board(page);
    await byTest(page, "puzzle-next").click();
    await until(page, () => document.querySelector('[data-testid="puzzle-text"]').textContent.includes("Puzzle 1 of"));
    const start = (await state(page)).ply;
    const request = game === "trax" ? { moves: first.position.split(" ") } : { position: first.position };
    const described = await describe(server.address, game, request);
    const wrong = described.moves.find((move) => move !== solution.solution[0]);
    await playMove(page, described, wrong);
    await until(page, () => document.querySelector(".verdict.wrong"));
    equal((await state(page)).ply, start, "a wrong move is not played");
    await playMove(page, described, solution.solution[0]);
    await until(page, () => document.querySelector(".verdict.right"));
    await byTest(page, "puzzle-next").click();
    await until(page, () => document.querySelector('[data-testid="puzzle-text"]').textContent.includes("Puzzle 2 of"));
    await byTest(page, "puzzle-solve").click();
    await until(page, () => document.querySelector('[data-testid="puzzle-text"]').textContent.includes("The solution:"));
  });
}
