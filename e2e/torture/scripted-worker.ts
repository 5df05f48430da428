import {
  type ScriptedRequest,
  type ScriptReply,
  textReply,
  toolReply,
} from '../../src/testing/index.ts';

/** What each step of the flow has to do: one line in the file `effects` for each token. */
export const tokensPerStep = 3;

/** Step that a request belongs to. */
export type TortureStep = 'alpha' | 'beta' | 'gamma';

/** The steps of the flow. */
export const steps: readonly TortureStep[] = ['alpha', 'beta', 'gamma'];

/** What the model sees of one step's work. */
export interface SeenWork {
  readonly step: TortureStep;
  /** Tokens whose call was made, whatever became of it. */
  readonly tried: ReadonlySet<string>;
  /** Tokens whose call has told of its success. */
  readonly finished: ReadonlySet<string>;
}

/** Reads out of a request what has been done in its step. */
export function seenWork(request: Pick<ScriptedRequest, 'messages'>): SeenWork {
  const text = JSON.stringify(request.messages);
  // Gamma shares the session of beta, so the prompt that came last decides.
  const step =
    steps.toSorted((a, b) => text.lastIndexOf(promptOf(b)) - text.lastIndexOf(promptOf(a)))[0] ??
    'alpha';
  return { step, tried: matches(text, step, 'echo ok:'), finished: matches(text, step, '"ok:') };
}

/** A token as the result of a finished call shows it, in a request or in a stored row. */
export function finishedTokens(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/"ok:(\w+-\d)"/g), ([, token]) => token ?? ''));
}

/**
 * A model that does its work properly: one token after the other, and where a call's outcome is
 * unknown it looks first. So a doubled line is a result that was on disk and got lost.
 */
export function workOn(request: Pick<ScriptedRequest, 'messages'>): ScriptReply {
  const { step, tried, finished } = seenWork(request);
  for (let count = 1; count <= tokensPerStep; count += 1) {
    const token = `${step}-${count}`;
    if (finished.has(token)) continue;
    const effect = `echo ${token} >>effects`;
    const work = tried.has(token) ? `grep -qx ${token} effects || ${effect}` : effect;
    const command = `sleep 0.1; ${work}; echo ok:${token}`;
    return toolReply({ name: 'Bash', input: { command, description: token } }, { text: token });
  }
  return textReply(`${step} is done.`);
}

function promptOf(step: TortureStep): string {
  return `Do ${step}`;
}

function matches(text: string, step: TortureStep, before: string): Set<string> {
  const pattern = new RegExp(`${before}(${step}-\\d)`, 'g');
  return new Set(Array.from(text.matchAll(pattern), ([, token]) => token ?? ''));
}
