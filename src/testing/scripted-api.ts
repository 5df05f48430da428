import type { Script } from './script.ts';
import type { ScriptedRequest } from './scripted-request.ts';

/** How to start a {@link ScriptedApi}. */
export interface ScriptedApiOptions {
  readonly script: Script;
  /** Address to listen on. @defaultValue `127.0.0.1` */
  readonly host?: string;
  /** @defaultValue a free one */
  readonly port?: number;
}

/** How long a wait may last. */
export interface WaitOptions {
  /** @defaultValue 10 000 */
  readonly timeoutMs?: number;
}

/** A running scripted Messages API. Everything it holds ends with {@link ScriptedApi.close}. */
export interface ScriptedApi extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, for `ANTHROPIC_BASE_URL`; stays the same over refuse and accept. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ScriptedRequest[];

  /**
   * What a child process needs to talk to this API: address, a made-up key, no other traffic, and
   * no proxy in between.
   */
  env(): Readonly<Record<string, string>>;

  /**
   * Resolves with the first request, past or future, that fits.
   *
   * @throws FlowerError `script-mismatch` when none came in time or the API was closed.
   */
  waitForRequest(
    predicate?: (request: ScriptedRequest) => boolean,
    options?: WaitOptions,
  ): Promise<ScriptedRequest>;

  /** Resolves when a reply waits at the hold of this name; throws like `waitForRequest`. */
  waitForHold(name: string, options?: WaitOptions): Promise<void>;

  /** Lets the replies go that wait at this hold, and those that come there later. */
  release(name: string): void;

  /**
   * Call at the end of a test.
   *
   * @throws FlowerError `script-mismatch` when replies are unused, or when a request came that the
   * script did not hold. The message lists all of it.
   */
  assertDone(): void;

  /** Cuts the network: open connections are destroyed, new ones are refused. */
  refuse(): Promise<void>;

  /** Listens on the same port again. Rejects when another process took it meanwhile. */
  accept(): Promise<void>;

  /** Does not keep the process alive any more. */
  unref(): void;

  /** Ends all connections, delays, holds and waits; may be called twice. */
  close(): Promise<void>;
}
