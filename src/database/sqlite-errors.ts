import { errorCode } from '../files/error-code.ts';

/** True when another connection holds the lock; trying again can help. */
export function isBusy(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_BUSY');
}

/** True when the file is no SQLite database, or its pages contradict each other. */
export function isDamage(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
}

const diskTrouble =
  /^(SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOTADB|PERM|PROTOCOL|READONLY)|E(ACCES|DQUOT|FBIG|IO|NOSPC|PERM|ROFS)$)/;

/** True when the disk or its rights are at fault, or another process's lock, and not our request. */
export function isDiskTrouble(error: unknown): boolean {
  return diskTrouble.test(errorCode(error));
}
