// What the other side would play if it were to move.

import { post } from "../api.js";
import { arrowOf } from "../board/marks.js";
import { t } from "../i18n.js";

export class Threat {
  /**
   * @param {import("../session.js").Session} session
   * @param {import("./stage.js").Stage} stage
   */
  constructor(session, stage) {
    this.session = session;
    this.stage = stage;
    this.asked = 0;
  }

  /** @param {import("../session.js").Change} change */
  update(change) {
    if (change !== "tree") return;
    this.asked += 1;
    this.stage.extraArrows = [];
  }

  async toggle() {
    const { session, stage } = this;
    if (stage.extraArrows.length > 0) {
      this.update("tree");
      stage.draw();
      return;
    }
    const position = session.position;
    if (!position || session.over) return;
    // A Trax position is its moves: there is none in which the other side is to move.
    if (!session.info.capabilities.editor) {
      this.say("threat.never");
      return;
    }
    const token = (this.asked += 1);
    try {
      const { cells, hands } = position.view;
      const mover = position.mover === "first" ? "second" : "first";
      const described = await post(`/${session.game}/edit`, { cells, hands, mover });
      const answer = await post(`/${session.game}/best-move`, { position: described.position, limits: { time: "500ms" } });
      if (token !== this.asked) return;
      const move = described.view.moves.find((/** @type {import("../types.js").MoveOnBoard} */ known) => known.move === answer.move);
      if (!move) {
        this.say("threat.none");
        return;
      }
      stage.extraArrows = [arrowOf(move, 9)];
      stage.draw();
    } catch {
      // A position in which the other side could take the king has no threat to show.
      if (token === this.asked) this.say("threat.none");
    }
  }

  /** @param {string} key */
  say(key) {
    this.session.notice = t(key);
    this.session.tell("notice");
    this.stage.draw();
  }
}
