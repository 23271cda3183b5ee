import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { artifacts, check, equal, findBinary, startServer, test } from "../harness.mjs";
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

/**
 * A server with a tablebase: a real one in the folder OSTLE_TABLE (`tesuji solve ostle --pieces 8 --out DIR`, a minute and
 * a half of CPU time), or else what such a server answered, without one.
 */
async function withTable(open, server, run) {
  const recorded = JSON.parse(fs.readFileSync(new URL("../fixtures/ostle-table.json", import.meta.url), "utf8"));
  if (process.env.OSTLE_TABLE) {
    const own = await startServer(["--table", process.env.OSTLE_TABLE]);
    try {
      const page = await open("/ostle", {}, own.address);
      await run(page, recorded, own);
    } finally {
      await own.stop();
    }
    return;
  }
  const page = await open("/ostle");
  const answer = (found) => ({ status: found ? 200 : 404, contentType: "application/json", body: JSON.stringify(found ?? { error: { message: "not recorded" } }) });
  await page.route("**/api/v1/ostle/table", (route) => route.fulfill(answer(recorded.status)));
  await page.route("**/api/v1/ostle/table/longest", (route) => route.fulfill(answer(recorded.longest)));
  await page.route("**/api/v1/ostle/table/query", (route) => {
    const { position, moves = [], line } = route.request().postDataJSON();
    const known = position === recorded.longest.positions[0].position;
    const query = recorded.queries.find(({ plies }) => plies === moves.length);
    route.fulfill(answer(known ? (line ? recorded.line : query?.answer) : undefined));
  });
  await page.reload();
  await run(page, recorded, server);
}

test("extras: with a tablebase: the verdict, every move's fate, the longest win as a tour", async ({ open, server }) => {
  await withTable(open, server, async (page, { longest, line, queries }, used) => {
    await board(page);
    await until(page, () => document.querySelector('[data-testid="table"]').textContent.includes("hidden while you play"));
    equal(await page.locator(".fates").count(), 0, "fates during a game");
    await page.locator('[data-mode="analyse"]').click();
    await until(page, () => document.querySelector('[data-testid="table"]').textContent.includes("not in the tablebase"));
    await byTest(page, "table-tour").click();
    const plies = longest.positions[0].plies;
    await until(page, (count) => document.querySelectorAll("[data-testid=move-list] .main-line .move").length === count, plies);
    await until(page, (text) => document.querySelector('[data-testid="table-verdict"]')?.textContent === text, `loss in ${plies}`);
    equal(await page.locator(".notice").textContent(), `The longest win, ${plies} plies: step through it with →.`, "notice");
    // Along the tour to the famous twenty-three.
    await page.locator("[data-testid=move-list] .main-line .move").nth(plies - 24).click();
    await until(page, (text) => document.querySelector('[data-testid="table-verdict"]')?.textContent === text, "win in 23");
    const { moves } = queries.find((query) => query.plies === plies - 23).answer;
    const legal = moves.filter((move) => !move.forbidden);
    equal(await page.locator(".fates li").count(), legal.length, "fates");
    const fates = await page.locator(".fates .fate").allTextContents();
    equal(fates.filter((text) => text.startsWith("win")).length, legal.filter((move) => move.value === "win").length, "moves that win");
    equal(fates[0], "win in 23", "the best move first");
    await until(page, (count) => document.querySelectorAll(".overlay .value.edge.exact").length === count, legal.length);
    check((await page.locator(".overlay .value.edge.rank-0 text").first().textContent()) === "W23", "the value on the board");
    await page.screenshot({ path: path.join(artifacts, "ostle-table.png"), fullPage: true });
    await page.locator(`.fates [data-move="${line.line[plies - 23].move}"]`).click();
    await until(page, (text) => document.querySelector('[data-testid="table-verdict"]')?.textContent === text, "loss in 22");
    if (used !== server) {
      // A real tablebase also plays, without a word about its folder.
      const body = JSON.stringify({ position: longest.positions[0].position, limits: { level: 10 } });
      const text = await (await fetch(`${used.address}/api/v1/ostle/best-move`, { method: "POST", body })).text();
      const answer = JSON.parse(text);
      equal([answer.source, answer.text, text.includes(process.env.OSTLE_TABLE)], ["tablebase", `loss in ${plies}`, false], "full strength");
    }
  });
});

test("extras: a mate in shogi is found and played out", async ({ open }) => {
  const page = await open(`/shogi?position=${encodeURIComponent("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")}`);
  await board(page);
  await byTest(page, "mate").click();
  await until(page, () => document.querySelector('[data-testid="mate-answer"]').textContent.startsWith("Mate in 1."));
  await byTest(page, "mate-play").click();
  await until(page, () => document.querySelector('[data-testid="result"]').textContent.includes("Black won"));
});

