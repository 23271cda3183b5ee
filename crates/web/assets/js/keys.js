// The keyboard map: actions, their default keys, and the reader's own.

import { change, settings } from "./settings.js";

/**
 * Keys as the browser names them, with modifiers in the order Ctrl, Shift. A letter stands for itself without Shift.
 * @type {Record<string, string[]>}
 */
export const DEFAULT_KEYS = {
  back: ["ArrowLeft", "j"],
  forward: ["ArrowRight", "k"],
  "previous-variation": ["ArrowUp"],
  "next-variation": ["ArrowDown"],
  "leave-variation": ["Shift+ArrowLeft"],
  "enter-variation": ["Shift+ArrowRight"],
  first: ["Home", "0"],
  last: ["End", "$"],
  undo: ["u", "Ctrl+z"],
  redo: ["Ctrl+Shift+z"],
  analysis: ["Space"],
  "engine-move": ["Enter"],
  "analyse-game": ["a"],
  engine: ["l"],
  candidate: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
  flip: ["f"],
  values: ["v"],
  highlights: ["s"],
  graph: ["g"],
  editor: ["e"],
  copy: ["Ctrl+c"],
  paste: ["Ctrl+v"],
  "next-mistake": ["n"],
  "previous-mistake": ["Shift+n"],
  mode: ["Tab"],
  threat: ["x"],
  hint: ["h"],
  "new-game": ["Shift+Enter"],
  keys: ["?"],
  close: ["Escape"],
};

/** Actions whose keys the browser or the map fix. */
export const FIXED = new Set(["candidate", "copy", "paste", "close", "mode", "keys"]);

/** @param {string} action */
export const keysOf = (action) => settings.keys[action] ?? DEFAULT_KEYS[action] ?? [];

/** @param {string} action @param {string} key */
export function rebind(action, key) {
  const keys = { ...settings.keys };
  for (const other of Object.keys(DEFAULT_KEYS)) {
    if (other !== action && keysOf(other).includes(key)) keys[other] = keysOf(other).filter((known) => known !== key);
  }
  keys[action] = [key];
  change({ keys });
}

export function resetKeys() {
  change({ keys: {} });
}

/** The name of the pressed key. @param {KeyboardEvent} event */
export function keyName(event) {
  const control = event.ctrlKey || event.metaKey;
  const letter = event.key.length === 1;
  const key = event.key === " " ? "Space" : letter && /\p{L}/u.test(event.key) ? event.key.toLowerCase() : event.key;
  // A sign such as ? or $ already contains its Shift.
  const shift = event.shiftKey && (!letter || /\p{L}/u.test(event.key));
  return `${control ? "Ctrl+" : ""}${shift ? "Shift+" : ""}${key}`;
}

/** The action of a key, or null. @param {string} key */
export function actionOf(key) {
  for (const action of Object.keys(DEFAULT_KEYS)) if (keysOf(action).includes(key)) return action;
  return null;
}

/** A key as people write it. @param {string} key */
export function keyLabel(key) {
  const names = /** @type {Record<string, string>} */ ({ ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" });
  return key.split("+").map((part) => names[part] ?? (part.length === 1 ? part.toLowerCase() : part)).join(" + ");
}
