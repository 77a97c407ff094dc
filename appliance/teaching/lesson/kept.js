/* What a person has filled in stays in the tab until thrown away by asking; where a browser keeps nothing for a file, as
   long as the page is open. */

class Kept {
  static page = new Map();

  static read(key) {
    try {
      return JSON.parse(sessionStorage.getItem(key)) ?? {};
    } catch {
      return Kept.page.get(key) ?? {};
    }
  }

  /** Keep an object under a key; null throws away what is there. */
  static write(key, object) {
    Kept.page.set(key, object);
    try {
      object ? sessionStorage.setItem(key, JSON.stringify(object)) : sessionStorage.removeItem(key);
    } catch {} // full, or forbidden
  }
}