test("extras: a mate is played out move by move", async ({ open }) => {
  const page = await open(`/shogi?position=${encodeURIComponent("9/6B1k/9/9/9/9/9/9/9 b RGPrb3g4s4n4l17p 1")}`);
  await board(page);
  await byTest(page, "mate").click();
  await until(page, () => document.querySelector('[data-testid="mate-answer"]').textContent.startsWith("Mate in 3."));
  await page.evaluate(() => {
    window.plies = [];
    const svg = document.querySelector('[data-testid="board"]');
    new MutationObserver(() => window.plies.push(svg.dataset.ply)).observe(svg, { attributes: true, attributeFilter: ["data-ply"] });
  });
  await byTest(page, "mate-play").click();
  await until(page, () => document.querySelector('[data-testid="result"]').textContent.includes("Black won"));
  equal(await page.evaluate(() => [...new Set(window.plies)].filter((ply) => ply !== "0")), ["1", "2", "3"], "plies shown");
});

test("extras: the policy of a network is shown as arrows with the share of each move", async ({ open, server }) => {
  const page = await open("/shogi?moves=" + encodeURIComponent("7g7f 3c3d"));
  await board(page);
  await byTest(page, "engine").selectOption("policy");
  await byTest(page, "engine-toggle").click();
  await until(page, () => document.querySelector(".lines-head").textContent.includes("Policy of the network"));
  const shares = await page.locator('[data-testid="lines"] .line-value').allTextContents();
  equal(shares.length, 3, "lines");
  const numbers = shares.map((text) => Number(/^(\d+)%$/u.exec(text)?.[1]));
  check(numbers[0] >= numbers[1] && numbers[1] >= numbers[2] && numbers[0] > 20, `shares ${shares}`);
  equal(await page.locator(".overlay .arrow").count(), 3, "arrows");
  const best = await page.locator('[data-testid="lines"] .line .pv-move').first().textContent();
  const { moves } = await describe(server.address, "shogi", { moves: ["7g7f", "3c3d"] });
  check(moves.includes(best), `${best} is legal`);
  check((await byTest(page, "eval-bar").getAttribute("aria-label")).includes("%"), "the bar has the win rate of the position");
  await page.screenshot({ path: path.join(artifacts, "shogi-policy.png"), fullPage: true });
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
      await until(page, () => /^[\d.]+ % Boards with 8 pieces, \d+ plies from the end$/u.test(document.querySelector('[data-testid="table-progress"]')?.textContent ?? ""));
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
      // The engine that looks ahead has a value at each of its moves, to the end: the last ones are proven.
      await page.keyboard.press("End");
      await page.keyboard.press("j");
      const value = /Black .*(win|loss|draw|discs)/u;
      const last = await page.locator(".graph-caption").textContent();
      await page.keyboard.press("j");
      await until(page, (old) => document.querySelector(".graph-caption").textContent !== old, last);
      check([last, await page.locator(".graph-caption").textContent()].some((text) => value.test(text)), last);
    } finally {
      await server.stop();
    }
  });
});

