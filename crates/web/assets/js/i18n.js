// Texts of the page in the reader's language: chosen by hand, or else the browser's.

import { english } from "./text/en.js";
import { japanese } from "./text/ja.js";
import { settings } from "./settings.js";

/** @type {Record<"en" | "ja", Record<string, string>>} */
const TEXTS = { en: english, ja: japanese };

/** @returns {"en" | "ja"} */
export function language() {
  if (settings.language) return settings.language;
  for (const wanted of navigator.languages) {
    if (wanted.startsWith("ja")) return "ja";
    if (wanted.startsWith("en")) return "en";
  }
  return "en";
}

/**
 * The text of a key, with `{name}` replaced. An unknown key is shown as it is; a test checks that there is none.
 * @param {string} key
 * @param {Record<string, string | number | undefined>} [parts]
 */
export function t(key, parts = {}) {
  const text = TEXTS[language()][key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/gu, (whole, name) => String(parts[name] ?? whole));
}

/** The text of a key, or null when there is none. @param {string} key */
export function known(key) {
  return TEXTS[language()][key] ?? english[key] ?? null;
}

/** @param {number} number */
export const count = (number) => number.toLocaleString(language());
