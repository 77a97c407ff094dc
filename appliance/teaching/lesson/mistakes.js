/* What goes wrong: by whoever writes something, or in the page itself. */

/** What a person got wrong: `error` is the key of a sentence, `values` what it names. */
class Mistake extends Error {
  /** @param {string} error @param {Values} values */
  constructor(error, values = {}) {
    super(`${error} ${JSON.stringify(values)}`);
    this.error = error;
    this.values = values;
  }
}

/** What must be there: without it, the page is wrong. @type {<T>(value: T | null | undefined) => T} */
function present(value) {
  if (value === null || value === undefined) throw new Error("something is missing");
  return value;
}

/** What `work` returns, or the mistake as {error, values}. @type {<T>(work: () => T) => T | Wrong} */
function attempt(work) {
  try {
    return work();
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    return { error: mistake.error, values: mistake.values };
  }
}
