import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import {
  findProcess,
  lastStartedProcess,
  listProcesses,
  parseProcStat,
  parsePsMarks,
  parsePsProcesses,
  processesWithMark,
} from './process-list.ts';

const statFields = (state: string): string =>
  `${state} 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 226 25`;

describe('parseProcStat', () => {
  it.each([
    ['a plain name', '42 (bash) '],
    ['a name with brackets and blanks', '42 (x) S 1 (y) '],
    ['a name with a newline', '42 (a\nb) '],
  ])('reads parent and start behind %s', (_name, head) => {
    expect(parseProcStat(`${head}${statFields('S')}\n`, 'boot')).toEqual({
      pid: 42,
      parentPid: 7,
      start: 'boot:4711',
      isZombie: false,
      isStopped: false,
    });
  });

  it('knows a zombie', () => {
    expect(parseProcStat(`42 (bash) ${statFields('Z')}`, 'boot')?.isZombie).toBe(true);
  });

  it.each(['', '42', '42 (bash) S 1', 'x (bash) S 1 2'])('gives nothing for %j', (text) => {
    expect(parseProcStat(text, 'boot')).toBeUndefined();
  });
});

describe('parsePsProcesses', () => {
  it('reads the output of ps, whatever its padding', () => {
    const output =
      '    1     0 Ss   Mon Nov 30 09:01:02 2026\n' +
      '  312     1 Z+   Mon Nov  2 09:01:02 2026    \n\n';

    expect(parsePsProcesses(output)).toEqual([
      {
        pid: 1,
        parentPid: 0,
        start: 'Mon_Nov_30_09:01:02_2026',
        isZombie: false,
        isStopped: false,
      },
      {
        pid: 312,
        parentPid: 1,
        start: 'Mon_Nov_2_09:01:02_2026',
        isZombie: true,
        isStopped: false,
      },
    ]);
  });
});

describe('parsePsMarks', () => {
  it('takes the whole value only', () => {
    const output =
      ' 10 sleep 5 FLOWER_MARK=ab HOME=/x\n 11 sleep 5 FLOWER_MARK=abc\n 12 X_FLOWER_MARK=ab y\n';

    expect(parsePsMarks(output, 'ab')).toEqual([10]);
  });
});

describe('listProcesses', () => {
  it('holds this process with its parent', () => {
    const own = listProcesses().find((entry) => entry.pid === process.pid);

    expect(own).toMatchObject({ parentPid: process.ppid, isZombie: false });
    expect(findProcess(process.pid)).toEqual(own);
  });
});

describe('findProcess', () => {
  it.each([0, -1, 1.5, Number.NaN, 2 ** 30])('finds nothing for %d', (pid) => {
    expect(findProcess(pid)).toBeUndefined();
  });
});

describe('lastStartedProcess', () => {
  it.runIf(process.platform === 'linux')(
    'is another number once a process was started',
    async () => {
      const before = lastStartedProcess();
      const child = spawn('true');
      await once(child, 'exit');
      // Where the system does not tell, it never does.
      if (before === undefined) expect(lastStartedProcess()).toBeUndefined();
      else expect(lastStartedProcess()).not.toBe(before);
    },
  );
});

describe('processesWithMark', () => {
  it('finds the marked process and no other', async () => {
    const mark = `list-${process.pid}`;
    const marked = spawn('sleep', ['600'], { env: { ...process.env, FLOWER_MARK: mark } });
    const similar = spawn('sleep', ['600'], { env: { ...process.env, FLOWER_MARK: `${mark}0` } });

    await expect.poll(() => [...processesWithMark(mark)]).toEqual([marked.pid]);

    for (const child of [marked, similar]) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect([...processesWithMark(mark)]).toEqual([]);
  });
});
