// Positions and moves in words, for labels, the live region and the title.

import { known, language, t } from "./i18n.js";
import { words } from "./values.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./tree.js").Node} Node */

/**
 * The name of a player: Black, White, Red; in Japanese shogi 先手, 後手.
 * @param {GameInfo} info
 * @param {Side} side
 */
export function playerName(info, side) {
  const name = info.players[side === "first" ? 0 : 1];
  return known(`player.${info.game}.${name}`) ?? t(`player.${name}`);
}

/** @param {import("./types.js").Cell} cell @param {GameInfo} info */
export function contentName(cell, info) {
  if (cell === "empty") return t("cell.empty");
  if (cell === "hole") return t("cell.hole");
  if ("disc" in cell) return t(info.game === "ostle" ? "cell.piece" : "cell.disc", { player: playerName(info, cell.disc) });
  if ("tile" in cell) {
    const [north, east, south] = cell.tile;
    const shape = north === south ? "+" : north === east ? "\\" : "/";
    return t("cell.tile", { shape, player: playerName(info, north) });
  }
  return t("cell.shogi", { player: playerName(info, cell.piece.side), piece: t(`piece.${cell.piece.letters}`) });
}

/**
 * The result of a position that is over; null when it is not.
 * @param {import("./session.js").Session} session
 */
export function resultText(session) {
  const { position, claimed, info } = session;
  if (!position) return null;
  const outcome = claimed?.node === session.shown ? claimed.outcome : position.outcome;
  if (!outcome) return null;
  const reason = claimed?.node === session.shown ? claimed.reason : position.reason;
  const why = reason ? known(`reason.${reason}`) ?? reason : null;
  const score = position.score ? ` ${position.score[0]}\u2013${position.score[1]}` : "";
  const who = outcome === "draw" ? t("result.draw") : t("result.won", { player: playerName(info, outcome) });
  return `${who}${score}${why && !position.score ? t("result.reason", { reason: why }) : ""}`;
}

/** @param {import("./session.js").Session} session */
export function moverText(session) {
  if (!session.position || session.over) return "";
  return t("mover", { player: playerName(session.info, session.position.mover) });
}

/**
 * A move for people: in Japanese the native notation where there is one.
 * @param {Node} node
 */
export function moveText(node) {
  if (node.move === "pass") return t("move.pass");
  if (language() === "ja") {
    const native = node.native ?? node.parent?.position?.view.moves.find((move) => move.move === node.move)?.native;
    if (native) return native;
  }
  return node.move;
}

/**
 * What happened last and who is to move.
 * @param {import("./session.js").Session} session
 */
export function announcement(session) {
  const { shown, position, info } = session;
  if (!position) return "";
  const parts = [];
  const last = position.history.at(-1);
  if (shown.move && last) parts.push(t("announce.move", { player: playerName(info, last.mover), move: moveText(shown) }));
  const result = resultText(session);
  if (result) parts.push(result);
  else {
    if (position.view.check !== undefined) parts.push(t("announce.check"));
    parts.push(moverText(session));
  }
  return parts.join(" ");
}

/** @param {Position} position */
export function openingName(position) {
  const names = (position.openings ?? []).map((opening) => {
    const native = language() === "ja" ? opening.native ?? opening.japanese : undefined;
    return String(native ?? opening.name ?? "");
  });
  return names.filter((name) => name !== "").join(" · ");
}

/** @param {import("./types.js").NodeValue | import("./types.js").Value} value */
export const valueWords = (value) => words(value);
