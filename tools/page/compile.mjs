/* Compile what a start of the page imports: node compile.mjs FOLDER, which has Pyodide and box.zip. By the very Python that will
   load it, since another version's bytecode is another one, and without docstrings. The rest stays source, which is smaller. */
import { readFileSync, writeFileSync } from "node:fs";

const folder = process.argv[2];
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const python = await loadPyodide({ checkAPIVersion: false });
const archives = ["python_stdlib.zip", "box.zip"].map((name) => [name, new Uint8Array(readFileSync(`${folder}/${name}`))]);
python.unpackArchive(archives[1][1], "zip", { extractDir: "/program" });
const compile = python.runPython(`
import io
import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

Path("/box").mkdir()
sys.path.insert(0, "/program")
from appliance.desk.worker import Inside
Inside(lambda said: None, "/box").turn()
started = {module.replace(".", "/") + end for module in sys.modules for end in (".py", "/__init__.py")}

def compiled(packed):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed.to_bytes())) as source, zipfile.ZipFile(out, "w") as target:
        for one in source.infolist():
            data = source.read(one)
            if one.filename in started:
                code = compile(data, one.filename, "exec", dont_inherit=True, optimize=2)
                data = _code_to_hash_pyc(code, bytes(8), checked=False)
                one.filename += "c"
            target.writestr(zipfile.ZipInfo(one.filename), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()

compiled
`);
for (const [name, packed] of archives) writeFileSync(`${folder}/${name}`, compile(packed).toJs());
