import type { ArchiveFault } from '../../errors/error-messages.ts';
import { createFormats } from './formats.ts';
import type { HistoryTexts } from './history-texts.ts';

const formats = createFormats('zh');

/** Why an exported run cannot be used, in Chinese. */
export const archiveFaultsZh: Readonly<Record<ArchiveFault, string>> = {
  missing: '无法读取',
  foreign: '它不是 “flower export” 写出的文件',
  newer: '它由更新版本的 flower 写成，请升级 flower',
  cut: '它在中途断掉了，请重新复制或重新导出',
  content: '内容已损坏',
};

/** Chinese texts of what exists: taking over, moving and looking at conversations. */
export const historyZh: HistoryTexts = {
  help: {
    commands: {
      adopt: '把普通 Claude Code 的一段对话变成某一步的会话',
      export: '把整个运行写成一个文件',
      import: '在本目录继续一个导出的运行',
      log: '显示本目录的历史，或某一步、某个会话的对话记录',
      transcript: '检查对话记录',
      check: '显示恢复时会喂给模型的内容，以及修复或略去了什么',
    },
    arguments: {
      conversation: '会话编号，或 .jsonl 文件的路径；不给则列出可选的对话',
      exportFile: '要写的文件；那里原有的导出会被替换',
      importFile: '“flower export” 写出的文件',
      subject: '步骤、会话编号或编号的开头',
      transcript: '.jsonl 文件、会话编号或步骤',
    },
    options: {
      last: '取本目录最新的对话',
      step: '接着它的步骤；有名字的流程写成 <流程>/<步骤>（默认：work）',
      withSecrets: '保留环境中的机密，不替换',
      all: '完整显示工具结果',
    },
  },
  expectedStep: '步骤名，或 <流程>/<步骤>；不含 # 或 ·，不以 _ 开头',
  adopt: {
    done: (step, session) => `会话 ${session} 现在是步骤 “${step}” 的会话。`,
    rows: (all, added, agents) =>
      `共 ${formats.count(all)} 行，其中新增 ${formats.count(added)} 行${agents === 0 ? '' : `，含 ${formats.count(agents)} 个子智能体`}`,
    damaged: (pieces) => `文件中有 ${formats.count(pieces)} 处无法读取`,
    original: (path) => `原文件的副本：${path}`,
    replaced: (session) => `该步骤之前的会话 ${session} 仍在数据库中，但不再继续`,
    next: (flow, step) =>
      flow === ''
        ? `没有名字的流程会在步骤 “${step}” 接着它。有名字的流程请用 --step <流程>/<步骤>。`
        : `流程 “${flow}” 会在步骤 “${step}” 接着它。`,
    none: (workspace) => `Claude Code 没有保存 ${workspace} 的可接管对话。`,
    choose: (all) =>
      `共有 ${formats.count(all)} 段对话；请给出会话编号，或用 --last 取最新的一段。`,
    columns: { session: '会话', last: '最后改动', prompt: '开头' },
  },
  transfer: {
    exported: (file, all, entries, carried) =>
      `${file}：${formats.count(all)} 个会话，${formats.count(entries)} 行，${formats.count(carried)} 个文件`,
    redacted: '环境中的机密已被替换；--with-secrets 可保留。',
    withSecrets: '文件中可能有机密，分享时请小心。',
    imported: (from, all, entries, carried) =>
      `从 ${from} 导入：${formats.count(all)} 个会话，${formats.count(entries)} 行，${formats.count(carried)} 个文件`,
    place: (workspace, runDir) => `在 ${workspace} 继续，记录在 ${runDir}`,
    steps: (names) => `有会话的步骤：${names}`,
  },
  log: {
    nothing: (runDir) => `${runDir} 中没有历史记录。`,
    run: (run) => `运行 ${run}`,
    flow: (name) => `流程 ${name}`,
    unnamedFlow: '没有名字的流程',
    single: '单个智能体',
    woke: (value) => `第 ${formats.count(value)} 次唤醒`,
    outcome: { finished: '已完成', unfinished: '未完成', running: '正在运行' },
    verdict: { ok: '通过', rejected: '被退回', failed: '失败', cut: '被打断', running: '运行中' },
    columns: {
      step: '步骤',
      verdict: '结论',
      cost: '花费',
      duration: '用时',
      context: '上下文',
      start: '开始',
      session: '会话',
    },
    noAttempts: '没有尝试记录',
    committed: (before, after, changes) => `git ${before} -> ${after}：${changes}`,
    nothingCommitted: (head) => `git ${head}，没有提交`,
    uncommitted: (changes, untracked) =>
      `连同未提交的：${changes}${untracked === 0 ? '' : `，${formats.count(untracked)} 个未跟踪文件`}`,
    changes: (all, insertions, deletions) =>
      `${formats.count(all)} 个文件，+${formats.count(insertions)} -${formats.count(deletions)}`,
    total: (cost) => `共 ${cost}`,
  },
  transcript: {
    roles: { user: '用户', assistant: '助手', note: '备注' },
    subagent: '子智能体',
    compacted: '对话在此处被压缩',
    more: (lines) => `... 还有 ${formats.count(lines)} 行`,
    safe: '可以安全恢复。',
    unsafe: '不能安全恢复：开头之前的行缺失。请到 Claude Code 的文件或备份中找回。',
    counts: (entries, dropped, repaired) =>
      `会喂给模型 ${formats.count(entries)} 行，略去 ${formats.count(dropped)} 行，修复 ${formats.count(repaired)} 行`,
    dropped: {
      'api-error': '失败请求的报告',
      placeholder: '没有人说过的占位文字',
      'api-retry': '重试请求的备注',
      'cost-state': 'Claude Code 的累计值，保留会重复计算',
      denial: '被拒绝的调用，比保留的那次更早',
      'orphan-result': '没有调用的结果',
      'half-message': '回答完整之前就断掉的消息',
      duplicate: '后来重写过的行的旧版本',
      'prompt-snapshot': '另一角色的系统提示',
      'last-prompt': '指向的行已不存在的标记',
      damaged: '文件中不成行的部分',
    },
    repaired: {
      parent: '父行缺失，接到前一行',
      order: '写在子行之后，移到它前面',
      anchor: '父行已被压缩掉，接到摘要',
      compaction: '压缩信息提到了已不存在的行',
      'last-prompt': '标记改指仍在的行',
      interrupt: '中断文字换成中性的说明',
      denial: '从消息中去掉被拒绝的调用',
      'orphan-result': '从消息中去掉没有调用的结果',
      surrogate: '残缺字符已替换',
      'session-id': '写着另一个会话',
    },
    droppedTitle: '略去',
    repairedTitle: '修复',
    rest: (value) => `另有 ${formats.count(value)} 行；--json 列出全部`,
  },
};
