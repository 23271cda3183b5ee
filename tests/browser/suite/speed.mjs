import { check, figures, test } from "../harness.mjs";
import { board, byTest, until } from "../driver.mjs";

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

test("speed: weight of the page and time to the first board", async ({ open }) => {
  const times = [];
  let weight = 0;
  for (let run = 0; run < 5; run += 1) {
    const page = await open("/othello");
    await board(page);
    // From the start of the navigation to the frame in which the board has been painted.
    const [time, bytes] = await page.evaluate(() => {
      const resources = performance.getEntriesByType("resource").filter((one) => one.name.includes("/assets/"));
      const [navigation] = performance.getEntriesByType("navigation");
      return [performance.getEntriesByName("first-board")[0].startTime, navigation.decodedBodySize + resources.reduce((sum, one) => sum + one.decodedBodySize, 0)];
    });
    times.push(time);
    weight = bytes;
  }
  figures.push(`first board after ${median(times).toFixed(0)} ms (median of 5, best ${Math.min(...times).toFixed(0)} ms); page weight ${(weight / 1024).toFixed(1)} KiB uncompressed`);
  check(weight < 300_000, `the page weighs ${weight} bytes`);
});

test("speed: legal moves and the first value after a move", async ({ open }) => {
  const page = await open("/othello?moves=f5");
  await board(page);
  const answers = await page.evaluate(async () => {
    const times = [];
    for (let run = 0; run < 200; run += 1) {
      const begin = performance.now();
      const response = await fetch("/api/v1/othello/position", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ moves: ["f5", "d6"] }) });
      await response.json();
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b);
  });
  await byTest(page, "engine-toggle").click();
  await page.waitForSelector('[data-testid="lines"] .line');
  const firsts = [];
  for (let ply = 1; ply < 8; ply += 1) {
    const begin = await page.evaluate(() => {
      const cell = document.querySelector("[data-cell].playable");
      const now = performance.now();
      cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return now;
    });
    const end = await (await until(page, (wanted) => {
      const lines = document.querySelector('[data-testid="lines"]');
      const svg = document.querySelector('[data-testid="board"]');
      return svg.dataset.ply === wanted && lines.children.length > 0 && lines.dataset.position === svg.dataset.position && performance.now();
    }, String(ply + 1))).jsonValue();
    firsts.push(end - begin);
  }
  figures.push(`legal moves: median ${median(answers).toFixed(1)} ms, p99 ${answers[197].toFixed(1)} ms of 200 in the browser; first value after a move: median ${median(firsts).toFixed(0)} ms, worst ${Math.max(...firsts).toFixed(0)} ms of ${firsts.length}`);
});
