import type { Command } from 'commander';
import { FlowerError } from '../../errors/flower-error.ts';
import type { Launch } from '../command-context.ts';
import { ageOption, sizeOption } from '../doctor-option-values.ts';
import type { Catalogue } from '../locales/catalogue.ts';

/** Flags of `flower doctor`. */
export interface DoctorCommandOptions {
  readonly clean?: boolean;
  /** Milliseconds. */
  readonly olderThan?: number;
  /** Bytes. */
  readonly largerThan?: number;
  readonly dryRun?: boolean;
}

/** Adds `flower doctor` to the program. */
export function registerDoctor(program: Command, texts: Catalogue, launch: Launch): void {
  const { doctor, help } = texts;
  const { options } = doctor.help;
  program
    .command('doctor')
    .usage(help.optionsWord)
    .description(doctor.help.command)
    .helpOption('-h, --help', help.options.help)
    .option('--clean', options.clean)
    .option('--older-than <age>', options.olderThan, ageOption('--older-than', texts))
    .option('--larger-than <size>', options.largerThan, sizeOption('--larger-than', texts))
    .option('--dry-run', options.dryRun)
    .action((flags: DoctorCommandOptions) =>
      launch(async (context) => {
        assertClean(flags, texts);
        const { runDoctor } = await import('../run-doctor.ts');
        return runDoctor(context, flags);
      }),
    );
}

/** The other flags say how to clean; alone they would be ignored in silence. */
function assertClean(flags: DoctorCommandOptions, texts: Catalogue): void {
  if (flags.clean === true) return;
  const [lonely] = [
    flags.olderThan === undefined ? [] : '--older-than',
    flags.largerThan === undefined ? [] : '--larger-than',
    flags.dryRun === true ? '--dry-run' : [],
  ].flat();
  if (lonely !== undefined) {
    throw new FlowerError('usage', { detail: texts.usage.needs(lonely, '--clean') });
  }
}
