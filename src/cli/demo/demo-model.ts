import { join } from 'node:path';
import {
  conversationText,
  type MessageReply,
  type ReplyUsage,
  type ScriptedRequest,
  type ScriptFunction,
  textReply,
  toolReply,
} from '../../testing/index.ts';
import { type SeenCall, toolCalls } from './tool-calls.ts';

/** Steps of the demo's workflow, in order. */
export const demoSteps = ['read', 'make', 'verify'] as const;

/** One of {@link demoSteps}. */
export type DemoStep = (typeof demoSteps)[number];

const stepOfRole: Readonly<Record<string, DemoStep>> = {
  reader: 'read',
  maker: 'make',
  checker: 'verify',
};

/** The step that a request belongs to, by the role in its system prompt. */
export function stepOf(request: Pick<ScriptedRequest, 'system'>): DemoStep | undefined {
  const role = /You are the (reader|maker|checker):/.exec(request.system)?.[1];
  return role === undefined ? undefined : stepOfRole[role];
}

/** The command whose interruption the demo is about. */
export const deliveryCommand = '(nohup node server.mjs >/dev/null 2>&1 &); sh deliver.sh';

/** The calls of a conversation that deliver. */
export function deliveries(calls: readonly SeenCall[]): SeenCall[] {
  return calls.filter(({ input }) => String(input['command']).includes('sh deliver.sh'));
}

/** A model that decides by what it sees in the conversation, and the usage that it reported. */
export interface DemoModel {
  readonly script: ScriptFunction;
  /** Usage by index of the request. */
  readonly usage: ReadonlyMap<number, Required<ReplyUsage>>;
}

/**
 * Makes the scripted model of the demo.
 *
 * It knows nothing of runs and kills: a delivery that it cannot see in its conversation, it makes
 * again. Its first program counts lines instead of words, and it calls that done.
 */
export function createDemoModel(workspace: () => string): DemoModel {
  const usage = new Map<number, Required<ReplyUsage>>();
  const replies: Readonly<Record<DemoStep, (request: ScriptedRequest) => MessageReply>> = {
    read: (request) => readerReply(request, workspace()),
    make: (request) => makerReply(request, workspace()),
    verify: (request) => checkerReply(request, workspace()),
  };
  return {
    usage,
    script: (request, index) => {
      const step = stepOf(request);
      if (step === undefined) return undefined;
      const used = usageOf(index);
      usage.set(request.index, used);
      return { ...replies[step](request), usage: used };
    },
  };
}

/** No two alike, so that one that is lost or counted twice changes the sum. */
function usageOf(index: number): Required<ReplyUsage> {
  return {
    inputTokens: 1_200 + 13 * index,
    outputTokens: 90 + 7 * index,
    cacheReadTokens: 4_000 + 101 * index,
    cacheWriteTokens: 300 + 3 * index,
  };
}

function readerReply({ messages }: ScriptedRequest, workspace: string): MessageReply {
  const [readme] = toolCalls(messages);
  if (readme === undefined) return read(join(workspace, 'README.md'));
  const wanted = /prints (how many words .*?),/.exec(readme.result ?? '')?.[1];
  return textReply(`It has to print ${wanted ?? 'something that README.md does not name'}.`);
}

function makerReply({ messages }: ScriptedRequest, workspace: string): MessageReply {
  const path = join(workspace, 'tally.sh');
  const calls = toolCalls(messages);
  const last = calls.at(-1);
  if (last === undefined) return read(path);
  if (last.name === 'Read') return write(path, '#!/bin/sh\nwc -l < words.txt\n');
  const [delivery] = deliveries(calls);
  if (delivery === undefined) return deliver('Now the server and the delivery.');
  if (/unknown|interrupted/i.test(last.result ?? '')) {
    return bash(
      'wc -l < outbox.txt',
      'Look whether it was delivered',
      'The delivery was cut off and its outcome is unknown. I look before I do it again.',
    );
  }
  if (last.result?.trim() === '0') return deliver('Nothing was delivered.');
  return textReply('tally.sh is written and was delivered.');
}

function checkerReply({ messages }: ScriptedRequest, workspace: string): MessageReply {
  const path = join(workspace, 'tally.sh');
  const calls = toolCalls(messages);
  if (calls.length === 0) return bash('sh tally.sh', 'Try the program');
  if (!conversationText({ messages }).includes('Repair it.')) {
    return textReply('It prints a number and ends well: it works.');
  }
  switch (calls.length) {
    case 1:
      return read(path);
    case 2:
      return edit(path, 'wc -l', 'wc -w');
    case 3:
      return bash('sh tally.sh', 'Try it again');
    default:
      return textReply('It counted lines. Now it counts words.');
  }
}

function deliver(text: string): MessageReply {
  return bash(deliveryCommand, 'Start the server, then deliver', text);
}

function read(path: string): MessageReply {
  return toolReply({ name: 'Read', input: { file_path: path } });
}

function write(path: string, content: string): MessageReply {
  return toolReply({ name: 'Write', input: { file_path: path, content } });
}

function edit(path: string, before: string, after: string): MessageReply {
  const input = { file_path: path, old_string: before, new_string: after };
  return toolReply({ name: 'Edit', input });
}

function bash(command: string, description: string, text?: string): MessageReply {
  const input = { command, description, timeout: 120_000 };
  return toolReply({ name: 'Bash', input }, text === undefined ? {} : { text });
}
