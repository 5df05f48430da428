// A host process as a user's program would be one: `node host.mjs <file:export> <options as JSON>`.
// Prints one event a line and, as its last line, how the run ended. Killing it is the caller's part.
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const [target, options] = process.argv.slice(2);
const [file, name] = target.split(/:(?=[^:]*$)/);
const { workspace, runDir, run = {}, runtime: settings = {} } = JSON.parse(options);

// One cache for all hosts: each has a TMPDIR of its own, where it would be empty every time.
const fsCache = fileURLToPath(new URL('../../node_modules/.cache/jiti', import.meta.url));
const jiti = createJiti(import.meta.url, { fsCache });
const { FlowerError, Runtime, Workflow } = await jiti.import('../../src/index.ts');
const { [name]: flow } = await jiti.import(file);

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

let runtime;
try {
  runtime = new Runtime({ workspace, runDir, ...settings, onEvent: (event) => say({ event }) });
  const ctx = Workflow.is(flow) ? await flow.run(runtime, run) : await flow(runtime);
  const { _runtime, _lineage, _onEvent, ...plain } = ctx;
  say({ ctx: plain });
} catch (error) {
  const { code, params } = FlowerError.is(error) ? error : {};
  say({ error: { code, params, text: String(error?.stack ?? error) } });
  process.exitCode = 1;
} finally {
  await runtime?.close();
}
