/* The page: its sections, its language, its colours, and its address. */

const START = "#b=xo./x../ox.";

class Page {
  constructor() {
    this.sections = SECTIONS.map((wanted) => new Section(wanted));
    this.practice = new Practice((shown) => this.keep(shown));
    this.sections.splice(SECTIONS.findIndex(({ id }) => id === "cut") + 1, 0, this.practice, new Hunt());
    this.editor = new Editor((shown) => this.remember(shown));
    this.languages = document.getElementById("language");
    this.theme = document.getElementById("theme");
    Say.tell("en", "page.title"); // reads the words
    const language = (lang) => html("option", "", { value: lang, lang }, new Intl.DisplayNames(lang, { type: "language" }).of(lang));
    this.languages.replaceChildren(...Object.keys(Say.words).map(language));
    document.querySelector("main").append(...[...this.sections, this.editor].map(({ host }) => host));
    const links = [...this.sections, this.editor].map(({ host }) => html("li", "", {}, html("a", "", { "data-text": `page.${host.id}`, "data-section": host.id })));
    document.querySelector("nav ol").replaceChildren(...links);
    this.lang = "";
    this.paint(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.listen();
    this.read();
  }

  listen() {
    addEventListener("hashchange", () => this.read());
    addEventListener("beforeprint", () => this.setAside());
    this.languages.addEventListener("change", () => {
      this.speak(this.languages.value, true);
      if (this.named) this.remember(this.editor);
      else if (this.section === "practice") this.keep(this.practice);
      else this.write({ section: this.section });
    });
    this.theme.addEventListener("click", () => {
      this.paint(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
      this.nameTheme();
    });
  }

  /** Show what the address asks for. */
  read() {
    const asked = readAddress(location.hash);
    const { subject, options, practice, lang, section } = asked.error ? readAddress(START) : asked;
    const spoken = (name) => Object.hasOwn(Say.words, name); // not "constructor"
    this.reading = true; // the address stays as it was asked for
    if (spoken(lang)) this.speak(lang, true);
    else if (!this.lang) this.speak(navigator.languages.map((name) => name.slice(0, 2)).find(spoken) ?? "en");
    if (practice) this.practice.show(practice);
    if (!this.editor.lesson) this.editor.show(readAddress(START)); // stays if what is asked for is too large
    if (subject) this.editor.show({ subject, options });
    this.reading = false;
    Object.assign(this, { section, named: Boolean(subject) });
    if (asked.error) this.editor.refuse(asked);
    this.reveal(asked.error || (subject && !section) ? "free" : section);
  }

  reveal(id) {
    const title = id && document.getElementById(`${id}-title`);
    if (!title) return;
    title.focus({ preventScroll: true });
    title.parentElement.scrollIntoView();
  }

  /** Leave on paper only the section in the middle of the window: there somebody is at work. */
  setAside() {
    const sections = [...document.querySelectorAll("main > section")];
    const seen = sections.findLast((one) => one.getBoundingClientRect().top < innerHeight / 2) ?? sections[0];
    for (const one of sections) one.classList.toggle("aside", one !== seen);
  }

  /** Keep what the last figure shows in the address, so that it can be sent. */
  remember({ subject, options }) {
    if (this.reading) return;
    this.named = true;
    this.write({ subject, options, section: "free" });
  }

  /** Keep the tree to fill in in the address. */
  keep({ seed }) {
    if (this.reading) return;
    Object.assign(this, { named: false, section: "practice" });
    this.write({ practice: seed, section: this.section });
  }

  write(shown) {
    history.replaceState(null, "", writeAddress({ ...shown, lang: this.chosen }));
  }

  /** Say everything in this language; one that a person chose is in every address. */
  speak(lang, chosen = false) {
    this.lang = lang;
    this.chosen = chosen ? lang : "";
    document.documentElement.lang = this.languages.value = lang;
    document.title = Say.tell(lang, "page.title");
    for (const part of document.querySelectorAll("header, footer")) translate(part, lang);
    for (const part of [...this.sections, this.editor]) part.speak(lang);
    for (const link of document.querySelectorAll("nav a")) link.href = writeAddress({ section: link.dataset.section, lang: this.chosen });
    this.nameTheme();
  }

  paint(theme) {
    document.documentElement.dataset.theme = theme;
  }

  nameTheme() {
    this.theme.textContent = Say.tell(this.lang, document.documentElement.dataset.theme === "dark" ? "page.light" : "page.dark");
  }
}

new Page();
