"use strict";
/* The page of the desk: the worker that runs the box, and what goes between them. */

const SAID = 50; // changes that stay to be read again
const BYTES = Number("@BYTES@"); // that the worker counts when it loads

/** @type {(id: string) => HTMLElement} */
const $ = (id) => byId(id, HTMLElement);
const { currentScript } = document;
const here = currentScript instanceof HTMLScriptElement ? currentScript.src : "";
const [centre, mute] = [byId("centre", HTMLButtonElement), byId("mute", HTMLInputElement)];
const [note, caption, says] = ["notice", "caption", "says"].map($);
const asked = new URLSearchParams(location.search);
const buzzer = new Buzzer();
const panel = new Panel($("box"), byId("close", HTMLCanvasElement), (key, down) => {
  send({ [down ? "down" : "up"]: key });
  centre.setAttribute("aria-pressed", `${panel.holders.has("centre")}`);
});
const workbench = new Workbench(send, start);
/** @type {Worker | null} */
let worker = null;
let ready = false; // it has shown its box

/** Send what a person does. An error that was said before is answered by it; a release is no answer, but the
    end of what has caused the error.
    @type {(message: Message) => void} */
function send(message) {
  if (!ready) return;
  worker?.postMessage(JSON.stringify(message));
  if (!("up" in message || "watch" in message)) untell("error");
}

/** Say a sentence: of the "start" of the box or its end, or an "error" in what was asked of it.
    @type {(kind: string, text: string, offer?: string, then?: (() => void) | null) => void} */
function tell(kind, text, offer = "", then = null) {
  const seen = note.dataset.kind === kind && !note.hidden;
  note.dataset.kind = kind;
  note.hidden = false;
  if (!seen) note.scrollIntoView({ block: "nearest" }); // on a phone the workbench is far below
  for (const sentence of note.querySelectorAll("span")) sentence.textContent = text;
  for (const button of note.querySelectorAll("button")) {
    button.hidden = !offer;
    button.textContent = offer;
    button.onclick = then;
  }
}

/** @type {(kind: string) => void} */
function untell(kind) {
  if (note.dataset.kind === kind) note.hidden = true;
}

/** What the box says, as JSON, and what then happens here. @type {Record<string, (value: any) => void>} */
const heard = {
  hello: (/** @type {Hello} */ hello) => {
    panel.show(hello);
    says.replaceChildren();
    panel.host.classList.remove("gone");
    workbench.show(hello);
    $("muting").hidden = !hello.buzzer;
    buzzer.waves = hello.buzzer ?? {};
    ready = true;
    untell("start"); // but not an error that came with it
  },
  turned: (turned) => {
    panel.turn(turned);
    workbench.turn(turned);
  },
  says: (words) => {
    const line = document.createElement("p"); // for each change
    line.textContent = words;
    says.append(line);
    while (says.children.length > SAID) says.firstElementChild?.remove();
  },
  names: (names) => panel.name(names),
  language: (code) => {
    for (const part of [...panel.buttons, says]) part.lang = code;
    byId("lesson", HTMLAnchorElement).href = `lesson.html#l=${code}`;
    speak(code);
    workbench.speak();
  },
  caption: (words) => {
    caption.textContent = words;
  },
  lamp: (on) => panel.light(on),
  beep: (signal) => buzzer.sound(signal),
  wiring: (contacts) => panel.wire(contacts),
  stuck: (keys) => {
    panel.stick(keys);
    workbench.stuck(keys);
  },
  error: (sentence) => tell("error", sentence),
  mistakes: (/** @type {string[]} */ sentences) => {
    if (sentences.length) tell("error", sentences.join("\n"));
  },
};

/** Have the box here. Of all tabs one has it, since they share its games; `take` it from that one. */
function claim(take = false) {
  /** @type {(why: string) => void} */
  const refused = (why) => end(word(why), word("take"), () => claim(true));
  if (!navigator.locks) return start(); // the address has no https
  const options = take ? { steal: true } : { ifAvailable: true };
  const had = navigator.locks.request("tictactoe-box", options, (lock) => {
    return lock ? new Promise(() => start()) : refused("already");
  });
  had.catch((error) => {
    if (error.name === "AbortError") refused("now");
    else start(); // a browser that keeps nothing refuses this, too
  });
}

/** Start the box as its plug would, with another configuration if one is given.
    @type {(configuration?: string) => void} */
function start(configuration) {
  end(word("starts"));
  worker = new Worker(new URL("worker.js", here), { type: "module" });
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = ({ message }) => {
    // Of a Python error the last line says what it is; the console has all.
    const why = message.trim().split("\n").at(-1) ?? "";
    end(word("stopped", why), word("restart"), () => start());
  };
  const seed = asked.has("seed") ? Number(asked.get("seed")) : undefined;
  worker.postMessage({ configuration, seed, again: Boolean(navigator.serviceWorker?.controller) });
}

/** Have no box, and say why. @type {(why: string, offer?: string, then?: () => void) => void} */
function end(why, offer, then) {
  worker?.terminate();
  ready = false;
  panel.releaseAll();
  panel.host.classList.add("gone");
  tell("start", why, offer, then);
}

/** @type {(posted: Posted) => void} */
function hear({ done, lost, said }) {
  if (done) {
    const [loaded, all] = [done, BYTES].map((bytes) => (bytes / 1e6).toFixed(1));
    return tell("start", done < BYTES ? word("loading", loaded, all) : word("starts"));
  }
  if (lost) {
    $("lost").textContent = word("lost", lost);
    return;
  }
  if (said instanceof ArrayBuffer) return panel.draw(new Uint8Array(said));
  if (said === undefined) return;
  for (const [name, value] of Object.entries(JSON.parse(said))) {
    if (heard[name]) heard[name](value);
    else workbench.hear(name, value);
  }
}

// For screen readers and switches, whose click cannot last: one click holds the centre, another lets it go.
centre.addEventListener("click", () => {
  if (panel.holders.has("centre")) panel.release("centre");
  else panel.hold("centre", 4);
});
mute.addEventListener("change", () => {
  buzzer.muted = mute.checked;
});

/** @type {(event: KeyboardEvent) => number} */
const digit = (event) => Number(/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? 0);
document.addEventListener("keydown", (event) => {
  // The workbench has no other field that takes a digit.
  const typing = event.target instanceof Element && event.target.closest("textarea, select");
  if (!digit(event) || typing || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (!event.repeat) panel.hold(event.code, panel.seen(digit(event) - 1));
});
document.addEventListener("keyup", (event) => panel.release(event.code));
// What is released elsewhere is not told to this page.
window.addEventListener("blur", () => panel.releaseAll());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) panel.releaseAll();
});
panel.show(JSON.parse($("new").textContent)); // a box without power
speak("en"); // until it says which language it speaks
workbench.speak();
claim();
navigator.serviceWorker?.register("offline.js").catch(() => {}); // where nothing is kept, nor is this page
