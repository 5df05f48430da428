import type { DoctorTexts } from './doctor-texts.ts';

const sized = (size: string): string => (size === '' ? '' : `，${size}`);
const states: Readonly<Record<string, string>> = {
  passed: '已通过，不再运行',
  unfinished: '从中断处继续',
  spoken: '会再次发言',
};
const caches: Readonly<Record<string, string>> = { warm: '，缓存有效', cold: '，缓存已失效' };

/** Chinese texts of the doctor. */
export const doctorZh: DoctorTexts = {
  help: {
    command: '说明这里有什么问题、该怎么办；--clean 清理残留和旧数据',
    options: {
      clean: '结束孤儿进程，删除残留和没有引用的旧会话',
      olderThan: '多久算旧，例如 30d、12h（默认 30d）',
      largerThan: '数据库更大时也删除最旧的会话，例如 1GB',
      dryRun: '只说明 --clean 会做什么',
    },
  },
  expectedAge: '时长，例如 30d、12h 或 90m',
  expectedSize: '大小，例如 500MB 或 1GB',
  place: (workspace, runDir) => `工作目录 ${workspace}，记录在 ${runDir}`,
  levels: { good: '正常', notice: '注意', problem: '问题' },
  findings: {
    'run-dir-absent': () => '这里还没有记录，无需处理。',
    'run-dir-unwritable': () => '运行目录无法写入。请授予写权限，或用 -r 指定另一个。',
    'run-live': (param) => `这里有运行中的进程 ${param('pid')}（自 ${param('since')} 起）。`,
    'database-absent': () => '还没有数据库，下次运行会创建。',
    'database-sound': (param) => `数据库完好：${param('bytes')}，其中空闲 ${param('freeBytes')}。`,
    'database-damaged': (param) =>
      `数据库已损坏（${param('detail')}）。请再运行原来的命令，或用 --clean：它会整个移到一旁，能读出的内容会接着用。`,
    'database-locked': () => '数据库被另一个程序锁住。请先结束那个程序再看。',
    'database-newer': (param) =>
      `数据库由更新版本的 flower 写成（格式 ${param('version')}）。请升级 flower。`,
    'database-older': (param) => `数据库是旧格式（${param('version')}），下次运行会更新。`,
    'database-big': (param) =>
      `数据库很大（${param('bytes')}）。--clean --larger-than 1GB 会删除最旧的无用会话。`,
    'disk-free': (param) => `磁盘有空间：剩余 ${param('bytes')}。`,
    'disk-low': (param) => `磁盘快满了：剩余 ${param('bytes')}。请腾出空间。`,
    'lineage-sound': (param) => `谱系完好：第 ${param('woke')} 次唤醒。`,
    'lineage-absent': () => '没有谱系：下次运行从头开始。',
    'lineage-damaged': () =>
      'lineage.json 已损坏。下次运行会把它移到一旁并从头开始；如有副本请先恢复。',
    'lineage-elsewhere': (param) => `记录属于 ${param('workspace')}：下次在这里运行会从头开始。`,
    'lineage-moved': (param) =>
      `记录属于 ${param('workspace')}，它已不存在。若已移到这里，请加 --moved 运行以继续。`,
    resumes: (param) =>
      `步骤 “${param('step')}” ${states[param('state')] ?? param('state')}：会话 ${param('session')}，上下文 ${param('context')}${caches[param('cache')] ?? ''}。`,
    'resumes-nothing': () => '没有可继续的会话。',
    orphans: (param) =>
      `已死运行的进程仍在工作：${param('count')} 个（${param('pids')}）。下次运行或 --clean 会结束它们。`,
    'killed-rows': (param) => `被杀的运行：${param('count')} 个，下次运行会补写记录。`,
    'resume-folders': (param) =>
      `中断恢复留下的目录：${param('count')} 个，${param('bytes')}。--clean 会收回记录并删除：${param('paths')}`,
    'stub-files': (param) =>
      `Claude Code 无法继续的空壳文件：${param('count')} 个。--clean 会删除：${param('paths')}`,
    'set-aside': (param) =>
      `移到一旁的文件：${param('count')} 个，${param('bytes')}。--clean 会删除旧的：${param('paths')}`,
    'dead-locks': (param) => `已死进程的锁：${param('count')} 个，--clean 会删除。`,
    'temporary-files': (param) => `中断写入的文件：${param('count')} 个，--clean 会删除。`,
    'old-sessions': (param) =>
      `超过 30 天且没有引用的会话：${param('count')} 个，${param('bytes')}。--clean 会删除。`,
  },
  cleaned: {
    orphans: (count) => `已死运行的进程：${count} 个`,
    'database-mended': () => '损坏的数据库已移到一旁并修复',
    'resume-folders': (count, size) => `中断恢复的目录：${count} 个${sized(size)}`,
    'stub-files': (count, size) => `空壳文件：${count} 个${sized(size)}`,
    'set-aside': (count, size) => `移到一旁的文件：${count} 个${sized(size)}`,
    'dead-locks': (count) => `已死进程的锁：${count} 个`,
    'temporary-files': (count) => `中断的写入：${count} 个`,
    'old-sessions': (count, size) => `旧会话：${count} 个${sized(size)}`,
    'free-space': (_count, size) => `归还磁盘：${size === '' ? '0' : size}`,
  },
  nothingCleaned: '没有可清理的。',
  dryRun: '--clean 会这样做：',
  summary: (problems) => (problems === 0 ? '没有问题。' : `${problems} 个问题。`),
};
