import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunDatabase, type RunDatabase } from '../database/run-database.ts';
import { zeroTokens } from '../events/token-counts.ts';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { ModelUsageLog } from './model-usage.ts';

const temporaryDirectory = temporaryDirectories();
const used = { ...zeroTokens, inputTokens: 1000, outputTokens: 100 };
let database: RunDatabase;
let log: ModelUsageLog;

beforeEach(() => {
  database = openRunDatabase(join(temporaryDirectory(), 'sessions.db'));
  log = new ModelUsageLog(database);
});

afterEach(() => {
  database.close();
});

describe('ModelUsageLog', () => {
  it('prices each model at its own recorded rate', () => {
    log.record({ cheap: { ...used, costUsd: 0.01 }, dear: { ...used, costUsd: 1 } });
    const { costUsd, unpricedTokens } = log.price({ cheap: used, dear: used });
    expect(costUsd).toBeCloseTo(1.01);
    expect(unpricedTokens).toBe(0);
  });

  it('counts the tokens of a model without a record as unpriced', () => {
    log.record({ known: { ...used, costUsd: 0.01 } });
    const price = log.price({ known: used, unknown: used });
    expect(price.costUsd).toBeCloseTo(0.01);
    expect(price.unpricedTokens).toBe(1100);
  });

  it('learns nothing from usage that cost nothing', () => {
    log.record({ free: { ...used, costUsd: 0 } });
    expect(log.price({ free: used })).toEqual({ costUsd: 0, unpricedTokens: 1100 });
  });

  it('prices by the recent records: a new price list counts soon', () => {
    log.record({ model: { ...used, costUsd: 100 } });
    for (let count = 0; count < 20; count += 1) log.record({ model: { ...used, costUsd: 0.01 } });
    expect(log.price({ model: used }).costUsd).toBeCloseTo(0.01);
  });
});
