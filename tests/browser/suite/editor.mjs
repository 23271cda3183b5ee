import { check, equal, test } from "../harness.mjs";
import { board, byTest, state, until } from "../driver.mjs";

test("editor: othello, ostle and shogi have one, trax has none", async ({ open }) => {
  for (const [game, count] of [["othello", 1], ["ostle", 1], ["shogi", 1], ["trax", 0]]) {
    const page = await open(`/${game}`);
    await board(page);
    equal(await byTest(page, "edit").count(), count, `editor of ${game}`);
  }
});

test("editor: an othello position is drawn, checked and used", async ({ open }) => {
  const page = await open("/othello");
  await board(page);
  await byTest(page, "edit").click();
  await page.locator('[aria-label="White disc"].brush').click();
  await page.locator('[data-cell="a1"]').click();
  await until(page, () => document.querySelector('[data-testid="editor-text"]').value.startsWith("O"));
  await page.locator('[data-mover="second"]').click();
  await until(page, () => document.querySelector('[data-testid="editor-text"]').value.endsWith(" O"));
  await until(page, () => !document.querySelector('[data-testid="editor-done"]').disabled);
  await byTest(page, "editor-done").click();
  await until(page, () => document.querySelector('[data-testid="board"]').dataset.position.startsWith("O"));
  check((await byTest(page, "mover").textContent()).startsWith("White"), "mover");
  check(new URL(page.url()).searchParams.get("position").startsWith("O"), page.url());
});

test("editor: a board that is no position is refused with a reason", async ({ open }) => {
  const page = await open("/ostle");
  await board(page);
  await byTest(page, "edit").click();
  await page.locator(".editor button", { hasText: "Clear" }).click();
  await until(page, () => document.querySelector('[data-testid="editor-done"]').disabled);
  const message = await page.locator(".editor .message.bad").textContent();
  check(message.length > 10, message);
});

test("editor: shogi pieces, promotion and hands", async ({ open }) => {
  const page = await open("/shogi");
  await board(page);
  await byTest(page, "edit").click();
  await page.locator(".editor button", { hasText: "Clear" }).click();
  const put = async (brush, cell, times = 1) => {
    await page.locator(`.brush[aria-label="${brush}"]`).click();
    for (let n = 0; n < times; n += 1) await page.locator(`[data-cell="${cell}"]`).click();
  };
  await put("Black king", "5i");
  await put("White king", "5a");
  await put("Black rook", "2h", 2);
  await page.locator('.brush[aria-label="Black gold"]').click();
  await byTest(page, "editor-hand").click();
  await until(page, () => document.querySelector('[data-testid="editor-text"]').value === "4k4/9/9/9/9/9/9/7+R1/4K4 b G 1");
  await until(page, () => !document.querySelector('[data-testid="editor-done"]').disabled);
  await byTest(page, "editor-done").click();
  await page.waitForSelector('[data-hand="b-G"]');
  check((await state(page)).position.startsWith("4k4/9"), "position");
});
