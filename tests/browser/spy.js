/* What a desk's page is sent, from its first message on, and what it shows, so that a test can wait for it. */

window.sent = { texts: [], pictures: [] };
const Real = WebSocket;
window.WebSocket = class extends Real {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (typeof data === "string") return sent.texts.push(...Object.entries(JSON.parse(data)));
      sent.pictures.push([...new Uint8Array(data)]);
    });
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
