import { createFormats } from './formats.ts';
import type { WakeTexts } from './wake-texts.ts';

const formats = createFormats('zh');

/** Chinese texts of waking. */
export const wakeZh: WakeTexts = {
  continues: (step, parts) => `“${step}” 接着进行：${parts.join(' · ')}`,
  context: (tokens) => `上下文 ${tokens}`,
  cache: { warm: '提示缓存仍有效', cold: '提示缓存已失效' },
  lastRecord: (age) => `最后记录在 ${age} 前`,
  more: (count) => `另有 ${formats.count(count)} 个会话`,
  cacheColumn: '缓存',
  cacheState: { warm: '有效', cold: '失效', unknown: '-' },
  nextWaking: (count) => `下次运行是第 ${count} 次唤醒`,
  nearby: '附近有运行记录，可用 -r 指定其一：',
  nearbyRun: (runDir, workspace) => `${runDir}（属于 ${workspace}）`,
};
