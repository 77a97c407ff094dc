/* Elements of the page: made, and found. */

/** @type {(element: Element, attributes: Attributes) => void} */
function setAttributes(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`);
}

/** An SVG element.
    @type {<T extends keyof SVGElementTagNameMap>(name: T, attributes?: Attributes, ...children: Child[])
      => SVGElementTagNameMap[T]} */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** An HTML element with classes; `word` is the key of its text, `name` that of its label.
    @type {<T extends keyof HTMLElementTagNameMap>(tag: T, classes?: string, attributes?: Named, ...children:
      Child[]) => HTMLElementTagNameMap[T]} */
function html(tag, classes = "", { word, name, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  if (word) element.dataset.word = word;
  if (name) element.dataset.name = name;
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** The HTML elements below `root` that fit a selector.
    @type {(root: ParentNode, selector: string) => HTMLElement[]} */
function partsOf(root, selector) {
  return [...root.querySelectorAll(selector)].filter((part) => part instanceof HTMLElement);
}

/** The element at or above an event's target that fits a selector.
    @type {(event: Event, selector: string) => HTMLElement | SVGElement | null} */
function targetOf({ target }, selector) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof HTMLElement || found instanceof SVGElement ? found : null;
}

/** The element with an id, of this class.
    @type {<T extends HTMLElement>(id: string, kind: new () => T) => T} */
function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

/** The first element of the page with a tag.
    @type {<T extends keyof HTMLElementTagNameMap>(tag: T) => HTMLElementTagNameMap[T]} */
const byTag = (tag) => present(document.querySelector(tag));