test("extras: a tournament is watched live", async ({ open }) => {
  await withFolder(async (folder) => {
    const players = '[[player]]\nname = "shallow"\nengine = "alphabeta:depth=2"\n[[player]]\nname = "blind"\nengine = "random"\n';
    fs.writeFileSync(path.join(folder, "cup.toml"), `name = "long cup"\nseed = 7\npairs = 200\ncontrol = "none"\n${players}[[event]]\ngame = "othello"\n`);
    const games = path.join(folder, "games");
    const command = (...words) => spawn(findBinary(), ["tournament", ...words, "--json"], { stdio: ["ignore", "pipe", "ignore"] });
    const ended = (child) => new Promise((resolve) => child.on("exit", resolve));
    // Interrupted after its first game, and resumed while the page is open.
    const first = command("run", path.join(folder, "cup.toml"), "--out", games);
    const over = ended(first);
    await new Promise((resolve) => first.stdout.on("data", (data) => String(data).includes('"event":"game"') && resolve(null)));
    first.kill("SIGINT");
    await over;
    const server = await startServer(["--tournament", games]);
    let second = null;
    try {
      const page = await open("/?view=tournament", {}, server.address);
      await page.waitForSelector('[data-testid="tournament"] table');
      const before = await page.locator('[data-testid="tournament"] [role=status]').textContent();
      check(before.includes(" of 400 games"), before);
      second = command("resume", games);
      second.stdout.resume();
      await until(page, (old) => document.querySelector('[data-testid="tournament"] [role=status]').textContent !== old, before);
    } finally {
      if (second) {
        const done = ended(second);
        second.kill("SIGINT");
        await done;
      }
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
    equal(await page.locator(".notice").textContent(), await page.locator(".verdict.wrong").textContent(), "told below the board");
    equal((await state(page)).ply, start, "a wrong move is not played");
    await playMove(page, described, solution.solution[0]);
    await until(page, () => document.querySelector(".verdict.right"));
    await byTest(page, "puzzle-next").click();
    await until(page, () => document.querySelector('[data-testid="puzzle-text"]').textContent.includes("Puzzle 2 of"));
    await byTest(page, "puzzle-solve").click();
    await until(page, () => document.querySelector('[data-testid="puzzle-text"]').textContent.includes("The solution:"));
  });
}

test("extras: puzzles of a difficulty, and those that are solved are remembered", async ({ open, server }) => {
  const { puzzles } = await (await fetch(`${server.address}/api/v1/ostle/puzzles`)).json();
  const { difficulty } = [...puzzles].sort((a, b) => b.difficulty - a.difficulty)[0];
  const pool = puzzles.filter((puzzle) => puzzle.difficulty === difficulty);
  const page = await open("/ostle");
  await board(page);
  await byTest(page, "puzzle-next").click();
  await byTest(page, "puzzle-difficulty").selectOption(String(difficulty));
  const text = () => byTest(page, "puzzle-text").textContent();
  await until(page, (count) => document.querySelector('[data-testid="puzzle-text"]').textContent.includes(`Puzzle 1 of ${count}:`), pool.length);
  check((await text()).includes(`Difficulty ${difficulty} of 10. You have solved 0 of ${puzzles.length}.`), await text());
  const { solution } = await (await fetch(`${server.address}/api/v1/ostle/puzzles/${pool[0].id}`)).json();
  for (let at = 0; at < solution.length; at += 2) {
    const described = await describe(server.address, "ostle", { position: pool[0].position, moves: solution.slice(0, at) });
    await playMove(page, described, solution[at]);
    await until(page, (ply) => Number(document.querySelector('[data-testid="board"]').dataset.ply) >= ply, Math.min(at + 2, solution.length));
  }
  await until(page, () => document.querySelector(".verdict.right")?.textContent === "Solved.");
  check((await text()).includes("You have solved 1 of"), await text());
  // The next one is another, also after a reload.
  await page.reload();
  await board(page);
  await byTest(page, "puzzle-next").click();
  await byTest(page, "puzzle-difficulty").selectOption(String(difficulty));
  await until(page, (count) => document.querySelector('[data-testid="puzzle-text"]').textContent.includes(`Puzzle ${Math.min(2, count)} of ${count}:`), pool.length);
});

test("extras: stable discs are marked on request, and spoken", async ({ open }) => {
  // A corner with three discs beside it, and one black disc that may still be flipped.
  const discs = `${"X".repeat(4)}----${"-".repeat(16)}---OX---${"-".repeat(32)} O`;
  const page = await open(`/othello?position=${encodeURIComponent(discs)}`);
  await board(page);
  equal(await page.locator(".highlight").count(), 0, "marks before they are asked for");
  await byTest(page, "highlights-stable").click();
  equal(await byTest(page, "highlights-stable").getAttribute("aria-pressed"), "true", "the button is pressed");
  equal(await page.locator('[data-mark^="highlight first"]').count(), 4, "stable discs of black");
  equal(await page.locator(".highlight").count(), 4, "stable discs in all");
  check((await page.locator('[data-cell="a1"]').getAttribute("aria-label")).includes("stable"), "a1 is said to be stable");
  await page.screenshot({ path: path.join(artifacts, "stable-discs.png") });
  await page.keyboard.press("s");
  equal(await page.locator(".highlight").count(), 0, "marks after the key");
});

test("extras: attacks of both sides are marked in Trax", async ({ open, server }) => {
  // An engine game before its last move, G0/, which closes a loop.
  const moves = "@0/ @1+ @1\\ C0/ D1/ A0+ B0+ E1\\ @2\\ A1\\ B0+ @3+ A5\\ E6+ @5/ A6/ D0+ @6+ A8\\ F7+ D1\\ C2+ B2\\ A1/ @8/ A9/ A3+ @4+ B0\\ A2/ E9+ E1\\ F0\\ C1\\ H1/ I1+".split(" ");
  const page = await open(`/trax?moves=${encodeURIComponent(moves.join(" "))}`);
  await board(page);
  await byTest(page, "highlights-attack").click();
  const answer = await (await fetch(`${server.address}/api/v1/trax/position`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ moves }),
  })).json();
  const attacks = answer.view.highlights ?? [];
  const winning = answer.view.names.indexOf("G0");
  check(attacks.some(({ side, cells }) => side === "first" && cells.includes(winning)), "white wins at G0");
  equal(await page.locator(".highlight").count(), attacks.flatMap(({ cells }) => cells).length, "marks");
  await page.screenshot({ path: path.join(artifacts, "trax-attacks.png") });
});
