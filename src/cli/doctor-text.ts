import type { CleanReport } from '../runtime/doctor/clean.ts';
import type { DoctorReport } from '../runtime/doctor/examine.ts';
import type { Finding } from '../runtime/doctor/finding.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { formatBytes } from './terminal/bytes.ts';
import { sanitizeLine } from './terminal/sanitize.ts';
import { tableLines } from './terminal/table.ts';

/** The text of a look, line by line, safe for a terminal. */
export function reportLines(
  { workspace, runDir, findings }: DoctorReport,
  texts: Catalogue,
): string[] {
  const { doctor } = texts;
  const rows = findings.map((finding) => [
    doctor.levels[finding.level],
    sanitizeLine(doctor.findings[finding.code](paramsOf(finding, texts))),
  ]);
  const problems = findings.filter(({ level }) => level === 'problem').length;
  return [
    sanitizeLine(doctor.place(workspace, runDir)),
    ...tableLines(rows),
    doctor.summary(problems),
  ];
}

/** What was cleaned, or would be, line by line, safe for a terminal. */
export function cleanLines({ cleaned, dryRun }: CleanReport, { doctor }: Catalogue): string[] {
  const lines = cleaned.flatMap(({ code, count, bytes, names }) => [
    `- ${doctor.cleaned[code](count, bytes > 0 ? formatBytes(bytes) : '')}`,
    ...names.map((name) => `    ${sanitizeLine(name)}`),
  ]);
  return [
    ...(dryRun ? [doctor.dryRun] : []),
    ...(lines.length > 0 ? lines : [doctor.nothingCleaned]),
  ];
}

function paramsOf({ params }: Finding, { formats }: Catalogue): (name: string) => string {
  return (name) => {
    const value = params[name];
    if (value === undefined) return '';
    if (/bytes$/i.test(name)) return formatBytes(Number(value));
    if (name === 'context') return formats.tokens(Number(value));
    if (name === 'since') return formats.dateTime(String(value));
    return String(value);
  };
}
