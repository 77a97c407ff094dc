/* What a person has filled in stays in the tab until thrown away by asking; where a browser keeps nothing for
   a file, as long as the page is open. */

class Kept {
  /** @type {Map<string, Stored | null>} */
  static page = new Map();

  /** @type {(key: string) => Stored} */
  static read(key) {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? "{}");
    } catch {
      return Kept.page.get(key) ?? {};
    }
  }

  /** Keep an object under a key; null throws away what is there.
      @type {(key: string, object: Stored | null) => void} */
  static write(key, object) {
    Kept.page.set(key, object);
    try {
      if (object) sessionStorage.setItem(key, JSON.stringify(object));
      else sessionStorage.removeItem(key);
    } catch {
      // full, or forbidden
    }
  }
}
