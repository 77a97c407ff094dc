"use strict";
/* The page of the desk: the worker that runs the box, and what goes between them. */

const SAID = 50; // changes that stay to be read again

const $ = (id) => document.getElementById(id);
const here = document.currentScript.src;
const asked = new URLSearchParams(location.search);
const buzzer = new Buzzer();
const panel = new Panel($("box"), $("close"), (key, down) => {
  send({ [down ? "down" : "up"]: key });
  $("centre").setAttribute("aria-pressed", panel.holders.has("centre"));
});
const workbench = new Workbench(send, start);
let worker = null;
let ready = false; // it has shown its box

/** Send what a person does. An error that was said before is answered by it; a release is no answer, but the end of
    what has caused the error. */
function send(message) {
  if (!ready) return;
  worker.postMessage(JSON.stringify(message));
  if (!("up" in message || "watch" in message)) untell("error");
}

/** Say a sentence: of the "start" of the box or its end, or an "error" in what was asked of it. */
function tell(kind, text, offer = "", then = null) {
  const notice = $("notice");
  notice.dataset.kind = kind;
  notice.hidden = false;
  notice.firstElementChild.textContent = text;
  notice.lastElementChild.hidden = !offer;
  notice.lastElementChild.textContent = offer;
  notice.lastElementChild.onclick = then;
}

function untell(kind) {
  if ($("notice").dataset.kind === kind) $("notice").hidden = true;
}

const heard = {
  hello: (hello) => {
    panel.show(hello);
    $("says").replaceChildren();
    panel.host.classList.remove("gone");
    workbench.show(hello);
    $("muting").hidden = !hello.buzzer;
    buzzer.waves = hello.buzzer ?? {};
    ready = true;
    untell("start"); // but not an error that came with it
  },
  turned: (turned) => (panel.turn(turned), workbench.turn(turned)),
  says: (words) => {
    $("says").append(Object.assign(document.createElement("p"), { textContent: words })); // a line for each change
    while ($("says").children.length > SAID) $("says").firstElementChild.remove();
  },
  names: (names) => panel.name(names),
  language: (code) => {
    for (const part of [...panel.buttons, $("says")]) part.lang = code;
    $("lesson").href = `lesson.html#l=${code}`;
  },
  caption: (words) => ($("caption").textContent = words),
  lamp: (on) => panel.light(on),
  beep: (signal) => buzzer.sound(signal),
  wiring: (contacts) => panel.wire(contacts),
  stuck: (keys) => (panel.stick(keys), workbench.stuck(keys)),
  error: (sentence) => tell("error", sentence),
  mistakes: (sentences) => sentences.length && tell("error", sentences.join("\n")),
};

/** Have the box here. Of all tabs one has it, since they share its games; `take` it from that one. */
function claim(take = false) {
  const refused = (which) => end(`Another tab shows this box ${which}.`, "Use it here", () => claim(true));
  if (!navigator.locks) return start(); // the address has no https
  const options = take ? { steal: true } : { ifAvailable: true };
  navigator.locks.request("box", options, (lock) => (lock ? new Promise(() => start()) : refused("already"))).catch((error) => {
    if (error.name === "AbortError") refused("now");
    else start(); // a browser that keeps nothing refuses this, too
  });
}

/** Start the box as its plug would, with another configuration if one is given. */
function start(configuration) {
  end("The box starts.");
  worker = new Worker(new URL("worker.js", here), { type: "module" });
  worker.onmessage = ({ data }) => hear(data);
  // Of a Python error the last line says what it is; the console has all.
  worker.onerror = ({ message }) => end(`The box has stopped: ${message.trim().split("\n").at(-1)}`, "Start it again", () => start());
  worker.postMessage({ configuration, seed: asked.has("seed") ? Number(asked.get("seed")) : undefined });
}

/** Have no box, and say why. */
function end(why, offer, then) {
  worker?.terminate();
  ready = false;
  panel.releaseAll();
  panel.host.classList.add("gone");
  tell("start", why, offer, then);
}

function hear({ done, lost, said }) {
  if (done) return tell("start", `The box starts. Its Python is on its way: ${(done / 1e6).toFixed(1)} of @MEGABYTES@ MB.`);
  if (lost) return ($("lost").textContent = `This browser keeps nothing here: your games end with this tab. (${lost})`);
  if (typeof said !== "string") return panel.draw(new Uint8Array(said));
  for (const [name, value] of Object.entries(JSON.parse(said))) {
    if (heard[name]) heard[name](value);
    else workbench.hear(name, value);
  }
}

// For screen readers and switches, whose click cannot last: one click holds the centre down, another lets it go.
$("centre").addEventListener("click", () => (panel.holders.has("centre") ? panel.release("centre") : panel.hold("centre", 4)));
$("mute").addEventListener("change", (event) => (buzzer.muted = event.target.checked));

const digit = (event) => Number(/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? 0);
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("textarea, select"); // the workbench has no other field that takes a digit
  if (!digit(event) || typing || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (!event.repeat) panel.hold(event.code, panel.seen(digit(event) - 1));
});
document.addEventListener("keyup", (event) => panel.release(event.code));
// What is released elsewhere is not told to this page.
window.addEventListener("blur", () => panel.releaseAll());
document.addEventListener("visibilitychange", () => document.hidden && panel.releaseAll());
panel.show(JSON.parse($("new").textContent)); // a box without power
claim();
navigator.serviceWorker?.register("offline.js").catch(() => {}); // where nothing is kept, neither is this page
