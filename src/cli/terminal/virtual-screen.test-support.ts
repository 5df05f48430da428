import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { vi } from 'vitest';

/** A program in a pseudo terminal, seen as a person sees it. */
export interface VirtualScreen {
  /** Visible lines and those above, without trailing spaces and empty lines at the end. */
  lines(): string[];
  /** Everything that the program wrote. */
  raw(): string;
  /** Waits until the screen holds the text. */
  waitFor(text: string): Promise<void>;
  type(text: string): void;
  resize(columns: number): void;
  /** The exit code, once everything that the program wrote stands on the screen. */
  readonly exited: Promise<number>;
}

const rows = 40;

/** Starts node with a script in a terminal of `columns`; ended by its own exit or by `signal`. */
export function openVirtualScreen(
  script: string,
  options: {
    readonly columns: number;
    readonly env: Record<string, string>;
    readonly args?: readonly string[];
    readonly cwd?: string;
  },
): VirtualScreen {
  const { columns, env, args = [], cwd = process.cwd() } = options;
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const pty = spawn(process.execPath, [script, ...args], { cols: columns, rows, env, cwd });
  let raw = '';
  pty.onData((data) => {
    raw += data;
    screen.write(data);
  });
  const lines = (): string[] => {
    const { active } = screen.buffer;
    const all = Array.from(
      { length: active.length },
      (_, index) => active.getLine(index)?.translateToString(true) ?? '',
    );
    return all.join('\n').trimEnd().split('\n');
  };
  return {
    lines,
    raw: () => raw,
    waitFor: (text) =>
      vi.waitFor(
        () => {
          if (!lines().join('\n').includes(text)) {
            throw new Error(`the screen lacks ${JSON.stringify(text)}:\n${lines().join('\n')}`);
          }
        },
        { timeout: 20_000, interval: 20 },
      ),
    type: (text) => pty.write(text),
    resize: (to) => {
      screen.resize(to, rows);
      pty.resize(to, rows);
    },
    // What the program wrote last is still being laid out when its end is told.
    exited: new Promise((resolve) =>
      pty.onExit(({ exitCode }) => screen.write('', () => resolve(exitCode))),
    ),
  };
}
