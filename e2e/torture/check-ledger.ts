import type { Row } from '../support/stage.ts';

const tokensOfResponse = { input: 100, output: 20 };
const roundingUsd = 0.000_002;

/** Compares the manifest with the responses that are recorded; returns what does not fit. */
export function checkLedger(manifest: readonly Row[], storedRows: readonly string[]): string[] {
  const responses = responseIds(storedRows).size;
  const faults: string[] = [];
  const input = sum(manifest.map((row) => row.tokens.input_tokens));
  const output = sum(manifest.map((row) => row.tokens.output_tokens));
  if (input !== responses * tokensOfResponse.input) {
    faults.push(`${input} input tokens in the manifest for ${responses} responses`);
  }
  if (output !== responses * tokensOfResponse.output) {
    faults.push(`${output} output tokens in the manifest for ${responses} responses`);
  }
  const rates = manifest
    .filter((row) => row.cost_usd > 0 && row.unpriced_tokens === 0)
    .map((row) => row.cost_usd / (row.tokens.input_tokens / tokensOfResponse.input));
  const unpriced = sum(manifest.map((row) => row.unpriced_tokens));
  const priced = responses - unpriced / (tokensOfResponse.input + tokensOfResponse.output);
  const cost = sum(manifest.map((row) => row.cost_usd));
  const expected = priced * (rates[0] ?? 0);
  if (Math.abs(cost - expected) > roundingUsd * manifest.length) {
    faults.push(`the manifest says ${cost} USD, its responses cost ${expected} USD`);
  }
  return faults;
}

function responseIds(storedRows: readonly string[]): Set<string> {
  const ids = storedRows
    .map((row) => JSON.parse(row) as { type: string; message?: { id?: string; model?: string } })
    .filter((row) => row.type === 'assistant' && row.message?.model !== '<synthetic>')
    .map((row) => row.message?.id ?? '');
  return new Set(ids);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
