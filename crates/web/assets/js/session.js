// The state of a game page: the variation tree, who plays, what the engine is asked. Panels read it and call its
// actions; it tells them what changed.

import { Refused, position as askPosition, post } from "./api.js";
import { Analyser } from "./analyser.js";
import { GameReview } from "./review.js";
import { change, settings } from "./settings.js";
import { Tree, movesTo, path } from "./tree.js";
import { readQuery, writeQuery } from "./url.js";
import { language, t } from "./i18n.js";

/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {"position" | "tree" | "analysis" | "review" | "options" | "error" | "engine" | "notice"} Change */

/** Lines whose moves are named in the native notation; more than anybody reads. */
const MOST_NAMED = 40;

/** Games whose players sit opposite each other, with pieces that point or belong to a side of the board. */
const OPPOSITE = ["ostle", "shogi"];

/** The eye needs to see its own move before the engine's. */
const REPLY_MS = 260;

const newSeed = () => Math.floor(Math.random() * 2 ** 32);

export class Session {
  /** @param {import("./types.js").GameInfo} info */
  constructor(info) {
    // A server without levels still plays at full strength.
    info.levels ??= [];
    this.info = info;
    this.game = info.game;
    this.tree = new Tree();
    /** The node on the board: the cursor, once the server has described it. */
    this.shown = this.tree.root;
    /** @type {"play" | "analyse"} */
    this.mode = "play";
    /** The side of the reader. @type {Side | "both" | "none"} */
    this.you = "first";
    /** In play mode: the engine replies. In analyse mode: the engine analyses. */
    this.engineOn = true;
    this.flipped = false;
    this.thinking = false;
    this.animate = false;
    /** @type {string | null} */
    this.error = null;
    /** A note to the reader that is no error, such as a pass. @type {string | null} */
    this.notice = null;
    /** A hint: a move, as long as the cursor stays. @type {string | null} */
    this.hint = null;
    /** The end of a game that the moves do not tell. @type {{ node: Node, outcome: Side, reason: string } | null} */
    this.claimed = null;
    /** Called before a move of the reader is played; true keeps it from the tree. @type {((move: string) => boolean) | null} */
    this.intercept = null;
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
    this.analyser = new Analyser(this);
    this.review = new GameReview(this);
    /** In a game values are shown only when the reader asks for them. */
    this.showValuesInPlay = false;
    this.loading = 0;
    /** Chooses the mistakes of weak levels: another one in every game, the same one when a move is taken back. */
    this.seed = newSeed();
    /** @type {AbortController | null} */
    this.replying = null;
  }

  /** @param {Change} change */
  tell(change) {
    for (const listener of this.listeners) listener(change);
  }

  /** The description of the position on the board. @returns {Position | undefined} */
  get position() {
    return this.shown.position;
  }

  /** Whether a side sees the board turned. Othello and Trax are read the same way from both sides. @param {Side | "both" | "none"} side */
  seatOf(side) {
    return side === "second" && OPPOSITE.includes(this.info.variant_of ?? this.game);
  }

  get level() {
    return settings.levels[this.game] ?? Math.min(3, this.info.levels.length);
  }

  set level(level) {
    change({ levels: { ...settings.levels, [this.game]: level } });
    this.tell("options");
  }

  /** The engine spec of the reader's choice; empty for the game's own. */
  get engine() {
    const spec = settings.engines[this.game] ?? "";
    return this.info.engines.some((engine) => engine.name === spec) ? spec : "";
  }

  set engine(spec) {
    change({ engines: { ...settings.engines, [this.game]: spec } });
    this.tell("options");
    this.analyser.restart();
  }

  /** Whether the game on the board is over. */
  get over() {
    return this.position?.outcome != null || this.claimed?.node === this.shown;
  }

  /** Whether it is the engine's turn in a game against it. */
  get engineToMove() {
    const position = this.position;
    if (!position || this.over || this.mode !== "play" || !this.engineOn) return false;
    return this.you === "none" || (this.you !== "both" && position.mover !== this.you);
  }

