/**
 * True for a value that comes back from JSON as it was: null, booleans, finite numbers, texts, and
 * arrays and plain objects of these, without cycles.
 */
export function isStorable(value: unknown): boolean {
  return check(value, new Set());
}

function check(value: unknown, parents: Set<object>): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || parents.has(value)) return false;
  parents.add(value);
  const isWhole = Array.isArray(value)
    ? Array.from<unknown>(value).every((item) => check(item, parents))
    : isPlain(value) && Object.values(value).every((item) => check(item, parents));
  parents.delete(value);
  return isWhole;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
