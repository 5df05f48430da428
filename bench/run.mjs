// Runs the benchmarks against dist/, the code that users get. Their TypeScript is compiled on the
// fly: `../src/x.ts` gives the types and, when it runs, the built `../dist/x.js`.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
