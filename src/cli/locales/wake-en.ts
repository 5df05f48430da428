import { createFormats } from './formats.ts';
import type { WakeTexts } from './wake-texts.ts';

const formats = createFormats('en');

/** English texts of waking. */
export const wakeEn: WakeTexts = {
  continues: (step, parts) => `"${step}" goes on: ${parts.join(' · ')}`,
  context: (tokens) => `context ${tokens}`,
  cache: { warm: 'prompt cache warm', cold: 'prompt cache cold' },
  lastRecord: (age) => `last record ${age} ago`,
  more: (count) => `and ${formats.counted(count, { one: 'more session', other: 'more sessions' })}`,
  cacheColumn: 'cache',
  cacheState: { warm: 'warm', cold: 'cold', unknown: '-' },
  nextWaking: (count) => `the next run is waking ${count}`,
  nearby: 'Near by there are records; name one with -r:',
  nearbyRun: (runDir, workspace) => `${runDir} of ${workspace}`,
};
