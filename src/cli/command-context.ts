import type { Host } from './host.ts';
import type { Catalogue } from './locales/catalogue.ts';

/** Flags that every command takes, before or after its name. */
export interface GlobalOptions {
  /** @defaultValue the current directory */
  readonly workspace?: string;
  /** @defaultValue `runs` in the current directory */
  readonly runDir?: string;
  readonly lang?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

/** What a command works with. */
export interface CommandContext {
  readonly host: Host;
  readonly texts: Catalogue;
  readonly globals: GlobalOptions;
}

/** Runs a command's body with its context and keeps the exit code. */
export type Launch = (body: (context: CommandContext) => Promise<number>) => Promise<void>;
