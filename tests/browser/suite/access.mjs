import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { artifacts, check, equal, startServer, test } from "../harness.mjs";
import { board, byTest, until } from "../driver.mjs";

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const POSITIONS = {
  othello: "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 c6 b4",
  trax: "@0/ A2+ B1\\",
  ostle: "c5u a1d c3r",
  shogi: "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 8h2b+ 3a2b",
};

const SIZES = { phone: { width: 320, height: 640 }, tablet: { width: 768, height: 1024 }, desktop: { width: 1440, height: 900 } };

/** Violations in one line each. Runs outside the page's own policy, which forbids foreign code. */
async function violations(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(" | ")}`);
}

const address = (game) => (game === "home" ? "/" : `/${game}?moves=${encodeURIComponent(POSITIONS[game])}`);

async function ready(page, game) {
  if (game === "home") await page.waitForSelector(".card.shogi .pieces > g");
  else await board(page);
}

for (const game of ["home", "othello", "trax", "ostle", "shogi"]) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`sizes: ${game} at ${viewport.width} px, light and dark`, async ({ open }) => {
      for (const colorScheme of ["light", "dark"]) {
        const page = await open(address(game), { viewport, colorScheme, hasTouch: size === "phone", isMobile: size === "phone", reducedMotion: "reduce" });
        await ready(page, game);
        if (game !== "home") {
          await byTest(page, "engine-toggle").click();
          await page.waitForSelector('[data-testid="lines"] .line');
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        equal(wide, 0, "pixels of horizontal scroll");
        if (game !== "home" && size === "phone") {
          const top = await page.evaluate(() => ({
            board: document.querySelector('[data-testid="board"]').getBoundingClientRect().top,
            panel: document.querySelector(".panel").getBoundingClientRect().top,
          }));
          check(top.board < top.panel && top.board < 220, `the board comes first: ${JSON.stringify(top)}`);
          const small = await page.evaluate(() =>
            [...document.querySelectorAll("button, select, a, input")]
              .filter((one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== "hidden" && !one.closest(".pv, .move-list"))
              .map((one) => ({ name: one.getAttribute("data-testid") ?? one.textContent.slice(0, 20), box: one.getBoundingClientRect() }))
              .filter(({ box }) => box.height < 43.5)
              .map(({ name, box }) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`));
          equal(small, [], "targets lower than 44 px");
        }
        await page.screenshot({ path: path.join(artifacts, `${game}-${size}-${colorScheme}.png`), fullPage: true });
        equal(await violations(page), [], `axe-core, ${colorScheme}`);
      }
    });
  }
}

test("access: axe-core finds nothing in dialogues, editor, summary", async ({ open }) => {
  const page = await open(address("othello"), { reducedMotion: "reduce" });
  await board(page);
  for (const id of ["import", "export", "share", "keys"]) {
    await byTest(page, id).click();
    await page.waitForSelector("dialog");
    equal(await violations(page), [], id);
    await page.screenshot({ path: path.join(artifacts, `dialog-${id}.png`) });
    await byTest(page, "close").click();
  }
  await byTest(page, "edit").click();
  equal(await violations(page), [], "editor");
  await page.keyboard.press("Escape");
  await byTest(page, "analyse-game").click();
  await page.waitForSelector('[data-testid="summary"]:not([hidden])');
  equal(await violations(page), [], "summary");
  await page.screenshot({ path: path.join(artifacts, "othello-analysed.png"), fullPage: true });
});

test("access: moves and results are announced, the title tells the state", async ({ open }) => {
  const page = await open("/othello?play=both");
  await board(page);
  await page.locator('[data-cell="f5"]').click();
  await until(page, () => document.querySelector('[aria-live="polite"]').textContent.includes("Black played f5."));
  check((await byTest(page, "live").textContent()).includes("White to move."), "mover in the live region");
  check((await page.title()).startsWith("f5 · White to move."), await page.title());
});

test("access: japanese by the browser's language, and by the switch", async ({ open }) => {
  const page = await open("/shogi?moves=7g7f", { locale: "ja-JP" });
  await board(page);
  equal(await page.evaluate(() => document.documentElement.lang), "ja", "language of the document");
  check((await byTest(page, "mover").textContent()).includes("後手の番"), "mover in Japanese");
  await until(page, () => document.querySelector("[data-testid=move-list] .move").textContent.includes("７六歩"));
  check((await page.title()).includes("将棋"), await page.title());
  equal(await violations(page), [], "axe-core in Japanese");
  await page.screenshot({ path: path.join(artifacts, "shogi-japanese.png"), fullPage: true });
  await byTest(page, "language").click();
  await until(page, () => document.documentElement.lang === "en");
  check((await byTest(page, "mover").textContent()).includes("White to move"), "mover in English");
});

