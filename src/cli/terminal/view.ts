import picocolors from 'picocolors';
import type { FlowerEvent } from '../../events/event.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import { LiveLine } from './live-line.ts';
import { Progress } from './progress.ts';
import { type LineStyle, type RecordLine, renderRecordLine } from './record-line.ts';
import { recordOf, type Verbosity } from './record-of.ts';
import { safeEvent } from './safe-event.ts';
import { sanitize } from './sanitize.ts';
import { statusLine } from './status-line.ts';
import { type OutputStream, type TerminalFeatures, textColumns } from './terminal-features.ts';

/** Redraws of the live line: five a second. */
const redrawMs = 200;

/** Options of {@link createView}. */
export interface ViewOptions {
  /** Where the record goes: standard error. */
  readonly stream: OutputStream;
  readonly features: TerminalFeatures;
  readonly texts: Catalogue;
  readonly verbosity: Verbosity;
}

/** What people see of a run. */
export interface View {
  /** Takes one event; a consumer for `onEvent`. */
  readonly consume: (event: FlowerEvent) => void;
  /** Writes a line of the command itself into the record; `mark` stands before it. */
  say(style: LineStyle, text: string, mark?: string): void;
  /** Removes the live line and stops redrawing. May be called twice. */
  end(): void;
}

/**
 * The view for people: a scrolling record and, on a terminal, one live line below it.
 *
 * Its timer never keeps the process alive. A failure while redrawing ends the live line only.
 */
export function createView(options: ViewOptions): View {
  const { stream, features, texts, verbosity } = options;
  const colors = picocolors.createColors(features.colours);
  const progress = new Progress();
  const line = new LiveLine(stream);
  const isLive = features.cursor && verbosity !== 'quiet';
  let timer: NodeJS.Timeout | undefined;

  const write = (lines: readonly RecordLine[]): void => {
    if (lines.length === 0) return;
    const columns = textColumns(stream);
    const rows = lines.flatMap((entry) => renderRecordLine(entry, columns, colors));
    line.printAbove(rows.map((row) => `${row}\n`).join(''));
  };
  const stop = (): void => {
    clearInterval(timer);
    line.clear();
  };
  const redraw = (): void => {
    try {
      line.show(colors.dim(statusLine(progress, texts, stream.columns ?? 80, Date.now())));
    } catch {
      clearInterval(timer);
    }
  };
  return {
    consume: (event) => {
      const safe = safeEvent(event);
      progress.apply(safe, Date.now());
      if (safe.type === 'run-end') stop();
      write(recordOf(safe, texts, verbosity));
      if (isLive && safe.type !== 'run-end') timer ??= setInterval(redraw, redrawMs).unref();
    },
    say: (style, text, mark = '') => write([{ style, mark, text: sanitize(text) }]),
    end: stop,
  };
}
