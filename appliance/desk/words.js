"use strict";
/* What the page itself says, in the language of its box. */

/** @type {{ languages: string[], texts: Record<string, string[]> }} */
const WORDS = JSON.parse(byId("words", HTMLElement).textContent);
let spoken = 0; // which of its languages

/** Return a text, with values in its places.
    @type {(key: string, ...values: (string | number)[]) => string} */
function word(key, ...values) {
  return WORDS.texts[key][spoken].replace(/\{\}/g, () => `${values.shift()}`);
}

/** Say everything in a language, English if it is none of the page's. @type {(code: string) => void} */
function speak(code) {
  spoken = Math.max(WORDS.languages.indexOf(code), 0);
  document.documentElement.lang = WORDS.languages[spoken];
  document.title = word("title");
  for (const part of document.querySelectorAll("[data-text], [data-label]")) {
    if (!(part instanceof HTMLElement)) continue;
    const { text, label } = part.dataset;
    if (text) part.textContent = word(text);
    if (label) part.setAttribute("aria-label", word(label));
  }
}