test("access: every text exists in both languages", async ({ open }) => {
  const page = await open("/");
  const missing = await page.evaluate(async () => {
    const { english } = await import("/assets/js/text/en.js");
    const { japanese } = await import("/assets/js/text/ja.js");
    return Object.keys(english).filter((key) => !(key in japanese));
  });
  equal(missing, [], "keys without Japanese");
  for (const game of ["othello", "trax", "ostle", "shogi"]) {
    for (const locale of ["en-GB", "ja-JP"]) {
      const shown = await open(`/${game}`, { locale });
      await board(shown);
      await byTest(shown, "keys").click();
      const raw = await shown.evaluate(() => document.body.innerText.match(/\b(?:action|key|unit|player|game|piece|level|step|value)\.[\w-]+/gu) ?? []);
      equal(raw, [], `untranslated keys of ${game} in ${locale}`);
    }
  }
});

test("access: discs turn over in at most 200 ms, and not at all with reduced motion", async ({ open }) => {
  for (const [reducedMotion, least] of [["no-preference", 1], ["reduce", 0]]) {
    const page = await open("/othello?play=both", { reducedMotion });
    await board(page);
    await page.evaluate(() => {
      window.turns = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        window.turns.push(options.duration);
        return animate.call(this, frames, options);
      };
    });
    await page.locator('[data-cell="f5"]').click();
    await until(page, () => document.querySelector('[data-testid="board"]').dataset.ply === "1");
    const turns = await page.evaluate(() => window.turns);
    check(least === 0 ? turns.length === 0 : turns.length >= least && Math.max(...turns) <= 200, `${reducedMotion}: ${turns}`);
  }
});

test("access: the western piece set", async ({ open }) => {
  const page = await open(address("shogi"));
  await board(page);
  await byTest(page, "pieces").click();
  await page.waitForSelector(".piece.western .letters");
  await page.screenshot({ path: path.join(artifacts, "shogi-western.png") });
});

test("access: dialogues fit a phone, and Esc closes them", async ({ open }) => {
  for (const locale of ["en-GB", "ja-JP"]) {
    const page = await open("/othello?moves=f5%20d6", { viewport: SIZES.phone, locale, hasTouch: true, isMobile: true });
    await board(page);
    for (const id of ["import", "export", "share", "rules", "keys"]) {
      await byTest(page, id).click();
      await page.waitForSelector("dialog");
      const over = await page.evaluate(() => {
        const dialog = document.querySelector("dialog");
        const { left, right } = dialog.getBoundingClientRect();
        return { hidden: dialog.scrollWidth - dialog.clientWidth, left: Math.min(left, 0), right: Math.max(right - innerWidth, 0) };
      });
      equal(over, { hidden: 0, left: 0, right: 0 }, `${id} in ${locale}: pixels that do not fit`);
      await page.keyboard.press("Escape");
      await until(page, () => document.querySelector("dialog") === null);
    }
  }
});

test("access: the rules of every game and variant in both languages", async ({ open, server }) => {
  const { games } = await (await fetch(`${server.address}/api/v1/games`)).json();
  for (const { game, variant_of: base } of games) {
    for (const locale of ["en-GB", "ja-JP"]) {
      const page = await open(`/${game}`, { locale });
      await board(page);
      await byTest(page, "rules").click();
      const rules = await page.locator(".rules li").allTextContents();
      check(rules.length >= 4 && rules.every((text) => text.length > 9), `${game}: ${rules}`);
      const text = rules.join(" ");
      equal(/[ぁ-ん]/u.test(text), locale === "ja-JP", `${game} in ${locale}`);
      check(!text.includes("rules."), `${game} in ${locale}: ${text}`);
      if (base) {
        const plain = await open(`/${base}`, { locale });
        await board(plain);
        await byTest(plain, "rules").click();
        equal(await plain.locator(".rules li").count(), rules.length - 1, `${game}: the variant adds its own rule`);
      }
    }
  }
});

test("access: shogi moves are Japanese everywhere in Japanese", async ({ open }) => {
  const page = await open(`/shogi?moves=${encodeURIComponent(POSITIONS.shogi)}`, { locale: "ja-JP" });
  await board(page);
  // Moves that nobody has visited, too.
  await until(page, () => [...document.querySelectorAll("[data-testid=move-list] .move .text")].every((text) => /^[▲△]/u.test(text.textContent)));
  equal(await page.locator("[data-testid=move-list] .move .text").allTextContents(),
    ["▲７六歩", "△３四歩", "▲２六歩", "△８四歩", "▲２五歩", "△８五歩", "▲２二角成", "△同銀"], "moves");
  await byTest(page, "engine-toggle").click();
  await page.waitForSelector('[data-testid="lines"] .line');
  await until(page, () => document.querySelectorAll('[data-testid="lines"] .pv-move').length > 6);
  const words = await page.locator('[data-testid="lines"] .pv-move').allTextContents();
  equal(words.filter((word) => !/^[▲△]/u.test(word)), [], "moves of lines that are not Japanese");
  await byTest(page, "hint").click();
  await until(page, () => /^ヒント：▲/u.test(document.querySelector(".notice").textContent));
});

test("access: a server that has gone is told in words", async ({ open }) => {
  const own = await startServer();
  const page = await open("/othello?play=both", {}, own.address);
  await board(page);
  await own.stop();
  await page.locator('[data-cell="f5"]').click();
  await until(page, () => document.querySelector(".toast:not([hidden])")?.textContent.startsWith("The server does not answer."));
  await page.locator(".toast button").click();
  await until(page, () => document.querySelector(".toast").hidden);
});
