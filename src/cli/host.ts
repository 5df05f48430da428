import type { OutputStream } from './terminal/terminal-features.ts';

/** What the command knows of the process that it runs in. */
export interface Host {
  /** Arguments after the name of the command. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Current directory. */
  readonly directory: string;
  readonly platform: string;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}
