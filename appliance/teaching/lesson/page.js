/* The page: its sections, its language, its colours, and its address. */

const START = "#b=xo./x../ox.";

class Page {
  constructor() {
    this.sections = SECTIONS.map((wanted) => new Section(wanted));
    this.minimax = this.sections.find(({ fills }) => fills);
    this.minimax.changed = () => this.keep(this.minimax, true);
    this.practice = new Practice(() => this.keep(this.practice, true));
    this.sections.splice(SECTIONS.findIndex(({ id }) => id === "cut") + 1, 0, this.practice, new Hunt());
    this.editor = new Editor((other) => this.keep(this.editor, other));
    this.languages = document.getElementById("language");
    this.theme = document.getElementById("theme");
    Say.tell("en", "page.title"); // reads the words
    const language = (lang) => html("option", "", { value: lang, lang }, new Intl.DisplayNames(lang, { type: "language" }).of(lang));
    this.languages.replaceChildren(...Say.words.languages.map(language));
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
      this.write();
    });
    this.theme.addEventListener("click", () => {
      this.paint(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
      this.nameTheme();
    });
  }

  /** Show what the address asks for. An address that the page wrote says all; what another leaves out stays as it is, and
      is then added. */
  read() {
    const asked = readAddress(location.hash);
    const whole = history.state || !this.lang; // at the start nothing is there yet
    const { subject, options, minimax, practice, windows, lang, ...named } = asked.error ? readAddress(START) : asked;
    const wanted = subject ? { subject, options } : whole && readAddress(START);
    const spoken = (name) => Say.words.languages.includes(name);
    this.reading = true;
    if (spoken(lang)) this.speak(lang, true);
    else if (!this.lang) this.speak(navigator.languages.map((name) => name.slice(0, 2)).find(spoken) ?? "en");
    if (minimax || whole) this.minimax.show(minimax || 1);
    if (practice || whole) this.practice.show(practice || 1, windows);
    if (!this.editor.lesson) this.editor.show(readAddress(START)); // stays if what is asked for is too large
    if (wanted) this.editor.show(wanted);
    this.reading = false;
    this.section = named.section || (subject ? "free" : "");
    this.named = Boolean(subject) || (this.named && !whole);
    asked.error ? this.editor.refuse(asked) : this.write();
    this.reveal(this.section);
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

  /** Keep in the address what somebody has changed in a section. Back leads to the section and the tree before. */
  keep(part, other) {
    if (this.reading) return;
    const { id } = part.host;
    const entered = other || id !== this.section;
    Object.assign(this, { section: id, named: this.named || part === this.editor });
    this.write(entered ? "pushState" : "replaceState");
  }

  /** Say in the address what is shown, so that it can be sent and opened again. */
  write(how = "replaceState") {
    const { section, chosen: lang, practice, editor } = this;
    const { subject, options } = editor;
    const said = { minimax: this.minimax.number, practice: practice.seed, windows: practice.windows, section, lang, ...(this.named && { subject, options }) };
    history[how](true, "", writeAddress(said));
    this.link();
  }

  /** Let the contents lead to the sections as they are. */
  link() {
    for (const link of document.querySelectorAll("nav a")) {
      const { section } = link.dataset;
      link.href = writeAddress({ minimax: section === "minimax" && this.minimax.number, section, lang: this.chosen, practice: section === "practice" && this.practice.seed, windows: this.practice.windows });
    }
  }

  /** Say everything in this language; one that a person chose is in every address. */
  speak(lang, chosen = false) {
    this.lang = lang;
    this.chosen = chosen ? lang : "";
    document.documentElement.lang = this.languages.value = lang;
    document.title = Say.tell(lang, "page.title");
    for (const part of document.querySelectorAll("header, footer")) localise(part, lang);
    for (const part of [...this.sections, this.editor]) part.speak(lang);
    this.link();
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
