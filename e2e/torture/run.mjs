// `node e2e/torture/run.mjs [kills] [seed]`: kill and wake for as long as you like.
import { createJiti } from 'jiti';

const [kills = '100', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const { torture } = await createJiti(import.meta.url).import('./torture.ts');

process.stdout.write(`${kills} kills, seed ${seed}\n`);
const report = await torture({ kills: Number(kills), seed: Number(seed) });
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.violations.length === 0 ? 0 : 1;
