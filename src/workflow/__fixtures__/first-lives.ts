import { mkdirSync } from 'node:fs';
import { makeRunPlace, startLife } from '../../runtime/scripted-life.test-support.ts';
import { killedFlowDirectory, type KilledFlow, killedFlows } from './killed-flows.ts';

/** Runs every flow to the place where it is to be killed, each in its own directory, and says so. */
export async function run(root: string): Promise<void> {
  await Promise.all(
    Object.entries(killedFlows).map(([name, flow]) => runToItsPlace(root, name, flow)),
  );
  process.send?.('all stay');
  await new Promise(() => {});
}

async function runToItsPlace(
  root: string,
  name: string,
  { flow, script }: KilledFlow,
): Promise<void> {
  const directory = killedFlowDirectory(root, name);
  mkdirSync(directory);
  const { runtime, engine } = startLife(makeRunPlace(directory), script);
  await new Promise<void>((resolve, reject) => {
    const stay = (): Promise<never> => {
      resolve();
      return new Promise(() => {});
    };
    void engine.untilHeld().then(resolve);
    flow(stay).run(runtime).catch(reject);
  });
}
