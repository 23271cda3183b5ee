import { check, equal, test } from "../harness.mjs";
import { board, byTest, state, until } from "../driver.mjs";

const atPly = (page, ply) => until(page, (wanted) => document.querySelector('[data-testid="board"]').dataset.ply === String(wanted), ply);

/** A tree with a variation and a variation of it, the cursor in the latter. */
async function grow(page) {
  await board(page);
  for (const [index, cell] of ["f5", "d6", "c3"].entries()) {
    await page.locator(`[data-cell="${cell}"]`).click();
    await atPly(page, index + 1);
  }
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await atPly(page, 1);
  await page.locator('[data-cell="f6"]').click();
  await atPly(page, 2);
  await page.locator('[data-cell="e6"]').click();
  await atPly(page, 3);
  await page.keyboard.press("j");
  await atPly(page, 2);
  await page.locator('[data-cell="d3"]').click().catch(() => {});
}

test("tree: the move of the board is in sight in a long list", async ({ open }) => {
  // Pawns that step forward, and kings that walk to and fro between them: 90 plies, no position four times.
  const walk = ["5i5h", "5a5b", "5h5i", "5b5a"];
  const moves = [..."987654321"].flatMap((file) => [`${file}g${file}f`, `${file}c${file}d`, ...walk, ...walk]);
  const page = await open(`/shogi?moves=${encodeURIComponent(moves.join(" "))}`, { viewport: { width: 1440, height: 600 } });
  await board(page);
  const inSight = () => {
    const move = document.querySelector("[data-testid=move-list] [aria-current].move")?.getBoundingClientRect();
    const list = document.querySelector("[data-testid=move-list]").getBoundingClientRect();
    return move !== undefined && move.top >= list.top && move.bottom <= list.bottom;
  };
  await until(page, inSight);
  await page.locator("[data-step=first]").click();
  await until(page, () => document.querySelector("[data-testid=board]").dataset.ply === "0");
  for (let step = 0; step < 60; step += 1) await page.keyboard.press("k");
  await until(page, () => document.querySelector("[data-testid=board]").dataset.ply === "60");
  await until(page, inSight);
});

test("tree: the current move stays readable under the pointer", async ({ open }) => {
  const page = await open("/othello?moves=f5%20d6");
  await atPly(page, 2);
  const current = page.locator("[data-testid=move-list] [aria-current].move");
  const background = () => current.evaluate((element) => getComputedStyle(element).backgroundColor);
  const before = await background();
  await current.hover();
  await until(page, () => document.querySelector("[data-testid=move-list] [aria-current].move").matches(":hover"));
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
  equal(await background(), before, "background of the current move");
});

test("tree: variations are kept, shown, promoted and deleted", async ({ open }) => {
  const page = await open("/othello?play=both");
  await page.waitForSelector('[data-testid="board"][data-ply]');
  await page.locator('[data-mode="analyse"]').click();
  await byTest(page, "engine-toggle").click();
  await grow(page);
  equal(await page.locator(".variations").count() > 0, true, "variations in the list");
  const text = await byTest(page, "move-list").textContent();
  for (const move of ["f5", "d6", "c3", "f6", "e6"]) check(text.includes(move), `${move} is in the list: ${text}`);
  const before = await page.locator(".main-line .move").allTextContents();
  await page.locator(".variation .move").first().click();
  await atPly(page, 2);
  await page.locator('[aria-label="Make this the main line"]').click();
  await until(page, (old) => [...document.querySelectorAll(".main-line .move")].map((one) => one.textContent).join() !== old, before.join());
  await page.locator('[aria-label="Delete from here"]').click();
  await atPly(page, 1);
});

test("tree: reload, back and forward, and a shared address give the same tree and cursor", async ({ open }) => {
  const page = await open("/othello?moves=f5");
  await page.waitForSelector('[data-testid="board"][data-ply]');
  await page.keyboard.press("Home");
  await atPly(page, 0);
  await page.keyboard.press("End");
  await atPly(page, 1);
  await page.locator('[data-cell="d6"]').click();
  await atPly(page, 2);
  await page.keyboard.press("j");
  await atPly(page, 1);
  await page.locator('[data-cell="f6"]').click();
  await atPly(page, 2);
  const look = async (on) => ({ list: await byTest(on, "move-list").innerText(), ...(await state(on)), current: await on.locator("[aria-current].move").textContent() });
  const tree = await look(page);
  check(tree.list.includes("d6") && tree.list.includes("f6"), tree.list);
  await page.reload();
  await atPly(page, 2);
  equal(await look(page), tree, "after a reload");
  const other = await open(new URL(page.url()).pathname + new URL(page.url()).search);
  await atPly(other, 2);
  equal(await look(other), tree, "in another tab by the address");
  await page.goBack();
  await atPly(page, 1);
  await page.goForward();
  await atPly(page, 2);
  equal(await look(page), tree, "after back and forward");
});

test("tree: every game's address survives a round trip", async ({ open }) => {
  for (const [game, moves] of [["othello", "f5 d6 c3"], ["trax", "@0+ B1+ A2/"], ["ostle", "c5u a1d c3r"], ["shogi", "7g7f 3c3d 8h2b+ 3a2b B*5e"]]) {
    const page = await open(`/${game}?moves=${encodeURIComponent(moves)}`);
    await atPly(page, moves.split(" ").length).catch(async (error) => {
      throw new Error(`${game} ${moves}: ${await page.locator(".toast").textContent()} ${error.message}`);
    });
    const before = await state(page);
    await byTest(page, "share").click();
    const link = await byTest(page, "share-link").inputValue();
    check(!link.includes("+"), link);
    const copy = await open(link.slice(new URL(link).origin.length));
    await atPly(copy, moves.split(" ").length);
    equal((await state(copy)).position, before.position, `position of ${game}`);
    equal(new URL(link).searchParams.get("moves"), moves, `moves of ${game}`);
  }
});

test("tree: a start position is shared by its address", async ({ open }) => {
  const sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
  const page = await open(`/shogi?position=${encodeURIComponent(sfen)}&moves=${encodeURIComponent("G*5b")}`);
  await atPly(page, 1);
  await until(page, () => document.querySelector('[data-testid="result"]').textContent.includes("Black won"));
  check((await byTest(page, "result").textContent()).includes("checkmate"), "the reason");
});

test("tree: an illegal move in an address is named, the moves before it are shown", async ({ open }) => {
  const page = await open("/othello?moves=" + encodeURIComponent("f5 d6 h8"));
  await atPly(page, 2);
  await page.waitForSelector(".toast:not([hidden])");
  const text = await page.locator(".toast").textContent();
  check(text.includes("h8") && text.includes("3"), text);
});

test("tree: two tabs do not disturb each other", async ({ open }) => {
  const [one, two] = [await open("/othello?moves=f5"), await open("/othello?moves=c4")];
  await atPly(one, 1);
  await atPly(two, 1);
  for (const page of [one, two]) await byTest(page, "engine-toggle").click();
  for (const page of [one, two]) {
    await page.waitForSelector('[data-testid="lines"] .line');
    equal(await byTest(page, "lines").getAttribute("data-position"), (await state(page)).position, "position of the lines");
  }
});
