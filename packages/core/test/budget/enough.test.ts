import { assistant, managerOf, user, words } from '@ctx/testing';
import type { CompressionStrategy, Config, Edit, PlanContext } from '../../src/index.js';
import { drop, planner } from '../edits.js';

/** Drops the oldest messages of the assistant until this many tokens are left. */
const downTo = (name: string, tokensFor: (context: PlanContext) => number, partial = false) => {
  const editsOf = (context: PlanContext) => {
    let { currentTokens } = context;
    const edits: Edit[] = [];
    for (const { id, tokens, pinned, message } of context.view) {
      if (currentTokens <= tokensFor(context)) break;
      if (pinned || message.role !== 'assistant') continue;
      currentTokens -= tokens;
      edits.push(drop(id));
    }
    return edits;
  };
  return planner(name, editsOf, { partial });
};
const toTarget = downTo('to-target', ({ targetTokens }) => targetTokens);

/** Compression starts at 800 tokens and goes down to 400. From there, half of the way back is 600. */
const config: Config = {
  contextWindow: 1_000,
  reserve: 0,
  trigger: { fraction: 0.8 },
  target: { tokens: 400 },
};
const said = [user('go'), ...Array.from({ length: 89 }, () => assistant(words(10)))];

async function stagesOf(strategies: readonly CompressionStrategy[], isByHand = false) {
  const manager = managerOf(said, { strategies, config });
  const outcome = isByHand ? await manager.compress({ targetTokens: 400 }) : await manager.checkAndCompress();
  const stages = outcome.record?.stages.map(({ strategy }) => strategy);
  return { status: outcome.status, stages, tokens: manager.stats().currentTokens };
}

describe('after a stage that came within half of the way back to the trigger', () => {
  const near = downTo('near', () => 600);
  const prepares = { ...near, name: 'prepares', partial: true };

  test('the next is not run, because it would take what that stage chose to keep', async () => {
    expect(await stagesOf([near, toTarget])).toEqual({ status: 'compressed', stages: ['near'], tokens: 591 });
  });

  test('by hand the next is run, because the target was asked for', async () => {
    const stages = ['near', 'to-target'];
    expect(await stagesOf([near, toTarget], true)).toEqual({ status: 'compressed', stages, tokens: 391 });
  });

  test('the next is run if that stage only prepares', async () => {
    expect((await stagesOf([prepares, toTarget])).stages).toEqual(['prepares', 'to-target']);
  });

  test('the next is run if that stage failed', async () => {
    const fails = planner('fails', () => {
      throw new Error('out of ideas');
    });
    expect((await stagesOf([prepares, fails, toTarget])).stages).toEqual(['prepares', 'fails', 'to-target']);
  });
});

test('a stage that came less far is followed by the next', async () => {
  const far = downTo('far', () => 620);
  expect(await stagesOf([far, toTarget])).toEqual({
    status: 'compressed',
    stages: ['far', 'to-target'],
    tokens: 391,
  });
});

test('a stage that promises the target and finds nothing more is enough after one that prepared so far', async () => {
  const prepares = downTo('prepares', () => 600, true);
  const idle = downTo('idle', () => 1_000);
  expect(await stagesOf([prepares, idle, toTarget])).toEqual({
    status: 'compressed',
    stages: ['prepares', 'idle'],
    tokens: 591,
  });
});

describe('a target that is a share of the room', () => {
  const targets = async (config: Config, ...messages: Parameters<typeof managerOf>[0]) => {
    const seen: number[] = [];
    const sees = planner('sees', ({ targetTokens }) => {
      seen.push(targetTokens);
      return [];
    });
    await managerOf(messages, { strategies: [sees], config }).checkAndCompress();
    return seen[0];
  };
  const room: Config = { ...config, target: { room: 0.5 } };
  const old = Array.from({ length: 90 }, () => assistant(words(10)));

  test('stands on top of what must stay, up to where the trigger starts', async () => {
    expect(await targets(room, user(words(10)), ...old)).toBe(10 + (800 - 10) / 2);
    expect(await targets(room, user(words(200), { pinned: true }), user(words(100)), ...old)).toBe(
      300 + (800 - 300) / 2,
    );
  });
});
