import { z } from 'zod';
import type { RunDatabase } from '../database/run-database.ts';
import { parseStored } from '../database/stored-json.ts';
import { setAside } from '../files/set-aside.ts';
import { FileView } from '../database/file-view.ts';
import { type AttemptRows, placeOf } from './attempt-rows.ts';
import { type ManifestRow, manifestRow } from './manifest-row.ts';

/** How a {@link Manifest} is made. */
export interface ManifestOptions {
  readonly database: RunDatabase;
  readonly rows: AttemptRows;
  /** Path of `manifest.json`. */
  readonly path: string;
  readonly onWriteFailure: (error: unknown) => void;
  /** A manifest that could not be read was moved to `path`. */
  readonly onSetAside: (path: string) => void;
}

const rowList = z.array(z.unknown());
const noRows = '[]\n';

/**
 * `manifest.json`: a JSON array, one row per step attempt, oldest first.
 *
 * The file shows the rows of the database. Rows of other programs that stand in the file are taken
 * in before it is written again; a file that holds anything but rows is set aside as well.
 */
export class Manifest {
  readonly #options: ManifestOptions;
  readonly #view: FileView;

  constructor(options: ManifestOptions) {
    this.#options = options;
    this.#view = new FileView({
      database: options.database,
      path: options.path,
      file: 'manifest',
      render: () => this.#render(),
      onFailure: options.onWriteFailure,
    });
  }

  /**
   * Takes in what other programs wrote into the file, and has it written if it is behind: a process
   * that was killed may have closed rows without showing them.
   */
  takeIn(): void {
    const isBehind = this.#options.database.immediate(() => {
      const text = this.#render();
      const file = this.#view.read();
      return text !== noRows && (file.kind === 'absent' || file.text !== text);
    });
    if (isBehind) this.#view.update();
  }

  /** A row was closed: the file is written now, or shortly when writes come in a burst. */
  update(): void {
    this.#view.update();
  }

  /** Writes the file if a write is due. */
  flush(): void {
    this.#view.flush();
  }

  #render(): string {
    this.#takeIn();
    const texts = this.#options.rows.closedTexts();
    if (texts.length === 0) return noRows;
    const rows = texts.map((text) => JSON.stringify(parseStored(text), null, 2));
    return `[\n${rows.map(indent).join(',\n')}\n]\n`;
  }

  #takeIn(): void {
    const file = this.#view.read();
    if (file.kind !== 'foreign') return;
    const { rows, isWhole } = readRows(file.text);
    const known = this.#options.rows.places();
    this.#options.rows.import(rows.filter((row) => !known.has(placeOf(row))));
    if (!isWhole) this.#options.onSetAside(setAside(this.#options.path, 'damaged'));
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** The rows of a text; it is not whole when something in it is no row. */
function readRows(text: string): { readonly rows: ManifestRow[]; readonly isWhole: boolean } {
  try {
    const list = rowList.parse(JSON.parse(text));
    const rows = list.flatMap((value) => {
      const row = manifestRow.safeParse(value);
      return row.success ? [row.data] : [];
    });
    return { rows, isWhole: rows.length === list.length };
  } catch {
    return { rows: [], isWhole: false };
  }
}
