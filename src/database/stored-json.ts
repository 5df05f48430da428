/**
 * Parses a text that flower itself wrote into the database.
 *
 * @throws an error for which `isDamage` holds when the text is no JSON: somebody wrote over it.
 */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw Object.assign(new Error('a stored text is damaged', { cause }), {
      code: 'SQLITE_CORRUPT',
    });
  }
}
