import type { Command } from 'commander';
import { FlowerError } from '../../errors/flower-error.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import {
  moneyOption,
  nameOption,
  type OfferedPermissionMode,
  permissionModeOption,
  toolsOption,
} from '../option-values.ts';
import type { Launch } from '../command-context.ts';

/** Flags of `flower once`. */
export interface OnceCommandOptions {
  readonly instructions?: string;
  readonly tools?: readonly string[];
  readonly permissionMode?: OfferedPermissionMode;
  readonly budget?: number;
  readonly model?: string;
  readonly resume?: string;
  readonly fork?: boolean;
  readonly at?: string;
  readonly projectSettings?: boolean;
}

/** Adds `flower once <prompt>` to the program. */
export function registerOnce(program: Command, texts: Catalogue, launch: Launch): void {
  const { options, commands } = texts.help;
  program
    .command('once')
    .usage(`${texts.help.optionsWord} <prompt>`)
    .description(commands.once)
    .helpOption('-h, --help', options.help)
    .argument('<prompt>', texts.help.arguments.prompt)
    .option('-i, --instructions <text>', options.instructions)
    .option('-t, --tools <list>', options.tools, toolsOption)
    .option('-p, --permission-mode <mode>', options.permissionMode, permissionModeOption(texts))
    .option('-b, --budget <usd>', options.budget, moneyOption('--budget', texts))
    .option('--model <model>', options.model, nameOption('--model', texts))
    .option('--resume <id>', options.resume, nameOption('--resume', texts))
    .option('--fork', options.fork)
    .option('--at <uuid>', options.at, nameOption('--at', texts))
    .option('--project-settings', options.projectSettings)
    .action((prompt: string, flags: OnceCommandOptions) =>
      launch(async (context) => {
        assertResume(flags, texts);
        const { runOnce } = await import('../run-once.ts');
        return runOnce(context, prompt, flags);
      }),
    );
}

/** `--fork` and `--at` say how to resume; alone they would be ignored in silence. */
function assertResume(flags: OnceCommandOptions, texts: Catalogue): void {
  if (flags.resume !== undefined) return;
  const [lonely] = [
    flags.fork === true ? '--fork' : [],
    flags.at === undefined ? [] : '--at',
  ].flat();
  if (lonely !== undefined) {
    throw new FlowerError('usage', { detail: texts.usage.needs(lonely, '--resume') });
  }
}