  /**
   * Restores what an address holds.
   * @param {string} search
   */
  async open(search) {
    const { tree, play } = readQuery(search);
    this.tree = tree;
    const shared = tree.start !== "" || tree.root.children.length > 0;
    if (play === "first" || play === "second" || play === "both" || play === "none") {
      [this.mode, this.you] = ["play", play];
    } else if (shared) {
      [this.mode, this.engineOn] = ["analyse", false];
    }
    this.flipped = this.mode === "play" && this.seatOf(this.you);
    this.review.clear();
    this.tell("tree");
    let fault = null;
    try {
      await this.canonical();
    } catch (error) {
      fault = this.keepLegalPart(error);
    }
    await this.visit(this.tree.cursor);
    if (fault) this.fail(fault);
    void this.nameMoves();
    await this.reply();
  }

  /**
   * Keeps what the server said about a node, and with it the native notation of the moves that lead there.
   * @param {Node} node
   * @param {Position} position
   */
  learn(node, position) {
    node.position = position;
    const steps = path(node);
    if (steps.length !== position.history.length) return;
    steps.forEach((step, index) => {
      const native = position.history[index]?.native;
      if (native) step.native = native;
    });
  }

  /** Asks for the native notation of moves that nobody has visited, where the reader reads it. */
  async nameMoves() {
    if (language() !== "ja" || !this.info.capabilities.native) return;
    const { tree } = this;
    for (const { nodes } of tree.lines().slice(0, MOST_NAMED)) {
      const end = nodes.at(-1);
      if (!end || end.native) continue;
      const described = await askPosition(this.game, tree.start, movesTo(end)).catch(() => null);
      if (this.tree !== tree) return;
      if (described) this.learn(end, described);
    }
    this.tell("review");
  }

  /** Gives the main line the server's spelling, implied passes included. */
  async canonical() {
    const line = this.tree.mainLine();
    const end = line.at(-1);
    if (!end) return;
    const described = await askPosition(this.game, this.tree.start, movesTo(end));
    const spelled = described.history.map((ply) => ply.move);
    this.learn(end, described);
    if (spelled.length === line.length) {
      line.forEach((node, index) => (node.move = spelled[index] ?? node.move));
    } else if (this.tree.lines().length === 1) {
      const atEnd = this.tree.cursor === end;
      const ply = this.tree.cursor.ply;
      this.tree = new Tree(this.tree.start);
      for (const move of spelled) this.tree.play(move);
      if (!atEnd) this.tree.cursor = this.tree.mainLine()[ply - 1] ?? this.tree.root;
    }
  }

  /** An address with an illegal move: keeps the moves before it, returns what is wrong. @param {unknown} error */
  keepLegalPart(error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = this.tree.mainLine();
    const bad = /move (\d+)/u.exec(message);
    const legal = bad ? line.slice(0, Number(bad[1]) - 1) : [];
    const start = error instanceof Refused && error.where === "position" ? "" : this.tree.start;
    this.tree = new Tree(start);
    for (const node of legal) this.tree.play(node.move);
    return message;
  }

  /** @param {string | null} message */
  fail(message) {
    this.error = message;
    this.tell("error");
  }

  /**
   * Shows a node. Only the latest visit counts: answers to earlier ones are dropped.
   * @param {Node} node
   * @param {{ animate?: boolean, push?: boolean }} [options]
   */
  async visit(node, options = {}) {
    this.tree.cursor = node;
    if (this.hint) this.notice = null;
    this.hint = null;
    this.analyser.stop();
    this.replying?.abort();
    this.thinking = false;
    const token = (this.loading += 1);
    this.save(options.push ?? false);
    this.tell("tree");
    if (!node.position) {
      try {
        this.learn(node, await askPosition(this.game, this.tree.start, movesTo(node)));
      } catch (error) {
        if (token === this.loading) this.fail(error instanceof Error ? error.message : String(error));
        return;
      }
    }
    if (token !== this.loading) return;
    this.animate = options.animate ?? this.shown === node.parent;
    this.shown = node;
    this.error = null;
    this.tell("position");
    this.analyser.restart();
  }

