import { check, equal, test } from "../harness.mjs";
import { board, byTest, describe, movesOf, until } from "../driver.mjs";

const plies = (page, count) => until(page, (wanted) => document.querySelectorAll("[data-testid=move-list] .main-line .move").length === wanted, count);

/** A short game of each, and what the server writes for each of its formats. */
const GAMES = {
  othello: "f5 d6 c3 d3 c4 f4",
  trax: "@0/ A2+ B1\\",
  ostle: "c5u a1d c3r",
  shogi: "7g7f 3c3d 8h2b+ 3a2b",
};

const games = async (server) => (await (await fetch(`${server.address}/api/v1/games`)).json()).games;

async function paste(page, text) {
  await byTest(page, "import").click();
  await byTest(page, "import-text").fill(text);
  await byTest(page, "import-go").click();
}

for (const [game, text] of Object.entries(GAMES)) {
  test(`records: ${game} is exported and pasted back in each format`, async ({ open, server }) => {
    const info = (await games(server)).find((known) => known.game === game);
    const described = await describe(server.address, game, { moves: text });
    const moves = described.history.map((ply) => ply.move);
    const done = [];
    for (const format of info.formats) {
      const page = await open(`/${game}?moves=${encodeURIComponent(moves.join(" "))}`);
      await board(page);
      await byTest(page, "export").click();
      await byTest(page, "export-format").selectOption(format.name);
      await until(page, (name) => {
        const box = document.querySelector('[data-testid="export-text"]');
        return box.dataset.format === name && (box.value !== "" || document.querySelector(".dialog .message").textContent !== "");
      }, format.name);
      const out = await byTest(page, "export-text").inputValue();
      if (out.startsWith("A binary file")) {
        // Not text: saved as a file, and dropped on the board again.
        const body = JSON.stringify({ record: { moves }, format: format.name });
        const answer = await (await fetch(`${server.address}/api/v1/${game}/export`, { method: "POST", headers: { "content-type": "application/json" }, body })).json();
        await byTest(page, "close").click();
        const other = await open(`/${game}`);
        await board(other);
        await other.evaluate(({ bytes, name }) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))], name));
          document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }, { bytes: answer.bytes, name: `game.${answer.extension}` });
        await plies(other, moves.length);
        done.push(`${format.name} (a file)`);
        continue;
      }
      check(out !== "", `${format.name}: ${await page.locator(".dialog .message").textContent()}`);
      await byTest(page, "close").click();
      const other = await open(`/${game}`);
      await board(other);
      await paste(other, out);
      await plies(other, moves.length).catch((error) => {
        throw new Error(`${format.name} was not read back: ${JSON.stringify(out)} ${error.message}`);
      });
      equal(movesOf(other).moves, moves, `moves of ${format.name}`);
      done.push(format.name);
    }
    console.log(`      ${game}: ${done.join(", ")}`);
  });
}

