/** The `code` of a system or SQLite error (`ENOENT`, `SQLITE_BUSY`); empty when it has none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
