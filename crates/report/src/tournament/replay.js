"use strict";
(() => {
  const events = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const NS = "http://www.w3.org/2000/svg";
  let shown = null, ply = 0, boards = [];

  // Text is inserted as text, so no name or message can become markup.
  const el = (parent, name, attributes = {}, text) => {
    const node = name[0] === ":" ? document.createElement(name.slice(1)) : document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    parent.appendChild(node);
    return node;
  };
  const clear = (node) => { while (node.firstChild) node.removeChild(node.firstChild); return node; };
  const points = (result) => result > 0 ? "1–0" : result < 0 ? "0–1" : "½–½";

  // Boards are stored as changes; this expands them.
  const unroll = (replay) => {
    const frames = [];
    let labels = [[], []], cells = [], hands = ["", ""];
    for (const frame of replay.frames) {
      labels = frame.l || labels;
      hands = frame.h || hands;
      cells = frame.c ? frame.c.slice() : cells.slice();
      for (const [at, code] of frame.d || []) cells[at] = code;
      frames.push({ labels, cells, hands, move: frame.m || "", touched: frame.t || [] });
    }
    return frames;
  };

  const S = 40;
  const tile = (svg, x, y, code, marked) => {
    el(svg, "rect", { x: x + 1, y: y + 1, width: S - 2, height: S - 2, rx: 4, fill: "#3a3f48", stroke: marked ? "#e8b93c" : "#1a1c20", "stroke-width": marked ? 2 : 1 });
    const [n, e, s, w] = code;
    const hue = (side) => side === "0" ? "#f4f2ec" : "#d8452f";
    const track = (side, path) => el(svg, "path", { d: path, fill: "none", stroke: hue(side), "stroke-width": 7 });
    const m = S / 2, at = (dx, dy) => `${x + dx} ${y + dy}`;
    const top = at(m, 0), right = at(S, m), bottom = at(m, S), left = at(0, m), r = m;
    if (n === s) {
      track(w, `M${left}L${right}`);
      el(svg, "path", { d: `M${top}L${bottom}`, stroke: "#3a3f48", "stroke-width": 11 });
      track(n, `M${top}L${bottom}`);
    } else if (n === w) {
      track(n, `M${top}A${r} ${r} 0 0 1 ${left}`);
      track(s, `M${bottom}A${r} ${r} 0 0 1 ${right}`);
    } else {
      track(n, `M${top}A${r} ${r} 0 0 0 ${right}`);
      track(s, `M${bottom}A${r} ${r} 0 0 0 ${left}`);
    }
  };
  const piece = (svg, x, y, code) => {
    const cx = x + S / 2, cy = y + S / 2, promoted = code[1] === "+";
    const group = el(svg, "g", code[0] === "b" ? { transform: `rotate(180 ${cx} ${cy})` } : {});
    const corners = [[20, 4], [31, 9], [35, 36], [5, 36], [9, 9]].map(([dx, dy]) => `${x + dx},${y + dy}`).join(" ");
    el(group, "polygon", { points: corners, fill: "#f3d9a2", stroke: "#8a6a36", "stroke-width": 1 });
    el(group, "text", { x: cx, y: cy + 10, style: `font:19px serif;text-anchor:middle;fill:${promoted ? "#b3261e" : "#1f1a12"}` }, code.slice(promoted ? 2 : 1));
  };
  const draw = (frame, ground) => {
    const svg = clear($("board"));
    const [columns, rows] = frame.labels, W = columns.length * S, H = rows.length * S;
    const hand = frame.hands.some((text) => text) ? 24 : 0, left = 26, top = 22 + hand;
    svg.setAttribute("viewBox", `0 0 ${W + left + 8} ${H + top + 8 + hand}`);
    const board = { felt: ["#2d7a52", "#1d5639"], wood: ["#dfb878", "#8d6a35"], table: ["#8b8f97", "#8b8f97"] }[ground];
    if (ground !== "table") el(svg, "rect", { x: left - 3, y: top - 3, width: W + 6, height: H + 6, rx: 5, fill: board[1] });
    columns.forEach((label, at) => el(svg, "text", { class: "tick mid", x: left + at * S + S / 2, y: top - 8 }, label));
    rows.forEach((label, at) => el(svg, "text", { class: "tick end", x: left - 8, y: top + at * S + S / 2 + 4 }, label));
    frame.cells.forEach((code, at) => {
      const x = left + (at % columns.length) * S, y = top + Math.floor(at / columns.length) * S;
      const marked = frame.touched.includes(at);
      if (ground === "table") {
        if (code) tile(svg, x, y, code, marked);
        else el(svg, "rect", { x: x + 1, y: y + 1, width: S - 2, height: S - 2, rx: 4, fill: "currentColor", opacity: 0.05 });
        return;
      }
      el(svg, "rect", { x: x + 0.5, y: y + 0.5, width: S - 1, height: S - 1, fill: marked ? (ground === "felt" ? "#5d9a52" : "#f0cf7c") : board[0] });
      if (code === "x" || code === "o") {
        el(svg, "circle", { cx: x + S / 2, cy: y + S / 2 + 1, r: S * 0.4, fill: "#000", opacity: 0.25 });
        el(svg, "circle", { cx: x + S / 2, cy: y + S / 2, r: S * 0.4, fill: code === "x" ? "#1d1f22" : "#f6f4ee", stroke: code === "x" ? "#000" : "#b9b5aa" });
      } else if (code === "#") el(svg, "circle", { cx: x + S / 2, cy: y + S / 2, r: S * 0.42, fill: "#3a2a14" });
      else if (code) piece(svg, x, y, code);
    });
    if (hand) {
      el(svg, "text", { x: left, y: 15, style: "font-size:15px" }, "▽ " + (frame.hands[1] || "–"));
      el(svg, "text", { x: left, y: top + H + 24, style: "font-size:15px" }, "▲ " + (frame.hands[0] || "–"));
    }
  };

  // A line for each player, from the first side's view: two engines on one line would make a saw-tooth.
  const graph = (game, event) => {
    const svg = clear($("graph")), W = 400, H = 130, left = 46, right = 8, top = 18, bottom = 20;
    svg.setAttribute("viewBox", `0 0 ${W} ${H}`);
    const known = game.v.some((value) => value !== null);
    svg.style.display = $("keys").style.display = known ? "" : "none";
    if (!known) return;
    const most = Math.max(1e-9, ...game.v.map((value) => Math.abs(value || 0))), last = Math.max(1, game.plies);
    // The end of the axis is round, and so is its quarter, which lies halfway up: the axis is that of square roots,
    // because large values differ little in meaning.
    const power = 10 ** Math.floor(Math.log10(most)), end = [1, 2, 4, 8, 20].map((digit) => digit * power).find((round) => round >= most * 0.999);
    const middle = (top + H - bottom) / 2, half = (H - bottom - top) / 2;
    const x = (at) => left + at / last * (W - left - right);
    const y = (value) => middle - Math.sign(value) * Math.sqrt(Math.abs(value) / end) * half;
    for (const tick of [end, end / 4, 0, -end / 4, -end]) {
      el(svg, "line", { x1: left, x2: W - right, y1: y(tick), y2: y(tick), class: tick ? "grid" : "zero" });
      el(svg, "text", { class: "tick end", x: left - 5, y: y(tick) + 4 }, (tick > 0 ? "+" : "") + Number(tick.toPrecision(3)));
    }
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => last / step <= 8) || 1000;
    for (let at = step; at <= last; at += step) el(svg, "text", { class: "tick mid", x: x(at), y: H - 6 }, at);
    el(svg, "text", { class: "tick", x: 0, y: 10 }, `${event.unit} for ${event.sides[0]}`);
    el(svg, "text", { class: "tick end", x: W - right, y: 10 }, "by ply");
    const keys = clear($("keys"));
    [game.a, game.b].forEach((player, side) => {
      const own = game.v.map((value, at) => [value, at]).filter(([value, at]) => value !== null && (at % 2 === 0) !== (game.b2 === (side === 0)));
      const color = `var(--h${player % 8})`, line = own.map(([value, at]) => `${x(game.booked + at + 1).toFixed(1)},${y(value).toFixed(1)}`);
      if (!line.length) return;
      el(svg, "polyline", { points: line.join(" "), class: "curve", style: `color:${color}` + (side ? ";stroke-dasharray:5 3" : "") });
      const key = el(keys, ":span", { class: "key" });
      el(key, ":span", { class: `stroke${side ? " dashed" : ""}`, style: `color:${color}` });
      key.append(`${event.players[player]} (${event.sides[side]})`);
    });
    el(svg, "line", { x1: x(ply), x2: x(ply), y1: top, y2: H - bottom, style: "stroke:var(--soft)" });
    svg.onclick = (click) => { const box = svg.getBoundingClientRect(); go(Math.round(((click.clientX - box.left) / box.width * W - left) / (W - left - right) * last)); };
  };

  const go = (to) => {
    if (!shown) return;
    const { game, event } = shown, last = game.replay ? boards.length - 1 : game.plies;
    ply = Math.max(0, Math.min(last, to));
    $("ply").max = last;
    $("ply").value = ply;
    const own = ply - game.booked - 1, words = [];
    if (boards.length) {
      draw(boards[ply], game.replay.ground);
      words.push(ply ? `${ply}. ${boards[ply].move}` : "start");
    } else clear($("board"));
    if (ply > 0 && own < 0) words.push("opening");
    if (own >= 0) {
      if (game.say[own] !== null) words.push(`for ${event.sides[0]}: ${game.say[own]}`);
      if (game.d[own] !== null) words.push(`depth ${game.d[own]}`);
      words.push(`${game.t[own]} ms`);
    }
    $("said").textContent = words.join(" · ");
    graph(game, event);
    for (const link of $("moves").children) link.className = (Number(link.dataset.ply) <= game.booked ? "book" : "") + (Number(link.dataset.ply) === ply ? " now" : "");
    const now = $("moves").children[ply - 1];
    if (now) $("moves").scrollTop = now.offsetTop - $("moves").offsetTop - 60;
  };

  const open = (index, number, remember) => {
    const event = events[index], game = event && event.games.find((game) => game.n === number);
    if (!game) return;
    shown = { game, event };
    boards = game.replay ? unroll(game.replay) : [];
    $("title").textContent = `${event.players[game.a]} (${event.sides[0]}) – ${event.players[game.b]} (${event.sides[1]}): ${game.result}` + (game.fault ? `: ${game.fault}` : "");
    const moves = clear($("moves"));
    boards.slice(1).forEach((frame, at) => {
      const link = el(moves, ":a", { href: "#", "data-ply": at + 1 }, frame.move);
      link.onclick = (click) => { click.preventDefault(); go(at + 1); };
    });
    for (const row of $("list").children) row.classList.toggle("now", row.dataset.key === `${index}-${number}`);
    if (remember) history.replaceState(null, "", `#g${index}-${number}`);
    go(game.plies);
  };

  const list = () => {
    const body = clear($("list")), index = Number($("event").value), event = events[index];
    if (!event) return;
    const player = $("player").value, ending = $("ending").value;
    const fits = event.games.filter((game) => (player === "" || game.a === Number(player) || game.b === Number(player)) && (ending === "" || game.why === ending));
    $("found").textContent = `${fits.length} of ${event.games.length} games`;
    for (const game of fits.slice(0, 2000)) {
      const row = el(body, ":tr", { "data-key": `${index}-${game.n}` });
      if (game.mark) { row.className = "void"; row.title = game.mark; }
      for (const text of [`#${game.n + 1}`, event.players[game.a], event.players[game.b], game.score ? `${points(game.r)} (${game.score.join("–")})` : points(game.r), game.why, game.plies]) el(row, ":td", {}, text);
      row.onclick = () => open(index, game.n, true);
    }
  };
  const options = (select, all, names) => { clear(select); if (all) el(select, ":option", { value: "" }, all); names.forEach(([value, name]) => el(select, ":option", { value }, name)); };
  const choose = () => {
    const event = events[Number($("event").value)];
    if (!event) return;
    options($("player"), "every player", event.players.map((name, at) => [at, name]));
    options($("ending"), "every ending", [...new Set(event.games.map((game) => game.why))].sort().map((why) => [why, why]));
    list();
  };
  const follow = () => {
    const found = /^#g(\d+)-(\d+)$/.exec(location.hash);
    if (!found) return false;
    $("event").value = found[1];
    choose();
    open(Number(found[1]), Number(found[2]), false);
    $("games").scrollIntoView();
    return true;
  };

  options($("event"), null, events.map((event, at) => [at, event.game]));
  $("event").onchange = () => { choose(); const event = events[Number($("event").value)]; if (event.games[0]) open(Number($("event").value), event.games[0].n, false); };
  $("player").onchange = $("ending").onchange = list;
  $("ply").oninput = () => go(Number($("ply").value));
  for (const button of document.querySelectorAll("button[data-to]")) button.onclick = () => go({ first: 0, back: ply - 1, on: ply + 1, last: Infinity }[button.dataset.to]);
  addEventListener("keydown", (key) => {
    if (/^(SELECT|INPUT)$/.test(key.target.tagName)) return;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: Infinity }[key.key];
    if (to !== undefined && shown) { key.preventDefault(); go(to); }
  });
  addEventListener("hashchange", follow);
  if (!follow()) { choose(); const first = events.findIndex((event) => event.games.length); if (first >= 0) { $("event").value = first; choose(); open(first, events[first].games[0].n, false); } }
})();
