import { once } from 'node:events';
import { writeFileDurably } from '../atomic-write.ts';

/** Replaces a file again and again with texts of one letter, until told to stop. */
export async function run(path: string, letter: string): Promise<void> {
  let isTold = false;
  void once(process, 'message').then(() => {
    isTold = true;
  });
  process.send?.('started');
  while (!isTold) {
    writeFileDurably(path, letter.repeat(50_000));
    await new Promise(setImmediate);
  }
  process.disconnect();
}
