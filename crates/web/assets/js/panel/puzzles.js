// Puzzles: positions with one proven solution. The server judges every move and gives the other side's reply.

import { fill, h, icon } from "../dom.js";
import { get, post } from "../api.js";
import { moveText, playerName } from "../describe.js";
import { t } from "../i18n.js";
import { change, settings } from "../settings.js";
import { Tree, movesTo, path } from "../tree.js";

/** @typedef {import("../types.js").PuzzleTask} PuzzleTask */
/** @typedef {import("../types.js").PuzzleFeedback} PuzzleFeedback */

export class PuzzlePanel {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** In the order of their difficulty. @type {PuzzleTask[]} */
    this.puzzles = [];
    /** The puzzle on the board, or the last one that was. @type {PuzzleTask | null} */
    this.puzzle = null;
    /** Moves before the puzzle begins. */
    this.base = 0;
    /** The tree of the puzzle on the board. @type {Tree | null} */
    this.tree = null;
    this.body = h("div", { class: "puzzle-body", "data-testid": "puzzle-text" });
    this.start = h("button", { type: "button", class: "action", "data-testid": "puzzle-next", onclick: () => void this.next() }, icon("puzzle"), h("span", {}, t("puzzle.start")));
    /** 0 for all. */
    this.difficulty = h("select", { id: "puzzle-difficulty", "data-testid": "puzzle-difficulty", onchange: () => void this.next() });
    this.choose = h("div", { class: "field engine-field", hidden: true }, h("label", { class: "field-name", for: "puzzle-difficulty" }, t("puzzle.level")), this.difficulty);
    this.solve = h("button", { type: "button", class: "action", "data-testid": "puzzle-solve", hidden: true, onclick: () => void this.showSolution() }, icon("hint"), h("span", {}, t("puzzle.solution")));
    this.element = h("section", { class: "panel puzzles", "data-testid": "puzzles", "aria-label": t("puzzles") }, h("h2", {}, t("puzzles")), this.body, this.choose, h("div", { class: "actions" }, this.start, this.solve));
    fill(this.body, h("p", { class: "about" }, t("puzzle.about")));
  }

  /** Another game or record on the board ends the puzzle. @param {import("../session.js").Change} what */
  update(what) {
    if (what !== "tree" || this.tree === null || this.session.tree === this.tree) return;
    this.tree = null;
    this.element.classList.remove("active");
    this.session.intercept = null;
    this.solve.hidden = true;
    fill(this.body, h("p", { class: "about" }, t("puzzle.about")));
  }

  /** Puzzles of this game that were solved in this browser. */
  get solved() {
    return settings.solved[this.session.game] ?? [];
  }

  /** The difficulties that there are, with how many puzzles each has. */
  showDifficulties() {
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const { difficulty } of this.puzzles) counts.set(difficulty, (counts.get(difficulty) ?? 0) + 1);
    fill(this.difficulty, h("option", { value: 0 }, t("puzzle.all", { count: this.puzzles.length })),
      [...counts].map(([difficulty, count]) => h("option", { value: difficulty }, t("puzzle.some", { difficulty, count }))));
    this.choose.hidden = this.puzzles.length === 0;
  }

  async next() {
    const { session } = this;
    try {
      if (this.puzzles.length === 0) {
        const answer = await get(`/${session.game}/puzzles`);
        /** @type {PuzzleTask[]} */
        const puzzles = answer.puzzles ?? [];
        this.puzzles = puzzles.sort((a, b) => a.difficulty - b.difficulty);
        this.showDifficulties();
      }
    } catch (error) {
      session.fail(error instanceof Error ? error.message : String(error));
      return;
    }
    if (this.puzzles.length === 0) {
      fill(this.body, h("p", { class: "about" }, t("puzzle.none")));
      return;
    }
    const wanted = Number(this.difficulty.value);
    const pool = this.puzzles.filter((known) => wanted === 0 || known.difficulty === wanted);
    // From the last one on, those that are not solved yet; once all are, all again.
    const after = pool.findIndex((known) => known.id === this.puzzle?.id) + 1;
    const turned = [...pool.slice(after), ...pool.slice(0, after)];
    const puzzle = turned.find((known) => !this.solved.includes(known.id)) ?? turned[0];
    if (!puzzle) return;
    this.puzzle = puzzle;
    // In Trax a position is its moves.
    const tree = new Tree(session.info.capabilities.editor ? puzzle.position : "");
    if (!session.info.capabilities.editor) for (const move of puzzle.position.split(" ")) tree.play(move);
    this.base = tree.cursor.ply;
    this.tree = tree;
    // What is asked stands beside the board, above the other panels.
    this.element.classList.add("active");
    await session.replaceTree(tree);
    session.engineOn = false;
    session.intercept = (move) => {
      void this.judge(puzzle, move);
      return true;
    };
    session.flipped = session.seatOf(puzzle.mover);
    session.tell("options");
    session.tell("position");
    this.solve.hidden = false;
    const task = t(`puzzle.goal.${puzzle.goal}`, { plies: puzzle.plies });
    this.say(t("puzzle.task", { number: pool.indexOf(puzzle) + 1, count: pool.length, player: playerName(session.info, puzzle.mover), task }), puzzle);
  }

  /**
   * @param {string} text
   * @param {PuzzleTask} puzzle
   * @param {"right" | "wrong" | ""} [kind]
   */
  say(text, puzzle, kind = "") {
    fill(this.body, h("p", { class: `verdict ${kind}` }, text), h("p", { class: "about" },
      `${t("puzzle.difficulty", { difficulty: puzzle.difficulty })} ${t("puzzle.progress", { solved: this.solved.length, count: this.puzzles.length })}`));
    fill(/** @type {Element} */ (this.start.lastElementChild), t("puzzle.next"));
    // Below the board as well: on a phone the panel is out of sight. It is read out from there.
    this.session.notice = text;
    this.session.tell("notice");
  }

  /**
   * @param {PuzzleTask} puzzle
   * @param {string} move
   */
  async judge(puzzle, move) {
    const { session } = this;
    const moves = [...movesTo(session.shown).slice(this.base), move];
    try {
      /** @type {PuzzleFeedback} */
      const feedback = await post(`/${session.game}/puzzles/answer`, { id: puzzle.id, moves });
      if (session.tree !== this.tree) return;
      if (feedback.verdict === "wrong") {
        this.say(t("puzzle.wrong", { move: session.moveName(move) }), puzzle, "wrong");
        return;
      }
      if (feedback.verdict === "solved") {
        this.finish();
        const solved = [...new Set([...this.solved, puzzle.id])];
        change({ solved: { ...settings.solved, [session.game]: solved } });
      }
      await session.playMove(move, false);
      if (feedback.reply) await session.playMove(feedback.reply, false);
      const solved = feedback.verdict === "solved";
      this.say(solved ? t("puzzle.solved") : t("puzzle.right", { count: feedback.to_find }), puzzle, "right");
    } catch (error) {
      session.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** Gives the board back: moves are played again as everywhere. */
  finish() {
    this.session.intercept = null;
    this.solve.hidden = true;
  }

  async showSolution() {
    const { session } = this;
    const { puzzle } = this;
    if (!puzzle || !this.tree) return;
    try {
      const answer = await get(`/${session.game}/puzzles/${encodeURIComponent(puzzle.id)}`);
      this.finish();
      let root = this.tree.root;
      while (root.ply < this.base && root.children[0]) root = root.children[0];
      await session.visit(root);
      await session.playLine(answer.solution);
      const moves = path(session.tree.cursor).slice(this.base).map(moveText);
      this.say(t("puzzle.shown", { moves: moves.join(" ") }), puzzle);
    } catch (error) {
      session.fail(error instanceof Error ? error.message : String(error));
    }
  }
}
