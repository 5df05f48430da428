import { parseReply, parseScript, type CheckedScript } from './parse-script.ts';
import type { Reply } from './reply.ts';
import { neutralReply } from './neutral-reply.ts';
import type { Script, ScriptFunction } from './script.ts';
import { conversationText, type ScriptedRequest } from './scripted-request.ts';

/** What the script says to one request. */
export type Choice =
  | { readonly source: 'script' | 'neutral'; readonly reply: Reply }
  | { readonly source: 'mismatch'; readonly detail: string };

/** Walks through a script: one reply a request, in order of arrival. */
export interface ScriptPlayer {
  /** Never throws; a failure of a script function is a mismatch. */
  choose(request: ScriptedRequest): Promise<Choice>;
  /** One line for each list that holds unused replies. */
  unused(): readonly string[];
}

/** A list of replies and how many of them were given. */
interface Track {
  readonly name: string;
  readonly replies: readonly Reply[];
  given: number;
}

/** @throws FlowerError `script-mismatch` when the script's data is not valid. */
export function createScriptPlayer(script: Script): ScriptPlayer {
  return typeof script === 'function' ? playFunction(script) : playLists(parseScript(script));
}

function playFunction(script: ScriptFunction): ScriptPlayer {
  let calls = 0;
  return {
    async choose(request) {
      if (isSide(request)) return { source: 'neutral', reply: neutralReply(request) };
      try {
        const reply = await script(request, calls++);
        if (reply === undefined) return mismatch('the script function', request);
        return { source: 'script', reply: parseReply(reply) };
      } catch (error) {
        const detail = `the script function failed at ${nameOf(request)}: ${String(error)}`;
        return { source: 'mismatch', detail };
      }
    },
    unused: () => [],
  };
}

function playLists(script: CheckedScript): ScriptPlayer {
  const main: Track = { name: 'main', replies: script.main ?? [], given: 0 };
  const subagents = tracksOf(script.subagents ?? {});
  const side = tracksOf(script.side ?? {});
  return {
    choose: (request) => Promise.resolve(chooseFrom(request, main, subagents, side)),
    unused: () => [main, ...subagents.values(), ...side.values()].flatMap(leftIn),
  };
}

function chooseFrom(
  request: ScriptedRequest,
  main: Track,
  subagents: ReadonlyMap<string, Track>,
  side: ReadonlyMap<string, Track>,
): Choice {
  if (isSide(request)) {
    const reply = next(side.get(request.kind));
    return reply === undefined
      ? { source: 'neutral', reply: neutralReply(request) }
      : { source: 'script', reply };
  }
  const track = request.kind === 'subagent' ? subagentTrack(request, subagents) : main;
  const reply = next(track);
  if (reply !== undefined) return { source: 'script', reply };
  return mismatch(track === undefined ? 'the script' : `the list "${track.name}"`, request);
}

function subagentTrack(
  request: ScriptedRequest,
  tracks: ReadonlyMap<string, Track>,
): Track | undefined {
  const task = conversationText({ messages: request.messages.slice(0, 1) });
  for (const [key, track] of tracks) {
    if (key === '*' || request.system.includes(key) || task.includes(key)) return track;
  }
  return undefined;
}

function tracksOf(
  lists: Readonly<Record<string, readonly Reply[] | undefined>>,
): ReadonlyMap<string, Track> {
  return new Map(
    Object.entries(lists).map(([name, replies = []]) => [name, { name, replies, given: 0 }]),
  );
}

function next(track: Track | undefined): Reply | undefined {
  const reply = track?.replies[track.given];
  if (track === undefined || reply === undefined) return undefined;
  track.given += 1;
  return reply;
}

function leftIn({ name, replies, given }: Track): readonly string[] {
  if (given >= replies.length) return [];
  return [`${replies.length - given} of ${replies.length} replies of "${name}" were not used`];
}

function isSide(request: ScriptedRequest): boolean {
  return request.kind !== 'main' && request.kind !== 'subagent';
}

function mismatch(where: string, request: ScriptedRequest): Choice {
  return { source: 'mismatch', detail: `${where} holds no reply for ${nameOf(request)}` };
}

function nameOf(request: ScriptedRequest): string {
  const text = request.toolResults.at(-1)?.text ?? request.lastUserText;
  return `request ${request.index} (${request.kind}), which ends in "${text.slice(-80)}"`;
}
