// Values as people read them: with sign and unit, proven results marked, and as a share for bars and graphs.

import { t } from "./i18n.js";

/** @typedef {import("./types.js").Value} Value */

/** @type {Record<string, number>} decimals of an estimate */
const DECIMALS = { discs: 1, centipawns: 0, pieces: 2, "win %": 0 };

/** @type {Record<string, number>} where the logistic curve has reached three quarters */
const QUARTER = { discs: 8, centipawns: 300, pieces: 0.6 };

/** The same value seen by the other side. @template {Value} V @param {V} value @returns {V} */
export function reversed(value) {
  const other = /** @type {const} */ ({ win: "loss", loss: "win", draw: "draw" });
  const number = value.value === null ? null : value.unit === "win %" ? 100 - value.value : -value.value;
  /** @type {V} */
  const result = { ...value, value: number };
  if (value.proven) {
    const proven = { ...value.proven, result: other[value.proven.result] };
    if (proven.score !== undefined) proven.score = -proven.score;
    result.proven = proven;
  }
  if (value.bound) result.bound = value.bound === "lower" ? "upper" : "lower";
  return result;
}

/** A mean result, from -1 to 1, as the win rate that people read; all other values as they are. @template {Value} V @param {V} value @returns {V} */
export function asRate(value) {
  if (value.unit !== "wins") return value;
  return { ...value, unit: "win %", value: value.value === null ? null : 50 * (1 + value.value) };
}

/** Whether a result is certain, and not a bound. @param {Value} value */
export const isExact = (value) => value.exact ?? (value.proven !== undefined && value.bound === undefined);

/**
 * A number with its sign, without a unit: `+1.5`. Typographic minus.
 * @param {number} number
 * @param {string} unit
 * @param {boolean} [whole]
 */
export function signed(number, unit, whole = false) {
  if (isPercentage(unit)) return `${number.toFixed(0)}%`;
  const text = Math.abs(number).toFixed(whole ? 0 : DECIMALS[unit] ?? 2);
  if (Number(text) === 0) return "0";
  return (number > 0 ? "+" : "\u2212") + text;
}

/** Win rates, and the shares that a policy gives to moves. @param {string} unit */
const isPercentage = (unit) => unit === "win %" || unit === "policy";

/**
 * What was lost, without a sign: `2.0 discs`, `6%`.
 * @param {number} loss
 * @param {string} unit
 */
export function lossText(loss, unit) {
  const text = Math.abs(loss).toFixed(isPercentage(unit) ? (loss < 9.95 ? 1 : 0) : DECIMALS[unit] ?? 2);
  return isPercentage(unit) ? `${text}%` : `${text} ${unitName(unit)}`;
}

/** Short, for a square of the board: `+3`, `W7`, `=`. @param {Value} value */
export function short(value) {
  if (value.value === null && !value.proven) return "";
  if (value.proven && value.proven.plies !== undefined) {
    const { result, plies } = value.proven;
    return result === "draw" ? "=" : t(result === "win" ? "value.win.short" : "value.loss.short", { plies });
  }
  if (value.proven && value.value === null) {
    return value.proven.result === "draw" ? "=" : t(value.proven.result === "win" ? "value.win.mark" : "value.loss.mark");
  }
  const number = /** @type {number} */ (value.value);
  if (value.unit === "centipawns") return signed(number, value.unit, true);
  const text = signed(number, value.unit, value.unit === "discs");
  // A cell has room for four signs: +.92 or +1.1 pieces.
  if (value.unit !== "pieces") return text;
  return text.includes("0.") ? text.replace("0.", ".") : text.replace(/(\.\d)\d$/u, "$1");
}

/** In words, with the unit: `+1.5 discs`, `win in 7`. @param {Value} value */
export function words(value) {
  const text = unitless(value);
  const counted = value.value !== null && value.proven?.plies === undefined && !isPercentage(value.unit);
  return counted ? `${text} ${unitName(value.unit)}` : text;
}

/** The same without the unit, for a list whose head names it. @param {Value} value */
export function unitless(value) {
  if (value.value === null && !value.proven) return "";
  if (value.proven && (value.proven.plies !== undefined || value.value === null)) {
    const { result, plies } = value.proven;
    if (result === "draw") return t("value.draw");
    return plies === undefined ? t(`value.${result}`) : t(`value.${result}.in`, { plies });
  }
  const number = /** @type {number} */ (value.value);
  if (isPercentage(value.unit)) return signed(number, value.unit);
  const text = signed(number, value.unit, value.unit === "discs" && isExact(value));
  const bound = value.bound === "lower" ? "\u2265" : value.bound === "upper" ? "\u2264" : "";
  return `${bound}${text}`;
}

/** @param {string} unit */
export const unitName = (unit) => t(`unit.${unit}`);

/** For the bar, which has room for five signs. @param {Value} value */
export function brief(value) {
  const number = value.value;
  if (value.unit !== "centipawns" || value.proven || number === null || Math.abs(number) < 1000) return short(value);
  return `${signed(number / 1000, "")}`.replace(/(\.\d)\d$/u, "$1k");
}

/** A share of the bar, 0 to 1. @param {Value} value */
export function share(value) {
  if (value.proven && (value.value === null || value.proven.plies !== undefined)) {
    return value.proven.result === "win" ? 1 : value.proven.result === "loss" ? 0 : 0.5;
  }
  if (value.value === null) return 0.5;
  if (value.unit === "win %") return value.value / 100;
  const scale = QUARTER[value.unit] ?? 1;
  return 1 / (1 + 3 ** (-value.value / scale));
}

/** How bad a loss is, 0 (good) to 3 (blunder), by the mark of the analysis. @param {string | undefined} mark */
export const severity = (mark) => (mark === "??" ? 3 : mark === "?" ? 2 : mark === "?!" ? 1 : 0);
