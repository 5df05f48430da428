/** What each error carries. A new code needs an entry here, its texts, and a page in `docs/errors/`. */
export interface FlowerErrorParams {
  /** Wrong flag, argument or option value. */
  readonly usage: { readonly detail: string };
  /** The flow target has no `:attribute`. */
  readonly 'flow-target': { readonly target: string };
  readonly 'flow-not-found': { readonly target: string; readonly path: string };
  readonly 'flow-broken': {
    readonly target: string;
    readonly where: string;
    readonly detail: string;
  };
  readonly 'flow-attribute': {
    readonly target: string;
    readonly attribute: string;
    readonly found: readonly string[];
  };
  readonly 'flow-not-a-workflow': { readonly target: string; readonly found: string };
  readonly 'workflow-invalid': { readonly workflow: string; readonly detail: string };
  readonly 'resume-from-missing': { readonly step: string; readonly resumeFrom: string };
  readonly 'workspace-missing': { readonly path: string };
  readonly 'run-dir-unwritable': { readonly path: string; readonly detail: string };
  readonly 'credentials-missing': Record<never, never>;
  readonly 'agent-invalid': { readonly agent: string; readonly detail: string };
  readonly 'option-invalid': {
    readonly option: string;
    readonly value: string;
    readonly expected: string;
  };
  readonly 'session-unknown': { readonly session: string; readonly runDir: string };
  /** No conversation of plain Claude Code there. */
  readonly 'conversation-unknown': { readonly what: string; readonly place: string };
  /** A file that `flower export` did not write, or not to its end. */
  readonly 'archive-invalid': { readonly path: string; readonly reason: ArchiveFault };
  /** The run directory holds no history. */
  readonly 'history-missing': { readonly path: string };
  /** The run directory holds a history already. */
  readonly 'history-exists': { readonly path: string };
  /** Another process took over while this one was stopped. */
  readonly 'lease-lost': { readonly what: string };
  readonly busy: { readonly what: string; readonly pid: number; readonly since: string };
  readonly 'platform-unsupported': { readonly platform: string };
  readonly 'database-newer': { readonly path: string; readonly version: number };
  /** Another process holds the lock of the database for longer than one waits. */
  readonly 'database-locked': { readonly path: string };
  /** Found damaged while it was open. */
  readonly 'database-damaged': { readonly path: string };
  readonly 'script-mismatch': { readonly detail: string };
}

/**
 * Why an exported run cannot be used: no such file, written by something else, by a newer flower,
 * cut off, or with a content that no flower writes.
 */
export type ArchiveFault = 'missing' | 'foreign' | 'newer' | 'cut' | 'content';

/** Stable error names; the whole set of {@link FlowerErrorParams}. */
export type FlowerErrorCode = keyof FlowerErrorParams;

/** One text an error code: what happened, where, what to do next. */
export type ErrorMessages = {
  readonly [Code in FlowerErrorCode]: (params: FlowerErrorParams[Code]) => string;
};

const archiveFaults: Readonly<Record<ArchiveFault, string>> = {
  missing: 'it cannot be read',
  foreign: 'it is no file of "flower export"',
  newer: 'it was written by a newer flower; update flower',
  cut: 'it ends too early; copy or export it again',
  content: 'its content is damaged',
};

/** English texts; the other languages stand in the catalogues of the command line. */
export const errorMessages: ErrorMessages = {
  usage: ({ detail }) => detail,
  'flow-target': ({ target }) =>
    `"${target}" names no attribute. Write it as file:attribute, for example flows.ts:main.`,
  'flow-not-found': ({ target, path }) =>
    `No flow file for "${target}": ${path} does not exist. Check the path; it is relative to the current directory.`,
  'flow-broken': ({ target, where, detail }) =>
    `The flow file of "${target}" could not be loaded at ${where}: ${detail}`,
  'flow-attribute': ({ target, attribute, found }) =>
    `"${target}" exports no "${attribute}". It exports: ${found.length > 0 ? found.join(', ') : 'nothing'}.`,
  'flow-not-a-workflow': ({ target, found }) =>
    `"${target}" gives ${found}, not a Workflow or a function that returns one.`,
  'workflow-invalid': ({ workflow, detail }) => `Workflow "${workflow}": ${detail}`,
  'resume-from-missing': ({ step, resumeFrom }) =>
    `Step "${step}" resumes from "${resumeFrom}", which opened no session in this run. ` +
    `Run "${resumeFrom}" first, or drop resumeFrom to start a fresh session.`,
  'workspace-missing': ({ path }) =>
    `The workspace ${path} is not a directory. Create it, or name another one with -w.`,
  'run-dir-unwritable': ({ path, detail }) =>
    `The run directory ${path} cannot be written (${detail}). Nothing was started. ` +
    'Make it writable, or name another one with -r.',
  'credentials-missing': () =>
    'No credentials: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, log in with Claude Code on this ' +
    'machine, or point ANTHROPIC_BASE_URL to a local model.',
  'agent-invalid': ({ agent, detail }) => `Agent "${agent}": ${detail}`,
  'option-invalid': ({ option, value, expected }) =>
    `${option} is ${value}; it must be ${expected}.`,
  'session-unknown': ({ session, runDir }) =>
    `No session ${session} in ${runDir}. "flower status" lists what can be continued there.`,
  'conversation-unknown': ({ what, place }) =>
    `No conversation ${what} of Claude Code in ${place}. "flower adopt" without an argument lists those of this directory.`,
  'archive-invalid': ({ path, reason }) =>
    `${path} cannot be used as an exported run: ${archiveFaults[reason]}. Nothing was changed.`,
  'history-missing': ({ path }) =>
    `${path} holds no history. Name the run directory with -r; the default is "runs" in the current directory.`,
  'history-exists': ({ path }) =>
    `${path} already holds a history, and nothing may be written over it. Name an empty run directory with -r.`,
  'lease-lost': ({ what }) =>
    `Another process took over ${what} while this one was stopped. This one ends; nothing it knew is lost.`,
  busy: ({ what, pid, since }) =>
    `${what} is in use by process ${pid} since ${since}. Wait for it, or stop it first.`,
  'platform-unsupported': ({ platform }) =>
    `flower runs on Linux and macOS, not on ${platform}. On Windows, use it inside WSL.`,
  'database-newer': ({ path, version }) =>
    `${path} was written by a newer flower (format ${version}). Update flower, or name another run directory with -r.`,
  'database-locked': ({ path }) =>
    `${path} is locked by another program. Wait until that ends, then run the same command again.`,
  'database-damaged': ({ path }) =>
    `${path} is damaged. Run the same command again: the file is set aside whole, and what can be read of it goes on.`,
  'script-mismatch': ({ detail }) => `The scripted Messages API: ${detail}`,
};
