// Preloaded into the command: writes down every module that it loads.
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';

export async function load(url, context, nextLoad) {
  appendFileSync(process.env['RECORDED_MODULES'], `${url}\n`);
  return await nextLoad(url, context);
}

// Loaded a second time, as the hooks themselves, in a thread of their own.
if (process.env['RECORDING'] === undefined) {
  process.env['RECORDING'] = '1';
  register(import.meta.url);
}
