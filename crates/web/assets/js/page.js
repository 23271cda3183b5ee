// The page of a game: the board, its panels, and the actions of keys and buttons.

import { fill, h, icon } from "./dom.js";
import { announcement, moveText, moverText, resultText } from "./describe.js";
import { actionOf, keyName } from "./keys.js";
import { t } from "./i18n.js";
import { change, settings } from "./settings.js";
import { Session } from "./session.js";
import { tournamentGame } from "./tournament.js";
import { dialogIsOpen } from "./panel/dialog.js";
import { Editor } from "./panel/editor.js";
import { Graph } from "./panel/graph.js";
import { openKeys } from "./panel/keymap.js";
import { Lines } from "./panel/lines.js";
import { MatePanel } from "./panel/mate.js";
import { MoveList } from "./panel/moves.js";
import { PlayPanel } from "./panel/play.js";
import { PuzzlePanel } from "./panel/puzzles.js";
import { acceptDrops, openExport, openImport, openShare } from "./panel/records.js";
import { openRules } from "./panel/rules.js";
import { Stage } from "./panel/stage.js";
import { Summary } from "./panel/summary.js";
import { TablePanel } from "./panel/table.js";
import { Threat } from "./panel/threat.js";

export class GamePage {
  /**
   * @param {import("./types.js").GameInfo} info
   * @param {HTMLElement} main
   */
  constructor(info, main) {
    this.info = info;
    this.main = main;
    this.session = new Session(info);
    const { session } = this;
    this.stage = new Stage(session);
    this.threat = new Threat(session, this.stage);
    this.lines = new Lines(session, (position) => {
      this.stage.preview = position;
      this.stage.draw();
    });
    this.moves = new MoveList(session);
    this.play = new PlayPanel(session);
    this.graph = new Graph(session);
    this.summary = new Summary(session);
    this.extras = [
      info.capabilities.tablebase ? new TablePanel(session, this.stage) : null,
      info.capabilities.mates ? new MatePanel(session) : null,
      info.capabilities.puzzles ? new PuzzlePanel(session) : null,
    ].filter((panel) => panel !== null);
    this.live = h("div", { class: "visually-hidden", "aria-live": "polite", "data-testid": "live" });
    this.errorText = h("span", {});
    this.error = h("div", { class: "toast", role: "alert", hidden: true }, this.errorText,
      h("button", { type: "button", class: "tool", "aria-label": t("close"), onclick: () => session.fail(null) }, icon("close")));
    /** @type {Editor | null} */
    this.editor = null;
    this.layout();
    this.actions = this.actionTable();
    session.listeners.push((what) => this.update(what));
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("paste", (event) => this.paste(event));
    document.addEventListener("copy", (event) => this.copy(event));
    addEventListener("popstate", () => void session.open(location.search));
    addEventListener("pagehide", () => session.stop());
    acceptDrops(session, main);
    this.update("options");
    void this.begin();
  }

  /** Shows what the address holds: a tree, or a game of the tournament. */
  async begin() {
    const index = new URLSearchParams(location.search).get("tournament");
    if (index === null) {
      await this.session.open(location.search);
      return;
    }
    try {
      const { tree, title } = await tournamentGame(index);
      await this.session.replaceTree(tree);
      this.session.notice = title;
      this.stage.draw();
    } catch (error) {
      this.session.fail(error instanceof Error ? error.message : String(error));
      await this.session.open("");
    }
  }

