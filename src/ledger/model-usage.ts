import { z } from 'zod';
import type { RunDatabase } from '../database/run-database.ts';
import { parseStored } from '../database/stored-json.ts';
import type { TokenCounts } from '../events/event.ts';
import { totalTokens } from '../events/token-counts.ts';
import { type PricedUsage, priceOf } from './derived-rate.ts';

const recentRows = 20;
const pricedUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costUsd: z.number(),
});

/** Tokens with what is known of their price. */
export interface Price {
  readonly costUsd: number;
  readonly unpricedTokens: number;
}

/** What each model's usage cost, as the SDK reported it: the source of derived rates. */
export class ModelUsageLog {
  readonly #database: RunDatabase;

  constructor(database: RunDatabase) {
    this.#database = database;
  }

  /** Records what one segment paid, model by model. */
  record(usage: Readonly<Record<string, PricedUsage>>): void {
    const insert = this.#database.connection.prepare(
      'INSERT INTO model_usage (model, usage) VALUES (?, ?)',
    );
    for (const [model, used] of Object.entries(usage)) {
      if (used.costUsd > 0) insert.run(model, JSON.stringify(used));
    }
  }

  /** Prices tokens that no result message accounted for, at each model's recorded rate. */
  price(tokens: Readonly<Record<string, TokenCounts>>): Price {
    let costUsd = 0;
    let unpricedTokens = 0;
    for (const [model, used] of Object.entries(tokens)) {
      const cost = priceOf(used, this.#recorded(model));
      if (cost === undefined) unpricedTokens += totalTokens(used);
      else costUsd += cost;
    }
    return { costUsd, unpricedTokens };
  }

  #recorded(model: string): PricedUsage[] {
    return this.#database.connection
      .prepare<[string, number], string>(
        'SELECT usage FROM model_usage WHERE model = ? ORDER BY id DESC LIMIT ?',
      )
      .pluck()
      .all(model, recentRows)
      .map((text) => pricedUsage.parse(parseStored(text)));
  }
}
