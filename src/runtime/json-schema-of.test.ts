import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowerError } from '../errors/flower-error.ts';
import { jsonSchemaOf } from './json-schema-of.ts';

describe('jsonSchemaOf', () => {
  it.each([
    ['an object', z.object({ count: z.number() })],
    ['a tuple', z.object({ pair: z.tuple([z.string(), z.number()]) })],
    ['a transform', z.object({ at: z.string().transform((text) => new Date(text)) })],
  ])('writes %s in the one version that Claude Code knows', (_name, schema) => {
    expect(jsonSchemaOf(schema)['$schema']).toBe('http://json-schema.org/draft-07/schema#');
  });

  it('refuses what JSON cannot hold', () => {
    expect(() => jsonSchemaOf(z.object({ at: z.date() }))).toThrow(
      expect.objectContaining({ code: 'option-invalid' }) as FlowerError,
    );
  });
});