  layout() {
    const { session } = this;
    const tool = (/** @type {string} */ id, /** @type {string} */ symbol, /** @type {() => void} */ run, /** @type {boolean} */ toggles = false) =>
      h("button", { type: "button", class: "tool wide", "data-testid": id, "aria-pressed": toggles ? "false" : null, title: t(`action.${id}`), onclick: run }, icon(symbol), h("span", {}, t(`action.${id}`)));
    this.valuesButton = tool("values", "values", () => this.toggleValues(), true);
    const { highlights } = this.info.capabilities;
    this.highlightsButton = highlights ? tool(`highlights-${highlights}`, "highlights", () => this.toggleHighlights(), true) : null;
    this.graphButton = tool("graph-toggle", "graph", () => this.toggleGraph(), true);
    this.analyseButton = tool("analyse-game", "search", () => this.analyseGame());
    const toolbar = h(
      "div",
      { class: "toolbar", role: "group", "aria-label": t("tools") },
      tool("flip", "flip", () => this.flip()),
      this.valuesButton,
      this.highlightsButton,
      this.graphButton,
      this.analyseButton,
      tool("import", "import", () => openImport(session)),
      tool("export", "export", () => openExport(session)),
      tool("share", "share", () => openShare(session)),
      this.info.capabilities.editor ? tool("edit", "edit", () => this.toggleEditor()) : null,
      tool("rules", "rules", () => openRules(this.info)),
      tool("keys", "keys", () => openKeys()),
    );
    this.side = h("div", { class: "side" }, this.play.element, this.lines.element, this.moves.element, this.graph.element, this.summary.element, ...this.extras.map((panel) => panel.element));
    fill(
      this.main,
      h("h1", { class: "visually-hidden" }, t(`game.${this.info.game}`)),
      h("div", { class: `game-page ${this.info.variant_of ?? this.info.game}` }, h("div", { class: "centre" }, this.stage.element, toolbar), this.side),
      this.error,
      this.live,
    );
  }

  /** @param {import("./session.js").Change} what */
  update(what) {
    const { session } = this;
    if (what === "position" && this.editor && this.stage.editor === null) this.editor = null;
    for (const panel of this.extras) panel.update(what);
    this.threat.update(what);
    this.stage.update(what);
    this.moves.update(what);
    this.play.update(what);
    this.lines.update();
    if (settings.graph) this.graph.update();
    this.summary.update(what);
    this.graph.element.hidden = !settings.graph;
    const playing = session.mode === "play";
    this.valuesButton?.setAttribute("aria-pressed", String(playing ? session.showValuesInPlay : settings.values));
    this.highlightsButton?.setAttribute("aria-pressed", String(settings.highlights));
    this.graphButton?.setAttribute("aria-pressed", String(settings.graph));
    this.error.hidden = session.error === null;
    if (this.errorText.textContent !== (session.error ?? "")) this.errorText.textContent = session.error ?? "";
    if (what === "position" || what === "notice") this.announce();
  }

  announce() {
    const { session } = this;
    const text = [session.notice ?? "", announcement(session)].filter((part) => part !== "").join(" ");
    if (this.live.textContent !== text) this.live.textContent = text;
    const state = resultText(session) ?? moverText(session);
    const move = session.shown.move ? `${moveText(session.shown)} · ` : "";
    document.title = `${move}${state} · ${t(`game.${session.game}`)} — tesuji`;
  }

  flip() {
    this.session.flipped = !this.session.flipped;
    this.stage.board.geometry = null;
    this.session.animate = false;
    this.session.tell("options");
  }

  toggleValues() {
    const { session } = this;
    if (session.mode === "play") {
      session.showValuesInPlay = !session.showValuesInPlay;
      if (session.showValuesInPlay) change({ values: true });
    } else {
      change({ values: !settings.values });
    }
    session.tell("options");
    session.analyser.restart();
  }

  toggleHighlights() {
    if (!this.info.capabilities.highlights) return;
    change({ highlights: !settings.highlights });
    this.session.tell("options");
  }

  toggleGraph() {
    change({ graph: !settings.graph });
    this.session.tell("options");
  }

  analyseGame() {
    const { session } = this;
    if (session.review.running) {
      session.review.stop();
      session.tell("review");
      return;
    }
    if (!settings.graph) this.toggleGraph();
    if (session.mode === "play") session.setMode("analyse", false);
    session.review.start();
  }

  toggleEditor() {
    if (!this.info.capabilities.editor || !this.session.position) return;
    if (this.editor) {
      this.editor.close();
      this.editor = null;
      return;
    }
    if (this.session.mode === "play") this.session.setMode("analyse", false);
    const editor = new Editor(this.session, this.stage);
    this.stage.editor = editor;
    this.editor = editor;
    this.side?.prepend(editor.element);
    editor.refresh();
  }

  /** Space: continuous analysis on and off. */
  toggleAnalysis() {
    const { session } = this;
    if (session.mode === "analyse") session.toggleEngine();
    else session.setMode("analyse", true);
  }

