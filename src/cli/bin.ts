#!/usr/bin/env node
import { main } from './main.ts';
import { flush, ignoreClosedPipe } from './standard-streams.ts';

ignoreClosedPipe(process.stdout);
ignoreClosedPipe(process.stderr);
const exitCode = await main({
  args: process.argv.slice(2),
  env: process.env,
  directory: process.cwd(),
  platform: process.platform,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
await Promise.all([flush(process.stdout), flush(process.stderr)]);
// A flow file may have left timers or sockets open; the work is done.
process.exit(exitCode);
