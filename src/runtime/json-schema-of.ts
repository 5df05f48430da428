import { z } from 'zod';
import { FlowerError } from '../errors/flower-error.ts';

/**
 * The JSON schema that a structured answer must fit.
 *
 * A schema that transforms is described by what goes into it: that is what the model writes.
 *
 * @throws FlowerError `option-invalid` for a schema that JSON cannot describe (a date, a function).
 */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema);
  } catch {
    return inputSchemaOf(schema);
  }
}

function inputSchemaOf(schema: z.ZodType): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema, { io: 'input' });
  } catch (error) {
    const value = error instanceof Error ? error.message : String(error);
    throw new FlowerError('option-invalid', {
      option: 'schema',
      value: `not to be written as JSON schema (${value})`,
      expected: 'made of what JSON can hold',
    });
  }
}
