import type { Catalogue } from './catalogue.ts';
import { demoZh } from './demo-zh.ts';
import { doctorZh } from './doctor-zh.ts';
import { createFormats } from './formats.ts';
import { archiveFaultsZh, historyZh } from './history-zh.ts';
import { bracketed } from './params.ts';
import { peopleZh } from './people-zh.ts';
import { wakeZh } from './wake-zh.ts';

const formats = createFormats('zh');

const maybe = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : `是不是 ${suggestion}？`;

const waitReasons = { offline: '网络不通', limit: '用量已到上限' } as const;

/** Chinese texts. */
export const zh: Catalogue = {
  language: 'zh',
  formats,
  errors: {
    usage: ({ detail }) => detail,
    'flow-target': ({ target }) =>
      `“${target}” 没有写属性名。请写成 文件:属性，例如 flows.ts:main。`,
    'flow-not-found': ({ target, path }) =>
      `找不到 “${target}” 的流程文件：${path} 不存在。请检查路径，它相对于当前目录。`,
    'flow-broken': ({ target, where, detail }) =>
      `“${target}” 的流程文件无法加载，位置 ${where}：${detail}`,
    'flow-attribute': ({ target, attribute, found }) =>
      `“${target}” 没有导出 “${attribute}”。它导出的有：${found.length > 0 ? found.join('、') : '无'}。`,
    'flow-not-a-workflow': ({ target, found }) =>
      `“${target}” 得到的是 ${found}，既不是 Workflow，也不是返回 Workflow 的函数。`,
    'workflow-invalid': ({ workflow, detail }) => `流程 “${workflow}”：${detail}`,
    'resume-from-missing': ({ step, resumeFrom }) =>
      `步骤 “${step}” 要接着 “${resumeFrom}” 的会话，但它在这次运行中没有打开会话。` +
      `请先运行 “${resumeFrom}”，或去掉 resumeFrom 以新会话开始。`,
    'workspace-missing': ({ path }) =>
      `工作目录 ${path} 不是一个目录。请先创建它，或用 -w 指定另一个。`,
    'run-dir-unwritable': ({ path, detail }) =>
      `运行目录 ${path} 无法写入（${detail}）。什么都没有启动。请改成可写，或用 -r 指定另一个。`,
    'credentials-missing': () =>
      '没有凭据：请设置 ANTHROPIC_API_KEY 或 ANTHROPIC_AUTH_TOKEN，或在本机登录 Claude Code，' +
      '或让 ANTHROPIC_BASE_URL 指向本地模型。',
    'agent-invalid': ({ agent, detail }) => `智能体 “${agent}”：${detail}`,
    'option-invalid': ({ option, value, expected }) =>
      `${option} 的值是 ${value}，应当是 ${expected}。`,
    'session-unknown': ({ session, runDir }) =>
      `${runDir} 中没有会话 ${session}。“flower status” 会列出那里可以继续的会话。`,
    'conversation-unknown': ({ what, place }) =>
      `${place} 中没有 Claude Code 的对话 ${what}。不带参数运行 “flower adopt” 会列出本目录的对话。`,
    'archive-invalid': ({ path, reason }) =>
      `${path} 不能当作导出的运行使用：${archiveFaultsZh[reason]}。什么都没有改动。`,
    'history-missing': ({ path }) =>
      `${path} 中没有历史记录。请用 -r 指定运行目录；默认是当前目录下的 “runs”。`,
    'history-exists': ({ path }) =>
      `${path} 已有历史记录，不能覆盖。请用 -r 指定一个空的运行目录。`,
    'lease-lost': ({ what }) =>
      `本进程停住期间，“${what}”已由另一进程接手。本进程结束，已有内容没有丢失。`,
    busy: ({ what, pid, since }) =>
      `${what} 正被进程 ${pid} 使用（自 ${since} 起）。请等它结束，或先停掉它。`,
    'platform-unsupported': ({ platform }) =>
      `flower 运行在 Linux 和 macOS 上，不支持 ${platform}。在 Windows 上请在 WSL 中使用。`,
    'database-newer': ({ path, version }) =>
      `${path} 由更新版本的 flower 写成（格式 ${version}）。请升级 flower，或用 -r 指定另一个运行目录。`,
    'database-locked': ({ path }) => `${path} 被另一个程序锁住。请等它结束，再运行同一条命令。`,
    'database-damaged': ({ path }) =>
      `${path} 已损坏。请再运行同一条命令：文件会整个移到一旁，能读出的内容会接着用。`,
    'script-mismatch': ({ detail }) => `脚本化的 Messages API：${detail}`,
  },
  alarms: {
    'transcript-not-saved': (params) => `一部分对话没能保存${bracketed(params)}`,
    'transcript-incomplete': (params) => `对话从中间开始：更早的记录已丢失${bracketed(params)}`,
    'transcript-row-late': (params) => `工具在其调用落盘之前就启动了${bracketed(params)}`,
    'database-set-aside': (params) => `数据库已损坏，移到一旁并新建了一个${bracketed(params)}`,
    'write-failed': (params) => `有文件没能写入${bracketed(params)}`,
    'hook-failed': (params) => `守卫出错，因此拒绝了这次调用${bracketed(params)}`,
    'consumer-failed': (params) => `有事件接收者出错${bracketed(params)}`,
    'lease-lost': (params) => `本进程停住期间已由另一进程接手；本进程结束${bracketed(params)}`,
    'orphans-left': (params) => `智能体启动的进程仍在运行${bracketed(params)}`,
  },
  notices: {
    'workspace-moved': (params) =>
      `目录已移到这里，从头开始；加 --moved 可接着原来的对话${bracketed(params)}`,
    'conversation-absent': (params) => `没有可继续的对话，从头开始${bracketed(params)}`,
    'document-frozen': (params) => `需求已确认并写入文件${bracketed(params)}`,
    'goal-unverifiable': (params) =>
      `部分目标检查项在此环境无法验证；请修改文件，否则无法达成${bracketed(params)}`,
    'file-set-aside': (params) => `有文件不是我们的或已损坏，已移到一旁${bracketed(params)}`,
    'api-retry': (params) => `Claude Code 正在重试接口${bracketed(params)}`,
    'orphans-ended': (params) => `遗留的进程已结束${bracketed(params)}`,
    'killed-segment': (params) => `之前的运行在这里被杀掉${bracketed(params)}`,
    'model-differs': (params) => `回答的模型与要求的不同${bracketed(params)}`,
    'project-settings-ignored': (params) =>
      `没有读取项目自己的 .claude/ 和 CLAUDE.md；加 --project-settings 则读取${bracketed(params)}`,
    'rows-recovered': (params) => `补回了只有 Claude Code 保存的记录${bracketed(params)}`,
    'silent-stream': (params) => `智能体很久没有动静${bracketed(params)}`,
    'value-not-stored': (params) =>
      `有值无法留给下次运行，它的步骤届时会重新运行${bracketed(params)}`,
    'version-differs': (params) => `继续时的版本与之前不同${bracketed(params)}`,
  },
  usage: {
    unknownOption: (option, suggestion) => `未知选项 ${option}。${maybe(suggestion)}`,
    unknownCommand: (command, suggestion) => `未知命令 “${command}”。${maybe(suggestion)}`,
    missingArgument: (argument) => `缺少参数 <${argument}>。`,
    missingValue: (option) => `选项 ${option} 需要一个值。`,
    tooManyArguments: () => '参数太多。带空格的文字请加引号。',
    conflict: (option, other) => `${option} 不能与 ${other} 同时使用。`,
    needs: (option, other) => `${option} 需要同时给出 ${other}。`,
    other: (detail) => `用法有误：${detail}`,
    emptyPrompt: () => '提示为空。',
    unreadableFile: (path, reason) => `无法读取文件 ${path}：${reason}`,
    expectedMoney: '大于零的美元金额，例如 0.50',
    expectedLanguage: 'en、zh 或 ru',
    expectedPermissionMode: 'default、acceptEdits、plan 或 bypassPermissions',
    expectedName: '非空的名字',
  },
  process: {
    unexpected: (message) => `意外错误：${message}；加 --debug 再运行可看到调用栈`,
    stopping: '正在有序停止。再按一次 Ctrl-C 立即停止。',
  },
  help: {
    description:
      '用 Claude Code 运行长任务，不怕被杀、重启和断网。再次运行同一条命令，同一段对话就会继续。',
    titles: {
      usage: '用法:',
      arguments: '参数:',
      options: '选项:',
      globalOptions: '全局选项:',
      commands: '命令:',
    },
    optionsWord: '[选项]',
    commandWord: '<命令>',
    commands: {
      run: '运行你的流程，或从中断处继续',
      once: '运行单个智能体，不用流程；回答写到标准输出',
      status: '显示这里可以继续什么；不花钱',
      demo: '在脚本化的模型上离线试用全部功能',
      help: '显示某个命令的帮助',
    },
    arguments: {
      target: '流程，写成 文件:属性 或 模块:属性，例如 flows.ts:main',
      prompt: '要智能体做的事；- 读标准输入，@文件 读文件',
      command: '命令名',
    },
    options: {
      workspace: '智能体工作的目录（默认：当前目录）',
      runDir: '存放对话和记录的目录（默认：runs）',
      lang: '文字的语言：en、zh 或 ru（默认：FLOWER_LANG，再看系统）',
      json: '在标准输出打印机器可读的数据；运行时每行一个事件',
      verbose: '显示提示、子智能体和全部工具结果',
      quiet: '只显示错误',
      debug: '显示意外错误的调用栈',
      version: '打印版本',
      help: '显示本帮助',
      model: '用这个模型代替流程里写的模型',
      projectSettings: '读取项目自己的 .claude/ 和 CLAUDE.md',
      new: '结束此流程之前的对话，重新开始',
      moved: '目录是搬过来的，仍然继续',
      from: '从这一步开始；之前步骤的值会读回',
      only: '只运行这一步；之前步骤的值会读回',
      fresh: '给这一步一个新会话（可多次给出）',
      instructions: '智能体的角色，附加到系统提示之后',
      tools: '智能体可用的工具，用逗号分隔（默认：Read,Glob,Grep）',
      permissionMode: 'default、acceptEdits、plan 或 bypassPermissions',
      budget: '花到这么多美元就停',
      resume: '继续这个编号的会话',
      fork: '从恢复的会话分出一支，而不是直接继续',
      at: '先回到所恢复会话的这条消息',
    },
    footer: '退出码：0 完成，1 失败，2 用法有误，4 预算用完，75 稍后再试，130 被 Ctrl-C 停止。',
  },
  view: {
    steps: (count) => `${formats.count(count)} 个步骤`,
    continuing: (woke) => `继续 · 第 ${woke} 次唤醒`,
    place: (workspace, runDir) => `工作目录 ${workspace}，记录在 ${runDir}`,
    skipped: {
      when: '跳过：条件不成立',
      'already-passed': '跳过：在运行中断之前已通过',
    },
    stepDone: (cost, duration, context) => `完成：${cost}，${duration}，上下文 ${context}`,
    stepFailed: (error) => `失败：${error}`,
    retry: (attempt, error, delay) => `第 ${attempt} 次尝试失败：${error}；${delay}后再试`,
    denied: (step, tool, reason) => `步骤 “${step}”：${tool} 被拒绝：${reason}`,
    toolFailed: (tool) => `${tool} 失败`,
    prompt: '提示',
    waiting: (reason, target, until) =>
      `等待，${waitReasons[reason]}${target === '' ? '' : `（${target}）`}${until === undefined ? '' : `，到 ${until}`}`,
    waited: (reason, duration, ok) =>
      ok ? `等了 ${duration}，继续` : `等了 ${duration}，放弃：${waitReasons[reason]}`,
    compacted: (trigger, before, after) =>
      `对话已压缩（${trigger}）${before === undefined ? '' : `，之前 ${before}`}${after === undefined ? '' : `，之后 ${after}`}`,
    alarm: '警报',
    runDone: (cost, duration) => `完成：${cost}，用时 ${duration}`,
    runFailed: (step) => `停在步骤 “${step}”`,
    runAborted: (reason) => `提前结束：${reason}`,
    total: (cost, duration) => `共 ${cost}，用时 ${duration}`,
    unpriced: (tokens) => `另有 ${tokens} 个 token 价格未知`,
    manifest: (path) => `运行记录：${path}`,
    again: '再次运行同一条命令即可从这里继续',
    doing: {
      starting: '启动中',
      thinking: '思考中',
      writing: '书写中',
      retrying: '重试中',
      finishing: '收尾中',
      waiting: (reason, until) =>
        `等待，${waitReasons[reason]}${until === undefined ? '' : `，到 ${until}`}`,
    },
  },
  status: {
    nothing: (workspace, runDir) => `没有可继续的：${runDir} 中没有 ${workspace} 的运行记录。`,
    run: (run, flow) => `运行 ${run}${flow === '' ? '' : `，流程 ${flow}`}`,
    outcome: { finished: '已完成', unfinished: '未完成', running: '正在运行' },
    started: (at) => `开始于 ${at}`,
    ended: (at) => `结束于 ${at}`,
    woke: (count) => `已唤醒 ${formats.count(count)} 次`,
    stepState: { passed: '已通过', unfinished: '未完成', spoken: '说过话' },
    columns: { step: '步骤', state: '状态', session: '会话', context: '上下文', last: '最后记录' },
    noRecord: '还没有记录',
    noSteps: '还没有步骤打开过会话。',
    cost: (cost) => `总花费 ${cost}`,
    next: {
      finished: '再次运行会在各步骤自己的会话里继续对话。',
      unfinished: '再次运行会跳过已通过的步骤，并在原会话里继续未完成的那一步。',
      running: '它正在工作。结束之前再次运行会被拒绝。',
      start: '在这里运行流程会从头开始。',
    },
  },
  wake: wakeZh,
  people: peopleZh,
  demo: demoZh,
  doctor: doctorZh,
  history: historyZh,
};
