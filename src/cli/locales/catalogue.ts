import type { ErrorMessages } from '../../errors/error-messages.ts';
import type { AlarmCode, NoticeCode, WaitReason } from '../../events/event.ts';
import type { SkipReason } from '../../events/outcome.ts';
import type { DemoTexts } from './demo-texts.ts';
import type { DoctorTexts } from './doctor-texts.ts';
import type { Formats } from './formats.ts';
import type { HistoryTexts } from './history-texts.ts';
import type { Language } from './language.ts';
import type { PeopleTexts } from './people-texts.ts';
import type { WakeTexts } from './wake-texts.ts';

/** Data of an alarm or a notice, already safe for a terminal. */
export type EventParams = Readonly<Record<string, string | number>>;

/** Everything that flower says to a person in one language. A missing text is a type error. */
export interface Catalogue {
  readonly language: Language;
  readonly formats: Formats;
  readonly errors: ErrorMessages;
  readonly alarms: Readonly<Record<AlarmCode, (params: EventParams) => string>>;
  readonly notices: Readonly<Record<NoticeCode, (params: EventParams) => string>>;
  readonly usage: UsageTexts;
  readonly process: ProcessTexts;
  readonly help: HelpTexts;
  readonly view: ViewTexts;
  readonly status: StatusTexts;
  readonly wake: WakeTexts;
  readonly people: PeopleTexts;
  readonly demo: DemoTexts;
  readonly doctor: DoctorTexts;
  readonly history: HistoryTexts;
}

/** What is wrong with the arguments. Suggestions are names of flags or commands. */
export interface UsageTexts {
  unknownOption(option: string, suggestion: string | undefined): string;
  unknownCommand(command: string, suggestion: string | undefined): string;
  missingArgument(argument: string): string;
  missingValue(option: string): string;
  tooManyArguments(): string;
  conflict(option: string, other: string): string;
  needs(option: string, other: string): string;
  /** Anything that the parser says and we have no text for. */
  other(detail: string): string;
  emptyPrompt(): string;
  unreadableFile(path: string, reason: string): string;
  readonly expectedMoney: string;
  readonly expectedLanguage: string;
  readonly expectedPermissionMode: string;
  readonly expectedName: string;
}

/** Lines about the process itself. */
export interface ProcessTexts {
  unexpected(message: string): string;
  /** First Ctrl-C; says what a second one does. */
  readonly stopping: string;
}

/** Names of every flag, for its help line. */
export type OptionName =
  | 'workspace'
  | 'runDir'
  | 'lang'
  | 'json'
  | 'verbose'
  | 'quiet'
  | 'debug'
  | 'version'
  | 'help'
  | 'model'
  | 'projectSettings'
  | 'new'
  | 'moved'
  | 'from'
  | 'only'
  | 'fresh'
  | 'instructions'
  | 'tools'
  | 'permissionMode'
  | 'budget'
  | 'resume'
  | 'fork'
  | 'at';

/** Commands of the program. */
export type CommandName = 'run' | 'once' | 'status' | 'demo' | 'help';

/** Texts of `--help`. */
export interface HelpTexts {
  readonly description: string;
  readonly titles: {
    readonly usage: string;
    readonly arguments: string;
    readonly options: string;
    readonly globalOptions: string;
    readonly commands: string;
  };
  readonly optionsWord: string;
  readonly commandWord: string;
  readonly commands: Readonly<Record<CommandName, string>>;
  readonly arguments: {
    readonly target: string;
    readonly prompt: string;
    readonly command: string;
  };
  readonly options: Readonly<Record<OptionName, string>>;
  /** Stands below the help of the program. */
  readonly footer: string;
}

/** Texts of the live view. All arguments are safe for a terminal. */
export interface ViewTexts {
  steps(count: number): string;
  continuing(woke: number): string;
  place(workspace: string, runDir: string): string;
  readonly skipped: Readonly<Record<SkipReason, string>>;
  stepDone(cost: string, duration: string, context: string): string;
  stepFailed(error: string): string;
  retry(attempt: number, error: string, delay: string): string;
  denied(step: string, tool: string, reason: string): string;
  toolFailed(tool: string): string;
  readonly prompt: string;
  waiting(reason: WaitReason, target: string, until: string | undefined): string;
  waited(reason: WaitReason, duration: string, ok: boolean): string;
  compacted(trigger: string, before: string | undefined, after: string | undefined): string;
  readonly alarm: string;
  runDone(cost: string, duration: string): string;
  runFailed(step: string): string;
  runAborted(reason: string): string;
  total(cost: string, duration: string): string;
  unpriced(tokens: string): string;
  manifest(path: string): string;
  readonly again: string;
  /** What the agent does now, for the live line. */
  readonly doing: {
    readonly starting: string;
    readonly thinking: string;
    readonly writing: string;
    readonly retrying: string;
    readonly finishing: string;
    waiting(reason: WaitReason, until: string | undefined): string;
  };
}

/** Texts of `flower status`. */
export interface StatusTexts {
  nothing(workspace: string, runDir: string): string;
  run(run: string, flow: string): string;
  readonly outcome: Readonly<Record<'finished' | 'unfinished' | 'running', string>>;
  started(at: string): string;
  ended(at: string): string;
  woke(count: number): string;
  readonly stepState: Readonly<Record<'passed' | 'unfinished' | 'spoken', string>>;
  readonly columns: {
    readonly step: string;
    readonly state: string;
    readonly session: string;
    readonly context: string;
    readonly last: string;
  };
  /** Instead of the time of the last record. */
  readonly noRecord: string;
  readonly noSteps: string;
  cost(cost: string): string;
  /** What running the same command again would do. */
  readonly next: Readonly<Record<'finished' | 'unfinished' | 'running' | 'start', string>>;
}
