// Runs `run(...args)` of a TypeScript file in a process of its own: child.mjs <script.ts> [args].
import { createJiti } from 'jiti';

const [script, ...args] = process.argv.slice(2);
const jiti = createJiti(import.meta.url, { fsCache: process.env['CHILD_CACHE'] ?? false });
const { run } = await jiti.import(script);
await run(...args);