  /** @returns {Record<string, (event: KeyboardEvent) => void>} */
  actionTable() {
    const { session } = this;
    return {
      back: () => session.step(-1),
      forward: () => session.step(1),
      "previous-variation": () => session.sibling(-1),
      "next-variation": () => session.sibling(1),
      "leave-variation": () => session.leaveVariation(),
      "enter-variation": () => session.enterVariation(),
      first: () => session.step(-100000),
      last: () => session.step(100000),
      undo: () => void session.undo(),
      redo: () => void session.redo(),
      analysis: () => this.toggleAnalysis(),
      "engine-move": () => void session.engineMove(),
      "analyse-game": () => this.analyseGame(),
      engine: () => session.toggleEngine(),
      candidate: (event) => {
        const move = session.analyser.update?.lines[Number(event.key) - 1]?.move ?? session.position?.moves[Number(event.key) - 1];
        if (move) void session.play(move);
      },
      flip: () => this.flip(),
      values: () => this.toggleValues(),
      highlights: () => this.toggleHighlights(),
      graph: () => this.toggleGraph(),
      editor: () => this.toggleEditor(),
      "next-mistake": () => session.review.jump(1),
      "previous-mistake": () => session.review.jump(-1),
      mode: () => session.setMode(session.mode === "play" ? "analyse" : "play", true),
      threat: () => this.threat.toggle(),
      hint: () => void session.showHint(),
      "new-game": () => void session.newGame(),
      keys: () => openKeys(),
      close: () => {
        if (this.stage.choice.close() || this.stage.input.clear()) return;
        if (this.editor) this.toggleEditor();
        else if (this.stage.board.svg.contains(document.activeElement)) /** @type {HTMLElement | null} */ (this.play.element.querySelector("button"))?.focus();
        else session.stop();
      },
    };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element | null} */ (event.target);
    if (event.defaultPrevented || event.altKey || dialogIsOpen()) return;
    if (target?.closest("input:not([type=range]), textarea, select")) return;
    const onBoard = this.stage.board.svg.contains(target);
    if (onBoard && this.boardKey(event)) {
      event.preventDefault();
      return;
    }
    const action = actionOf(keyName(event));
    if (!action || action === "copy" || action === "paste") return;
    // Space and Enter press the button that has the focus; Tab belongs to the browser outside the board.
    const control = target?.closest("button, a, summary, input");
    if (control && (event.key === " " || event.key === "Enter" || (target?.matches("input") && event.key.startsWith("Arrow")))) return;
    if (action === "mode" && !onBoard) return;
    event.preventDefault();
    this.actions[action]?.(event);
  }

  /**
   * Keys on a cell that the keyboard has reached: arrows walk over the board, Enter and Space press the cell. After a
   * click they keep their meaning of the keyboard map.
   * @param {KeyboardEvent} event
   */
  boardKey(event) {
    const { board } = this.stage;
    const cell = board.cellOf(event.target);
    if (cell === null || event.ctrlKey || event.metaKey) return false;
    const keyboard = /** @type {Element} */ (event.target).matches(":focus-visible");
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const step = steps[event.key];
    if (step && keyboard && !event.shiftKey) {
      board.moveFocus(...step);
      return true;
    }
    if ((event.key === "Enter" || event.key === " ") && keyboard && !event.shiftKey) {
      this.stage.press(cell);
      return true;
    }
    return false;
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const target = /** @type {Element | null} */ (event.target);
    if (dialogIsOpen() || target?.closest("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim() === "") return;
    event.preventDefault();
    openImport(this.session, text);
  }

  /** Copies the moves, or the position when there are none. @param {ClipboardEvent} event */
  copy(event) {
    const target = /** @type {Element | null} */ (event.target);
    if (dialogIsOpen() || target?.closest("input, textarea") || String(getSelection()) !== "") return;
    const { session } = this;
    const moves = session.tree.currentLine().map((node) => node.move).join(" ");
    event.clipboardData?.setData("text/plain", session.tree.start || moves === "" ? session.position?.position ?? "" : moves);
    event.preventDefault();
    session.notice = t("copied");
    this.stage.draw();
  }
}
