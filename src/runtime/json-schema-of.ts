import { z } from 'zod';
import { FlowerError } from '../errors/flower-error.ts';

/** The one version that Claude Code knows; it refuses to start with a newer one (measured). */
const target = 'draft-7';

/**
 * The JSON schema that a structured answer must fit.
 *
 * A schema that transforms is described by what goes into it: that is what the model writes.
 *
 * @throws FlowerError `option-invalid` for a schema that JSON cannot describe (a date, a function).
 */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema, { target });
  } catch {
    return inputSchemaOf(schema);
  }
}

function inputSchemaOf(schema: z.ZodType): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema, { target, io: 'input' });
  } catch (error) {
    const value = error instanceof Error ? error.message : String(error);
    throw new FlowerError('option-invalid', {
      option: 'schema',
      value: `not to be written as JSON schema (${value})`,
      expected: 'made of what JSON can hold',
    });
  }
}
