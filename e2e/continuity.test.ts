import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conversationText } from '../src/testing/index.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

describe('two finished runs in one directory', () => {
  it('are one conversation: each step speaks again in its session', async () => {
    stage.say('One is done.', 'Two is done.', 'One again.', 'Two again.');

    const first = await stage.run('pair');
    const second = await stage.run('pair');

    expect([first.ctx._woke, second.ctx._woke]).toEqual([1, 2]);
    expect(second.ctx._sessions).toEqual(first.ctx._sessions);
    expect(stage.requests.map((request) => request.sessionId)).toEqual(
      [first, second].flatMap(({ ctx }) => [ctx._sessions['one'], ctx._sessions['two']]),
    );
    expect(conversationText(stage.requests[2]!)).toContain('One is done.');
    expect(stage.requests[2]?.lastUserText).toContain('Do one.');
    expect(conversationText(stage.requests[3]!)).toContain('Do two after: One is done.');
    expect(stage.requests[3]?.lastUserText).toContain('Two, once more.');
  });
});
