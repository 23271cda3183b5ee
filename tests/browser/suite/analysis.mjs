import { check, equal, test } from "../harness.mjs";
import { board, byTest, describe, movesOf, state, until } from "../driver.mjs";

const withValue = (page) => until(page, () => document.querySelector('[data-testid="eval-bar"] .text').textContent !== "");

for (const game of ["othello", "trax", "ostle", "shogi"]) {
  test(`analysis: lines, bar and values of ${game}`, async ({ open, server }) => {
    const page = await open(`/${game}`);
    await board(page);
    await page.locator('[data-mode="analyse"]').click();
    await page.waitForSelector('[data-testid="lines"] .line');
    const shown = await state(page);
    equal(await byTest(page, "lines").getAttribute("data-position"), shown.position, "position of the lines");
    check((await page.locator(".lines-head .unit").textContent()).length > 3, "the unit is named");
    if (game !== "trax") await withValue(page);
    if (game === "othello") {
      await until(page, () => document.querySelectorAll(".overlay .value").length === 4);
      const label = await page.locator('[data-cell="f5"]').getAttribute("aria-label");
      check(/^f5, empty, legal, .*\d/u.test(label), label);
    }
    if (game === "ostle") {
      const { moves, view } = await describe(server.address, game, {});
      await until(page, (count) => document.querySelectorAll(".overlay .value.edge").length === count, moves.length);
      const from = view.names[view.moves[0].from];
      check(/, legal, .*\d|, .*\d/u.test(await page.locator(`[data-cell="${from}"]`).getAttribute("aria-label")), "a piece tells its best move");
    }
    if (game === "shogi") {
      await page.waitForSelector(".overlay .arrow.rank-0 .head");
      const best = await page.locator('[data-testid="lines"] .line').first().locator(".pv-move").first().textContent();
      await page.locator(`[data-cell="${best.slice(0, 2)}"]`).click();
      await page.waitForSelector(".overlay .value");
    }
    await byTest(page, "engine-toggle").click();
    await until(page, () => document.querySelectorAll('[data-testid="lines"] .line').length === 0);
    equal(await page.locator(".overlay .value").count(), 0, "values after the engine is off");
  });
}

test("analysis: values go away with the switch", async ({ open }) => {
  const page = await open("/othello?moves=f5");
  await board(page);
  await byTest(page, "engine-toggle").click();
  await page.waitForSelector(".overlay .value");
  await byTest(page, "values").click();
  await until(page, () => document.querySelectorAll(".overlay .value").length === 0);
  equal(await byTest(page, "values").getAttribute("aria-pressed"), "false", "switch");
});

test("analysis: exact endgame values are marked", async ({ open, server }) => {
  // Ten empty squares: solved at once.
  let moves = [];
  for (let ply = 0; ply < 50; ply += 1) {
    const described = await describe(server.address, "othello", { moves });
    if (described.outcome) break;
    moves.push(described.moves[ply % described.moves.length]);
  }
  const page = await open(`/othello?moves=${encodeURIComponent(moves.join(" "))}`);
  await board(page);
  await byTest(page, "engine-toggle").click();
  await page.waitForSelector('[data-testid="lines"] .line.exact .tag');
  await page.waitForSelector(".overlay .value.exact");
  await until(page, () => /^Solved, \d+ plies deep/u.test(document.querySelector(".lines-head").textContent));
  const label = await page.locator("[data-cell].playable").first().getAttribute("aria-label");
  check(label.includes("exact"), label);
});

test("analysis: resting on a line previews it, pressing plays it", async ({ open }) => {
  const page = await open("/othello?moves=f5");
  await board(page);
  await page.locator('[data-testid="choose-seconds"]').selectOption("2");
  await byTest(page, "engine-toggle").click();
  await until(page, () => document.querySelectorAll('[data-testid="lines"] .line:first-child .pv-move').length > 2);
  await until(page, () => document.querySelector(".lines-head").textContent.includes("Depth"));
  const before = await state(page);
  await page.locator('[data-testid="lines"] .line').first().locator(".pv-move").nth(1).hover();
  await page.waitForSelector(".board.preview");
  check((await state(page)).position !== before.position, "the preview shows another position");
  await page.mouse.move(5, 5);
  await until(page, () => !document.querySelector(".board.preview"));
  equal((await state(page)).position, before.position, "the position comes back");
  await page.locator('[data-testid="lines"] .line').first().locator(".pv-move").nth(1).click();
  await until(page, () => document.querySelector('[data-testid="board"]').dataset.ply === "3");
});

