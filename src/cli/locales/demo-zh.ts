import type { SeenOutcome } from '../demo/demo-facts.ts';
import type { DemoTexts } from './demo-texts.ts';
import { createFormats } from './formats.ts';

const formats = createFormats('zh');

const outcomes = { finished: '已完成', unfinished: '未完成', running: '正在运行' };
const named = (outcome: SeenOutcome): string => (outcome === null ? '-' : outcomes[outcome]);

/** Chinese texts of the demo. */
export const demoZh: DemoTexts = {
  intro:
    '三个步骤（read、make、verify），使用脚本模型：离线，无需凭据，不花钱。' +
    'Claude Code、进程、文件和数据库都是真实的。',
  project: (folder) => `新项目：${folder}`,
  killed: (pid, alive) =>
    `在第 2 步 "make" 进行中向 flower（进程 ${pid}）发送 SIGKILL：它的 Bash 命令正在运行，` +
    `后台还有一个服务器；共有 ${formats.count(alive)} 个进程存活`,
  status: (outcome, passed, unfinished, session) =>
    `运行状态 ${named(outcome)}；已通过：${passed}；待继续：${unfinished}，会话 ${session}`,
  waking: '再次执行同一条命令',
  claims: '磁盘和 API 记录显示',
  holds: '成立',
  fails: '不成立',
  checks: {
    orphans: ({ cut }) =>
      `没有孤儿进程：终止时有 ${formats.count(cut.processes)} 个进程，包括服务器 ${cut.serverPid}；` +
      `${formats.duration(cut.endedAfterMs)} 后剩余 ${formats.count(cut.left.length)} 个`,
    status: ({ cut }) =>
      `中断已被记录：运行状态 ${named(cut.outcome)}，已通过：${cut.passed.join('、')}，` +
      `被中断：${cut.unfinished.join('、')}`,
    'step-once': ({ readRequests: { before, inAll } }) =>
      `第 1 步没有重复：终止前 ${formats.count(before)} 次请求，总共 ${formats.count(inAll)} 次`,
    session: ({ session }) => `第 2 步仍是同一会话：之前 ${session.before}，之后 ${session.after}`,
    entries: ({ entries: { before, kept, after } }) =>
      `没有丢失记录：之前 ${formats.count(before)} 条，之后其中 ${formats.count(kept)} 条原样保留，` +
      `现在 ${formats.count(after)} 条`,
    'cut-call': ({ cutCallResult }) =>
      cutCallResult === null
        ? '被中断命令的结果：没有告知模型'
        : `被中断命令的结果，告知模型的是：${cutCallResult}`,
    delivery: ({ deliveries }) =>
      `因此它先检查再决定是否重做：总共交付 ${formats.count(deliveries)} 次`,
    gate: ({ gate }) =>
      `没有轻信“能用”，关卡运行了程序：${gate.objection ?? '-'}；` +
      `在同一会话中修复（${gate.rows.join('、')}），现在输出 ${gate.printed}`,
    cost: ({ cost }) =>
      `费用只计一次：清单中 ${formats.money(cost.manifestUsd)}，按 API 用量为 ${formats.money(cost.apiUsd)}` +
      `（${formats.count(cost.manifestTokens)} 与 ${formats.count(cost.apiTokens)} 个 token），` +
      `其中被终止部分 ${formats.money(cost.killedUsd)}`,
    woke: ({ wake }) =>
      `由同一条命令唤醒：第 ${formats.count(wake.woke)} 次唤醒，运行状态 ${named(wake.outcome)}，` +
      `${formats.duration(wake.durationMs)} 后退出码 ${wake.exitCode ?? '-'}`,
  },
  faults: {
    'tool-not-started': '第 2 步的命令始终没有启动；原因见 first-run.err。',
    'first-run-not-dead': '第一次运行没有被 SIGKILL 终止。',
    'wake-not-ended': '第二次运行没有按时结束；进度见 second-run.err。',
    'status-failed': '“flower status” 执行失败。',
    stopped: '已停止，没有遗留进程。',
  },
  place: (folder) => `全部内容在 ${folder}：project/（含 flow.ts 和 runs/）以及每条命令的输出。`,
  done: (claims, took) => `全部 ${formats.count(claims)} 项均成立，用时 ${took}。`,
  failed: (failed, claims) => `${formats.count(claims)} 项中有 ${formats.count(failed)} 项不成立。`,
};
