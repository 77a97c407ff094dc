/* The page's worker: the box's own Python, by Pyodide, where a thought of the engine stops no page. It is
   sent what `begin` takes first, then the page's messages to the box, as JSON. It sends `done`, the bytes
   loaded so far, `said`, JSON or a picture of the box, and `lost`, why nothing is kept. What it throws is its
   end. */

const FOLDER = "/tictactoe-box"; // the box's own; its files are in the browser's storage under that name
const LIBRARIES = "/program";

/** Count the bytes of what is loaded, as they come. Chromium compiles what came so at each start again. */
function counted(load) {
  let done = 0;
  return async (...asked) => {
    const answer = await load(...asked);
    const count = new TransformStream({
      transform(bytes, out) {
        out.enqueue(bytes);
        postMessage({ done: (done += bytes.length) });
      },
    });
    return new Response(answer.body.pipeThrough(count), answer);
  };
}

/** Return the browser's promise for a function that is given a callback. */
const called = (start) => new Promise((done, fail) => start((error) => (error ? fail(error) : done())));

/** Keep the folder in the browser's storage, one time after the other; whoever wants it again meanwhile waits
    for the next. */
function keeper(files) {
  let running = false;
  let again = false;
  return async function keep() {
    if (running) return (again = true);
    running = true;
    await called((back) => files.syncfs(false, back)).catch((error) => postMessage({ lost: String(error) }));
    running = false;
    if (again) keep((again = false));
  };
}

async function begin({ configuration, seed, again }) {
  if (!again) self.fetch = counted(fetch.bind(self));
  const [{ loadPyodide }, program] = await Promise.all([
    import("./pyodide.mjs"),
    fetch("box.zip").then((answer) => answer.arrayBuffer()),
  ]);
  const python = await loadPyodide({ checkAPIVersion: false });
  python.unpackArchive(program, "zip", { extractDir: LIBRARIES });
  python.FS.mkdir(FOLDER);
  let keep = () => {};
  try {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, FOLDER);
    await called((back) => python.FS.syncfs(true, back));
    keep = keeper(python.FS);
  } catch (error) {
    postMessage({ lost: String(error) }); // a private window, or storage that is forbidden
  }
  python.runPython(`import sys; sys.path.insert(0, "${LIBRARIES}")`);
  const tell = (said) => postMessage({ said: typeof said === "string" ? said : said.toJs().slice().buffer });
  const box = python.pyimport("appliance.desk.worker").Inside(tell, FOLDER, configuration, seed);
  let due = 0;
  const turn = (text) => {
    clearTimeout(due);
    if (text !== undefined) box.hear(text);
    const wait = box.turn();
    if (wait < Infinity) due = setTimeout(turn, 1000 * wait);
    keep();
  };
  turn();
  return turn;
}

onmessage = ({ data: first }) => {
  begin(first).then(
    (turn) => (onmessage = ({ data }) => turn(data)),
    (error) => setTimeout(() => { throw error; }), // to the page, as any later one
  );
};
