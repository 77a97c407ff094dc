/* What a desk's page is sent, from its first message on, and what it shows, so that a test can wait for it. */

window.sent = { texts: [], pictures: [] };
const Real = Worker;
window.Worker = class extends Real {
  constructor(...given) {
    super(...given);
    window.working = this;
    this.addEventListener("message", ({ data: { said } }) => {
      if (typeof said === "string") sent.texts.push(...Object.entries(JSON.parse(said)));
      else if (said) sent.pictures.push([...new Uint8Array(said)]);
    });
  }

  /** Where the address says "patient", a key that is released late is no hold. */
  postMessage(message) {
    const patient = typeof message === "object" && !message.configuration && location.search.includes("patient");
    super.postMessage(patient ? { ...message, configuration: "keypad: {hold: 10}" } : message);
  }
};
/** The pixels of a canvas: lit or not. */
window.pixels = (canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i] > 60);
};
/** How many cells of the board have a mark. */
window.marks = () => {
  const lit = pixels(document.querySelector(".screen"));
  const inside = Array.from({ length: 12 }, (_, i) => i + 5);
  const inked = (row, column) => inside.flatMap((y) => inside.map((x) => lit[128 * (21 * row + y) + 21 * column + x]));
  const cell = (row, column) => inked(row, column).filter(Boolean).length > 12;
  return [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => cell(row, column)));
};
window.phase = () => workbench.state.phase;
window.notice = () => (document.getElementById("notice").hidden ? "" : document.getElementById("notice").textContent);
