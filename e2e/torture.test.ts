import { expect, it } from 'vitest';
import { torture } from './torture/torture.ts';

it('five kills at random moments lose nothing and do nothing twice', async () => {
  const report = await torture({ kills: 5, seed: 20_261_130 });

  expect(report).toMatchObject({ kills: 5, violations: [] });
}, 180_000);
