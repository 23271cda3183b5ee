// The rules of the game on the board, short enough to begin with.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { openDialog } from "./dialog.js";

/** @param {import("../types.js").GameInfo} info */
export function openRules(info) {
  const game = info.variant_of ?? info.game;
  const texts = [t(`rules.${game}`), info.variant_of ? t(`rules.${info.game}`) : ""];
  const paragraphs = texts.filter((text) => text !== "").flatMap((text) => text.split("\n")).map((text) => h("li", {}, text));
  openDialog(t("rules.title", { game: t(`game.${info.game}`) }), [h("ul", { class: "rules" }, paragraphs)], { testid: "rules-dialog" });
}
