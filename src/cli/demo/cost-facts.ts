import { z } from 'zod';
import type { ManifestRow } from '../../ledger/manifest-row.ts';
import type { ReplyUsage } from '../../testing/index.ts';
import type { DemoFacts } from './demo-facts.ts';
import { type DemoStep, stepOf } from './demo-model.ts';
import type { DemoStage } from './demo-stage.ts';
import { manifestRows } from './evidence.ts';

const tokensOfRow = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_tokens: z.number(),
  cache_write_tokens: z.number(),
});

type Usage = Required<ReplyUsage>;

/**
 * What the manifest says was spent, beside what the API reported in its answers.
 *
 * The rate is that of step `read`, which one undisturbed process did: its price over its tokens,
 * each kind of token at its weight.
 */
export function costFacts(stage: DemoStage): DemoFacts['cost'] {
  const rows = manifestRows(stage.project.runDir);
  const reported = usageOf(stage);
  const read = usageOf(stage, 'read');
  const readUsd = sum(rows.filter(({ step }) => step === 'read').map((row) => row.cost_usd));
  const killed = rows.filter((row) => row.error === 'killed-by-signal');
  return {
    manifestUsd: sum(rows.map((row) => row.cost_usd)),
    apiUsd: (readUsd / sum(read.map(weigh))) * sum(reported.map(weigh)),
    manifestTokens: sum(rows.map(rowTokens)),
    apiTokens: sum(reported.map(countTokens)),
    killedUsd: sum(killed.map((row) => row.cost_usd)),
  };
}

/** Usage of the answers that reached Claude Code whole. */
function usageOf({ api, model }: DemoStage, step?: DemoStep): Usage[] {
  return api.requests
    .filter((request) => request.answer.outcome === 'complete')
    .filter((request) => step === undefined || stepOf(request) === step)
    .flatMap(({ index }) => model.usage.get(index) ?? []);
}

/** In units of an input token; the same for every model of the API. */
function weigh(usage: Usage): number {
  return (
    usage.inputTokens +
    5 * usage.outputTokens +
    0.1 * usage.cacheReadTokens +
    1.25 * usage.cacheWriteTokens
  );
}

function countTokens(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

function rowTokens(row: ManifestRow): number {
  const tokens = tokensOfRow.safeParse(row['tokens']).data;
  return tokens === undefined ? 0 : sum(Object.values(tokens));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
