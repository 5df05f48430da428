import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classify, isWorthRetrying } from './classify.ts';
import type { FailureClass, FailureFacts } from './failure-facts.ts';

const table = readFileSync(new URL('./fixtures/error-strings.tsv', import.meta.url), 'utf8');
const collected = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([name = '', text = '']) => [text, name === 'rate-limited-until' ? 'limited' : name]);

describe('classify, collected texts', () => {
  it('has the whole table', () => {
    expect(collected).toHaveLength(80);
  });

  it.each(collected)('%s is %s', (text, expected) => {
    expect(classify(text ?? '')).toBe(expected);
  });
});
