import { z } from 'zod';

/** Name of the format, in the first line. */
export const archiveFormat = 'flower-run';

/** Version of the format that is written, and the newest one that is read. */
export const archiveVersion = 1;

/** The first line of an exported run. */
export const archiveHeader = z.object({
  format: z.literal(archiveFormat),
  version: z.number().int().positive(),
  /** Version of the database schema that the rows fit. */
  schema: z.number().int().nonnegative(),
  flower: z.string(),
  exportedAt: z.string(),
  /** Real path of the workspace that the run belongs to. */
  workspace: z.string(),
  projectKey: z.string(),
  /** Secrets were replaced. */
  redacted: z.boolean(),
});

/** What a file belongs to: the `.flower` of the workspace, or the run directory. */
export const fileRoot = z.enum(['workbench', 'run']);

/** Every line behind the first. */
export const archiveLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()).readonly() }),
  z.object({
    kind: z.literal('row'),
    cells: z.array(z.union([z.string(), z.number(), z.null()])),
  }),
  z.object({
    kind: z.literal('file'),
    root: fileRoot,
    path: z.string(),
    isExecutable: z.boolean(),
  }),
  /** The next bytes of the file named last, in base64. */
  z.object({ kind: z.literal('bytes'), data: z.string() }),
  /** The last line: what must have come before it. */
  z.object({ kind: z.literal('end'), rows: z.number(), files: z.number() }),
]);

/** First line of an exported run. */
export type ArchiveHeader = z.infer<typeof archiveHeader>;

/** Any other line. */
export type ArchiveLine = z.infer<typeof archiveLine>;

/** What a file belongs to. */
export type FileRoot = z.infer<typeof fileRoot>;
