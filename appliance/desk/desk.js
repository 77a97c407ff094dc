"use strict";
/* The page of the desk: a socket to the box, and what goes over it. */

const SOONEST = 250; // milliseconds until the box is looked for again; doubles up to LATEST
const LATEST = 4000;
const SAID = 50; // changes that stay to be read again
const [BUSY, TAKEN] = [4001, 4002]; // close codes: another window has the box; another one has taken it

const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get("t");
const buzzer = new Buzzer();
const panel = new Panel($("box"), $("close"), (key, down) => {
  send({ [down ? "down" : "up"]: key });
  $("centre").setAttribute("aria-pressed", panel.holders.has("centre"));
});
const workbench = new Workbench(send);
let socket = null;
let pause = SOONEST;

/** Send what a person does. An error that was said before is answered by it; a release is no answer, but the end of
    what has caused the error. */
function send(message) {
  if (socket?.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify(message));
  if (!("up" in message || "watch" in message)) untell("error");
}

/** Say a sentence: of the "link" to the box, or an "error" in what was asked of it. */
function tell(kind, text, offer = false) {
  const notice = $("notice");
  notice.dataset.kind = kind;
  notice.hidden = false;
  notice.firstElementChild.textContent = text;
  notice.lastElementChild.hidden = !offer;
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
    untell("link"); // but not an error that came with it
  },
  turned: (turned) => (panel.turn(turned), workbench.turn(turned)),
  says: (words) => {
    $("says").append(Object.assign(document.createElement("p"), { textContent: words })); // a line for each change
    while ($("says").children.length > SAID) $("says").firstElementChild.remove();
  },
  names: (names) => panel.name(names),
  language: (code) => [...panel.buttons, $("says")].forEach((part) => (part.lang = code)),
  caption: (words) => ($("caption").textContent = words),
  lamp: (on) => panel.light(on),
  beep: (signal) => buzzer.sound(signal),
  wiring: (contacts) => panel.wire(contacts),
  stuck: (keys) => (panel.stick(keys), workbench.stuck(keys)),
  error: (sentence) => tell("error", sentence),
};

function connect(take = false) {
  const box = new WebSocket(`ws://${location.host}/box?t=${token}${take ? "&take=1" : ""}`);
  box.binaryType = "arraybuffer";
  socket = box;
  box.onopen = () => (pause = SOONEST);
  box.onmessage = ({ data }) => {
    if (typeof data !== "string") return panel.draw(new Uint8Array(data));
    for (const [name, value] of Object.entries(JSON.parse(data))) {
      if (heard[name]) heard[name](value);
      else workbench.hear(name, value);
    }
  };
  box.onclose = ({ code }) => {
    if (socket !== box) return;
    panel.releaseAll();
    panel.host.classList.add("gone");
    if (code === BUSY) return tell("link", "Another window shows this box already.", true);
    if (code === TAKEN) return tell("link", "Another window shows the box now.", true);
    tell("link", "The box does not answer: is tictactoe desk still running? Looking for it.");
    setTimeout(connect, pause);
    pause = Math.min(2 * pause, LATEST);
  };
}

$("notice").lastElementChild.addEventListener("click", () => connect(true));
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
connect();