  /** Keeps the address up to date. @param {boolean} push */
  save(push) {
    const play = this.mode === "play" ? this.you : null;
    const plain = play === "first" && !this.tree.start && this.tree.root.children.length === 0;
    const address = location.pathname + writeQuery(this.tree, { play: plain ? null : play });
    if (address === location.pathname + location.search) return;
    if (push) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  /**
   * Plays a move of the reader, then passes and the engine's reply.
   * @param {string} move
   */
  async play(move) {
    if (this.thinking || this.shown !== this.tree.cursor || !this.position?.moves.includes(move)) return;
    this.notice = null;
    if (this.intercept?.(move)) return;
    await this.playMove(move, true);
    this.reply();
  }

  /**
   * @param {string} move
   * @param {boolean} push
   */
  async playMove(move, push) {
    const node = this.tree.play(move);
    // In a game against the engine what is on the board is the game; what was taken back is the variation.
    if (this.mode === "play") this.tree.promote(node);
    await this.visit(node, { animate: true, push });
  }

  /** Plays a forced pass, or asks the engine when it is its turn. */
  async reply() {
    const position = this.position;
    if (!position || this.over || this.shown !== this.tree.cursor || this.shown.children.length > 0) return;
    if (position.moves.length === 1 && position.moves[0] === "pass") {
      this.notice = t("notice.pass", { player: t(`player.${this.info.players[position.mover === "first" ? 0 : 1]}`) });
      await this.playMove("pass", false);
      await this.reply();
    } else if (this.engineToMove) {
      await this.engineMove();
    }
  }

  /** The engine plays a move for whoever is to move. */
  async engineMove() {
    const node = this.shown;
    if (this.over || this.thinking || node !== this.tree.cursor) return;
    const begin = performance.now();
    const abort = new AbortController();
    this.replying?.abort();
    this.replying = abort;
    this.thinking = true;
    this.analyser.stop();
    this.tell("engine");
    try {
      // A level is an engine of its own.
      const byLevel = this.engine === "" && this.info.levels.length > 0;
      const answer = await this.ask(byLevel ? { level: this.level, seed: this.seed } : { time: "1s" }, abort.signal);
      const wait = REPLY_MS - (performance.now() - begin);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (abort.signal.aborted || this.tree.cursor !== node) return;
      this.thinking = false;
      if (answer.choice === "resign" || answer.choice === "claim") this.end(answer.choice);
      else if (answer.move) await this.playMove(answer.move, false);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.thinking = false;
      this.fail(error instanceof Error ? error.message : String(error));
      return;
    }
    this.tell("engine");
    await this.reply();
  }

  /**
   * @param {Record<string, unknown>} limits
   * @param {AbortSignal} [signal]
   */
  ask(limits, signal) {
    return post(`/${this.game}/best-move`, { ...this.request(), limits }, signal);
  }

  /** The position on the board as a request, with the engine of the reader's choice. */
  request() {
    return {
      ...(this.tree.start ? { position: this.tree.start } : {}),
      moves: movesTo(this.shown),
      ...(this.engine ? { engine: this.engine } : {}),
    };
  }

  /** Ends the game without a move. @param {"resign" | "claim"} how */
  end(how) {
    const position = this.position;
    if (!position) return;
    const other = position.mover === "first" ? "second" : "first";
    const outcome = how === "claim" ? position.mover : other;
    this.claimed = { node: this.shown, outcome, reason: how === "claim" ? "declaration" : "resignation" };
    this.tell("position");
  }

  /** Shows what the engine would play. */
  async showHint() {
    const node = this.shown;
    if (this.over) return;
    try {
      const answer = await this.ask({ time: "1s" });
      if (this.tree.cursor !== node || !answer.move) return;
      this.hint = answer.move;
      this.notice = t("notice.hint", { move: this.moveName(answer.move) });
      this.tell("analysis");
      this.tell("notice");
    } catch (error) {
      if (this.tree.cursor === node) this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** A legal move as the reader writes it. @param {string} move */
  moveName(move) {
    const native = language() === "ja" ? this.position?.view.moves.find((known) => known.move === move)?.native : null;
    return native ?? move;
  }

  /** Takes back the last move; in a game against the engine also its reply, so that the reader can choose again. */
  async undo() {
    if (this.claimed?.node === this.shown) {
      this.claimed = null;
      this.tell("position");
      return;
    }
    let node = this.tree.cursor.parent;
    const mine = (/** @type {Node} */ at) => !at.position || at.position.mover === this.you;
    if (this.mode === "play" && this.engineOn && (this.you === "first" || this.you === "second")) {
      while (node?.parent && (!mine(node) || node.children[0]?.move === "pass")) node = node.parent;
    }
    if (node) await this.visit(node, { animate: false });
  }

  /** Plays what was taken back. */
  async redo() {
    let node = this.tree.cursor.children[0];
    if (this.mode === "play" && this.engineOn && (this.you === "first" || this.you === "second")) {
      while (node?.children[0] && node.position?.mover !== this.you) node = node.children[0];
    }
    if (node) await this.visit(node, { animate: true });
  }

  /** @param {string} [start] */
  async newGame(start = "") {
    this.tree = new Tree(start);
    this.seed = newSeed();
    this.claimed = null;
    this.notice = null;
    this.intercept = null;
    this.review.clear();
    if (this.mode === "play") this.flipped = this.seatOf(this.you);
    await this.visit(this.tree.root, { animate: false, push: true });
    await this.reply();
  }

  /**
   * Shows another tree: an imported record, an edited position.
   * @param {Tree} tree
   */
  async replaceTree(tree) {
    this.tree = tree;
    this.claimed = null;
    this.notice = null;
    this.review.clear();
    this.setMode("analyse", this.mode === "analyse" && this.engineOn);
    await this.visit(tree.cursor, { animate: false, push: true });
    void this.nameMoves();
  }

  /**
   * @param {"play" | "analyse"} mode
   * @param {boolean} [engineOn]
   */
  setMode(mode, engineOn = true) {
    this.mode = mode;
    this.engineOn = engineOn;
    if (mode === "analyse") {
      this.replying?.abort();
      this.thinking = false;
    }
    this.save(false);
    this.tell("options");
    this.analyser.restart();
  }

  toggleEngine() {
    this.engineOn = !this.engineOn;
    if (!this.engineOn) {
      this.replying?.abort();
      this.thinking = false;
    }
    this.tell("options");
    this.analyser.restart();
    this.reply();
  }

  /** @param {Side | "both" | "none"} side */
  chooseSide(side) {
    this.you = side;
    this.flipped = this.seatOf(side);
    this.replying?.abort();
    this.thinking = false;
    this.save(false);
    this.tell("options");
    this.tell("position");
    this.reply();
  }

  /** Takes the moves of a line into the tree and goes to its end. @param {string[]} moves */
  async playLine(moves) {
    let node = this.tree.cursor;
    for (const move of moves) node = Tree.child(node, move);
    await this.visit(node, { animate: true, push: true });
  }

  stop() {
    this.analyser.stop();
    this.replying?.abort();
    this.thinking = false;
    this.review.stop();
    this.tell("engine");
  }

  /** Steps along the line through the cursor. @param {number} by */
  step(by) {
    let node = this.tree.cursor;
    for (let left = Math.abs(by); left > 0; left -= 1) {
      const next = by < 0 ? node.parent : node.children[0];
      if (!next) break;
      node = next;
    }
    if (node !== this.tree.cursor) void this.visit(node);
  }

  /** To the next or previous variation of the move at the cursor. @param {number} by */
  sibling(by) {
    const siblings = this.tree.cursor.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.tree.cursor) + by];
    if (next) void this.visit(next);
  }

  /** Back to where the line of the cursor leaves its parent line. */
  leaveVariation() {
    const steps = path(this.tree.cursor).reverse();
    const first = steps.find((node) => node.parent && node.parent.children[0] !== node);
    if (first?.parent) void this.visit(first.parent);
  }

  /** Into the first variation that branches off here or later. */
  enterVariation() {
    for (let node = /** @type {Node | undefined} */ (this.tree.cursor); node; node = node.children[0]) {
      const variation = node.children[1];
      if (variation) {
        void this.visit(variation);
        return;
      }
    }
  }
}
