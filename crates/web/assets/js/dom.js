// Elements without markup strings: every text becomes a text node, so nothing that a record or a server says can
// become code.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** @typedef {string | number | Node | null | undefined | false | ReadonlyArray<any>} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
}

/**
 * @param {Element} element
 * @param {ReadonlyArray<Child>} children
 */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(String(child));
  }
}

/**
 * An HTML element. Attributes that begin with `on` and hold a function are event listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG_NAMESPACE, tag));
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * Sets an attribute only when it changes, so that screen readers are not disturbed.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function attribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Whether the reader asked for less motion. */
export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * A line icon on a 24 by 24 grid.
 * @param {string} name
 */
export function icon(name) {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("path", { d: ICONS[name] ?? "" }),
  );
}

/** @type {Record<string, string>} */
const ICONS = {
  first: "M18 5l-8 7 8 7M6 5v14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M6 5l8 7-8 7M18 5v14",
  undo: "M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 12h-2",
  redo: "M15 6l5 5-5 5M20 11H10a6 6 0 0 0 0 12h2",
  flip: "M8 4v15m0 0l-4-4m4 4l4-4M16 20V5m0 0l-4 4m4-4l4 4",
  hint: "M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.6 10.8c.8.7 1.1 1.4 1.1 2.2h5c0-.8.3-1.5 1.1-2.2A6 6 0 0 0 12 3z",
  play: "M8 5l11 7-11 7z",
  values: "M5 19V9m5 10V5m5 14v-7m5 7V8",
  highlights: "M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6z",
  graph: "M4 18l5-6 4 3 7-9",
  edit: "M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3",
  share: "M12 15V4m0 0L8 8m4-4l4 4M5 12v7h14v-7",
  import: "M12 4v11m0 0l-4-4m4 4l4-4M5 20h14",
  export: "M12 15V4m0 0L8 8m4-4l4 4M5 20h14",
  rules: "M12 6c-2-1.5-5-2-8-1.5V18c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V4.5C17 4 14 4.5 12 6zm0 0v13.5",
  keys: "M4 7h16v10H4zM7 10h.01M10.5 10h.01M14 10h.01M17 10h.01M8 14h8",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  plus: "M12 5v14M5 12h14",
  up: "M12 19V6m0 0l-5 5m5-5l5 5M5 3h14",
  close: "M6 6l12 12M18 6L6 18",
  trash: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12",
  mistake: "M12 4v10M12 18.5v.5",
  threat: "M12 3v4M12 17v4M3 12h4M17 12h4M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  puzzle: "M5 8h4a2 2 0 1 1 4 0h5v5a2 2 0 1 1 0 4v3H5z",
  flag: "M6 21V4h11l-2 4 2 4H6",
  copy: "M8 8h11v12H8zM5 16V4h11",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4 4",
};