test("analysis: after 50 fast changes the value shown belongs to the position shown", async ({ open, server }) => {
  let moves = [];
  for (let ply = 0; ply < 24; ply += 1) {
    const described = await describe(server.address, "othello", { moves });
    moves.push(described.moves[ply % described.moves.length]);
  }
  const page = await open(`/othello?moves=${encodeURIComponent(moves.join(" "))}`);
  await board(page);
  await byTest(page, "engine-toggle").click();
  await page.waitForSelector('[data-testid="lines"] .line');
  // Watches every change of the lines and of the bar: none may ever belong to another position than the board's.
  await page.evaluate(() => {
    window.stale = [];
    const lines = document.querySelector('[data-testid="lines"]');
    const bar = document.querySelector('[data-testid="eval-bar"]');
    const svg = document.querySelector('[data-testid="board"]');
    const look = () => {
      for (const [name, element] of [["lines", lines], ["bar", bar]]) {
        const of = element.dataset.position;
        if (of && of !== svg.dataset.position) window.stale.push(`${name}: ${of} on ${svg.dataset.position}`);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await page.locator("body").click({ position: { x: 3, y: 300 } });
  for (let change = 0; change < 50; change += 1) await page.keyboard.press(change % 3 === 2 ? "k" : "j");
  const last = await page.evaluate(() => document.querySelector("[data-testid=move-list] [aria-current]")?.dataset.ply ?? "0");
  await until(page, (ply) => {
    const svg = document.querySelector('[data-testid="board"]');
    const lines = document.querySelector('[data-testid="lines"]');
    return svg.dataset.ply === ply && lines.dataset.position === svg.dataset.position && lines.children.length > 0;
  }, last);
  const end = await state(page);
  const described = await describe(server.address, "othello", { moves: movesOf(page).moves.slice(0, Number(last)) });
  equal(end.position, described.position, "the position on the board");
  const move = await page.locator('[data-testid="lines"] .line').first().locator(".pv-move").first().textContent();
  check(described.moves.includes(move), `${move} is legal in the position shown`);
  equal(await page.evaluate(() => window.stale), [], "values of other positions");
});

test("analysis: a whole game with losses, next mistake and a summary", async ({ open, server }) => {
  const moves = [];
  for (let ply = 0; ply < 20; ply += 1) {
    const described = await describe(server.address, "othello", { moves });
    moves.push(described.moves[(ply * 5) % described.moves.length]);
  }
  const page = await open(`/othello?moves=${encodeURIComponent(moves.join(" "))}&at=0.0`);
  await board(page);
  await byTest(page, "analyse-game").click();
  await page.waitForSelector('[data-testid="summary"]:not([hidden]) table');
  await until(page, () => document.querySelectorAll('[data-testid="graph"] .loss').length > 0);
  check((await page.locator('[data-testid="graph"] .curve').getAttribute("d")).split("L").length > 15, "the curve has a point for each move");
  const marked = await page.locator(".move .glyph").count();
  check(marked > 0, "bad moves are marked");
  await byTest(page, "next-mistake").click();
  await until(page, () => document.querySelector("[data-testid=move-list] [aria-current] .glyph") !== null);
  check((await page.locator("[data-testid=move-list] [aria-current] .loss").textContent()).startsWith("−"), "the loss has a sign");
  const rows = await page.locator('[data-testid="summary"] tbody tr').count();
  check(rows >= 5, "rows of the summary");
});

test("analysis: the cursor of the graph moves the board", async ({ open }) => {
  const page = await open(`/othello?moves=${encodeURIComponent("f5 d6 c3 d3 c4 f4 c5 b3")}`);
  await board(page);
  const plot = page.locator(".graph-plot");
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
  await until(page, () => document.querySelector('[data-testid="board"]').dataset.ply === "4");
  await page.mouse.move(box.x + 3, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await until(page, () => document.querySelector('[data-testid="board"]').dataset.ply === "0");
});

test("analysis: values of Trax are win rates, with losses in per cent", async ({ open }) => {
  const page = await open(`/trax?moves=${encodeURIComponent("@0/ A2+ B1\\ C1+ A0/ D2/")}`);
  await board(page);
  await byTest(page, "engine-toggle").click();
  await page.waitForSelector('[data-testid="lines"] .line');
  const rate = /^(\d+%|win in \d+|loss in \d+|win|loss|draw)/u;
  for (const text of await page.locator(".line-value").allTextContents()) check(rate.test(text), text);
  const bar = await byTest(page, "eval-bar").getAttribute("aria-label");
  check(/^Evaluation for White: (\d+%|win|loss)/u.test(bar), bar);
  await byTest(page, "analyse-game").click();
  await page.waitForSelector('[data-testid="summary"]:not([hidden])');
  const average = await page.locator(".summary tbody tr").nth(1).allTextContents();
  check(/^Average loss \(win rate\)\d+(\.\d)?%\d+(\.\d)?%$/u.test(average[0]), average[0]);
});

test("analysis: a value of thousands of centipawns fits the bar", async ({ open }) => {
  const page = await open(`/shogi?position=${encodeURIComponent("4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 2P 1")}`);
  await board(page);
  await byTest(page, "engine-toggle").click();
  await until(page, () => document.querySelector('[data-testid="eval-bar"] .text').textContent !== "");
  const [width, text, room] = await page.evaluate(() => {
    const bar = document.querySelector('[data-testid="eval-bar"]');
    const text = bar.querySelector(".text");
    const range = document.createRange();
    range.selectNodeContents(text);
    return [range.getBoundingClientRect().width, text.textContent, bar.getBoundingClientRect().width];
  });
  check(/^(\+\d+\.\dk|W\d+|win)$/u.test(text), `a winning value: ${text}`);
  check(width <= room, `${text}: ${width} px in ${room} px`);
});

test("analysis: a threat that cannot be shown is told in words", async ({ open }) => {
  const page = await open(`/trax?moves=${encodeURIComponent("@0/ A2+")}`);
  await board(page);
  await page.keyboard.press("x");
  await until(page, () => document.querySelector(".notice").textContent.includes("Attacks"));
});