const PASTED = [
  ["othello", "transcript", "f5d6c3d3c4f4", 6],
  ["othello", "upper case, blanks, CRLF", "  F5 D6 C3\r\n", 3],
  ["othello", "GGF", "(;GM[Othello]PC[x]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)", 3],
  ["othello", "a position", "---------------------------OX------XO--------------------------- X", 0],
  ["ostle", "a position of 25 digits", "2222200000003000000011111", 0],
  ["trax", "moves with a trailing comment", "@0/ A2+ B1\\", 3],
  ["ostle", "moves", "c5u a1d c3r", 3],
  ["ostle", "moves after a start position", "22222-00000-00300-00000-11111: c5u a1d", 2],
  ["shogi", "USI", "startpos moves 7g7f 3c3d", 2],
  ["shogi", "USI with position", "position startpos moves 7g7f 3c3d", 2],
  ["shogi", "SFEN", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 2g2f", 1],
  ["shogi", "CSA", "V2.2\nPI\n+\n+7776FU\n-3334FU\n", 2],
  ["shogi", "KIF", "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n", 2],
  ["shogi", "KI2", "手合割：平手\n▲７六歩 △３四歩\n", 2],
];

test("records: pasted texts of each format are detected", async ({ open }) => {
  for (const [game, name, text, count] of PASTED) {
    const page = await open(`/${game}`);
    await board(page);
    // As a person pastes: with the keyboard, while nothing has the focus.
    await page.evaluate((value) => {
      const data = new DataTransfer();
      data.setData("text/plain", value);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);
    const done = until(page, (wanted) => !document.querySelector("dialog") && document.querySelectorAll("[data-testid=move-list] .main-line .move").length === wanted, count);
    await done.catch(async (error) => {
      throw new Error(`${game} ${name}: ${await page.locator(".dialog .message").textContent().catch(() => "")} ${error.message}`);
    });
    await page.close();
  }
});

const MALFORMED = [
  ["othello", "f5d6z9"], ["othello", "f5f5"], ["othello", "hello"], ["othello", "(;GM[Othello]"], ["othello", "f5 a1"], ["othello", "99"],
  ["trax", "@0/ Z9+"], ["trax", "@0x"], ["trax", "@0/ @0/"], ["trax", "hello"],
  ["ostle", "c5u c5u"], ["ostle", "z9u"], ["ostle", "123"], ["ostle", "c5x"],
  ["shogi", "startpos moves 7g7f 7g7f"], ["shogi", "sfen x"], ["shogi", "+7775FU"], ["shogi", "7g7z"], ["shogi", "▲５五角"], ["shogi", "手合割：平手\n   1 ５五歩(77)\n"],
];

test("records: 20 malformed texts give a readable message", async ({ open }) => {
  /** @type {Record<string, any>} */
  const pages = {};
  equal(MALFORMED.length, 20, "samples");
  for (const [game, text] of MALFORMED) {
    pages[game] ??= await open(`/${game}`);
    const page = pages[game];
    await board(page);
    await paste(page, text);
    await until(page, () => (document.querySelector(".dialog .message.bad")?.textContent ?? "").length > 8).catch((error) => {
      throw new Error(`${game} ${JSON.stringify(text)}: no message; ${error.message}`);
    });
    const message = await page.locator(".dialog .message").textContent();
    check(!/undefined|null|\[object/u.test(message), message);
    await byTest(page, "close").click();
  }
});

test("records: a fault names line and token, and the legal part can be shown", async ({ open }) => {
  const page = await open("/shogi");
  await board(page);
  await paste(page, "V2.2\nPI\n+\n+7776FU\n-3334FU\n+9999XX\n");
  await until(page, () => (document.querySelector(".dialog .message.bad")?.textContent ?? "") !== "");
  const message = await page.locator(".dialog .message").textContent();
  check(/line 6/u.test(message) && message.includes("9999XX"), message);
  await page.locator(".record").first().click();
  await plies(page, 2);
});

test("records: a dropped file is imported", async ({ open }) => {
  const page = await open("/othello");
  await board(page);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["f5d6c3d3"], "game.txt", { type: "text/plain" }));
    document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await plies(page, 4);
});

test("records: several games in a file can be chosen from", async ({ open }) => {
  const page = await open("/othello");
  await board(page);
  await paste(page, "f5d6c3\nc4c3d3\nf5f6\n");
  await page.waitForSelector(".record >> nth=2");
  await page.locator(".record").nth(2).click();
  await plies(page, 2);
});

test("records: copying takes the game along", async ({ open }) => {
  const page = await open("/othello?moves=f5%20d6");
  await board(page);
  await page.keyboard.press("Control+c");
  await until(page, () => navigator.clipboard.readText().then((text) => text === "f5 d6"));
});

test("records: comments of a record are shown and written again", async ({ open }) => {
  const page = await open("/shogi");
  await board(page);
  await paste(page, "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n*opens the diagonal\n   2 ３四歩(33)   ( 0:01/00:00:01)\n");
  await plies(page, 2);
  equal(await page.locator(".comment").allTextContents(), ["opens the diagonal"], "comments");
  await byTest(page, "export").click();
  await byTest(page, "export-format").selectOption("kif");
  await until(page, () => document.querySelector('[data-testid="export-text"]').value.includes("opens the diagonal"));
});
