/* The page: its sections, its language, its colours, and its address. */

const START = "#b=xo./x../ox.";

class Page {
  constructor() {
    const sections = SECTIONS.map((wanted) => new Section(wanted));
    this.minimax = present(sections.find(({ fill }) => fill));
    this.minimax.changed = () => this.keep(this.minimax, true);
    this.practice = new Practice(() => this.keep(this.practice, true));
    /** @type {(Section | Practice | Hunt)[]} */
    this.sections = [...sections];
    this.sections.splice(SECTIONS.findIndex(({ id }) => id === "cut") + 1, 0, this.practice, new Hunt());
    this.editor = new Editor((other) => this.keep(this.editor, other));
    this.languages = byId("language", HTMLSelectElement);
    this.theme = byId("theme", HTMLButtonElement);
    this.lang = "";
    this.chosen = ""; // the language, if a person did
    this.section = ""; // that is in the address
    this.named = false; // the editor's subject, in the address
    this.reading = false; // an address
    this.languages.replaceChildren(...Say.words.languages.map((lang) => {
      const name = new Intl.DisplayNames(lang, { type: "language" }).of(lang);
      return html("option", "", { value: lang, lang }, name ?? lang);
    }));
    const hosts = [...this.sections, this.editor].map(({ host }) => host);
    byTag("main").append(...hosts);
    byTag("ol").append(...hosts.map(({ id }) => {
      return html("li", "", {}, html("a", "", { "data-text": `page.${id}`, "data-section": id }));
    }));
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

  /** Show what the address asks for. An address that the page wrote says all; what another leaves out stays
      as it is, and is then added. */
  read() {
    const asked = readAddress(location.hash);
    const whole = Boolean(history.state) || !this.lang; // at the start nothing is there yet
    const shown = "error" in asked ? parseAddress(START) : asked;
    const { subject, options, minimax, practice, windows, lang } = shown;
    /** @type {(name: string) => boolean} */
    const spoken = (name) => Say.words.languages.includes(name);
    this.reading = true;
    if (spoken(lang)) this.speak(lang, true);
    else if (!this.lang) this.speak(navigator.languages.map((name) => name.slice(0, 2)).find(spoken) ?? "en");
    if (minimax || whole) this.minimax.show(minimax || 1);
    if (practice || whole) this.practice.show(practice || 1, windows);
    if (!this.editor.lesson || (whole && !subject)) this.start(); // stays if what is asked for is too large
    if (subject) this.editor.show({ subject, options });
    this.reading = false;
    this.section = shown.section || (subject ? "free" : "");
    this.named = Boolean(subject) || (this.named && !whole);
    if ("error" in asked) this.editor.refuse(asked);
    else this.write();
    this.reveal(this.section);
  }

  start() {
    const { subject, options } = parseAddress(START);
    this.editor.show({ subject: present(subject), options });
  }

  /** @type {(id: string) => void} */
  reveal(id) {
    const title = id && document.getElementById(`${id}-title`);
    if (!title) return;
    title.focus({ preventScroll: true });
    title.parentElement?.scrollIntoView();
  }

  /** Leave on paper only the section in the middle of the window: there somebody is at work. */
  setAside() {
    const sections = [...document.querySelectorAll("main > section")];
    const seen = sections.findLast((one) => one.getBoundingClientRect().top < innerHeight / 2) ?? sections[0];
    for (const one of sections) one.classList.toggle("aside", one !== seen);
  }

  /** Keep in the address what somebody has changed in a section. Back leads to the section and the tree
      before.
      @type {(part: Section | Practice | Editor, other: boolean) => void} */
  keep(part, other) {
    if (this.reading) return;
    const { id } = part.host;
    const entered = other || id !== this.section;
    this.section = id;
    this.named = this.named || part === this.editor;
    this.write(entered ? "pushState" : "replaceState");
  }

  /** Say in the address what is shown, so that it can be sent and opened again.
      @type {(how?: "pushState" | "replaceState") => void} */
  write(how = "replaceState") {
    const { section, chosen: lang, practice, editor } = this;
    const { subject, options } = editor;
    const trees = { minimax: this.minimax.number, practice: practice.seed, windows: practice.windows };
    const free = this.named ? { subject, options } : {};
    history[how](true, "", writeAddress({ ...trees, section, lang, ...free }));
    this.link();
  }

  /** Let the contents lead to the sections as they are. */
  link() {
    for (const link of byTag("nav").querySelectorAll("a")) {
      const { section } = link.dataset;
      const minimax = section === "minimax" ? this.minimax.number : 0;
      const practice = section === "practice" ? this.practice.seed : 0;
      const { windows } = this.practice;
      link.href = writeAddress({ minimax, practice, windows, section, lang: this.chosen });
    }
  }

  /** Say everything in this language; one that a person chose is in every address.
      @type {(lang: string, chosen?: boolean) => void} */
  speak(lang, chosen = false) {
    this.lang = lang;
    this.chosen = chosen ? lang : "";
    document.documentElement.lang = lang;
    this.languages.value = lang;
    document.title = Say.tell(lang, "page.title");
    for (const part of partsOf(document, "header, footer")) localise(part, lang);
    for (const part of [...this.sections, this.editor]) part.speak(lang);
    this.link();
    this.nameTheme();
  }

  /** @type {(theme: string) => void} */
  paint(theme) {
    document.documentElement.dataset.theme = theme;
  }

  nameTheme() {
    const dark = document.documentElement.dataset.theme === "dark";
    this.theme.textContent = Say.tell(this.lang, dark ? "page.light" : "page.dark");
  }
}

new Page();
