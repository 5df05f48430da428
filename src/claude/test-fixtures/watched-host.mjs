// A host process of its own: starts the watcher and one agent, says the pids, and lives until killed.
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { startWatcher } = await jiti.import('../watcher.ts');
const { spawnAgentProcess } = await jiti.import('../child-process.ts');

const { mark, script, shell, processDirectory } = JSON.parse(process.argv[2]);
const watcher = startWatcher({
  ...(shell && { shell }),
  ...(processDirectory && { processDirectory }),
});
const spawnAgent = spawnAgentProcess({ mark, watcher });
const agent = spawnAgent({
  command: 'bash',
  args: ['-c', script],
  env: process.env,
  signal: new AbortController().signal,
});
agent.stdout.resume();
process.stdout.write(`${JSON.stringify({ host: process.pid, watcher: watcher.pid })}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  // An orderly end says good-bye and leaves the agent alone.
  watcher.stop();
  process.exit(0);
});
