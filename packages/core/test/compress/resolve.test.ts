import {
  type CompressionStrategy,
  createContainer,
  defineStrategy,
  type Edit,
  type Folder,
  folderToken,
  type Plan,
  registerResolver,
  type Summarizer,
  summarizerToken,
  type TokenCounter,
} from '@ctx/core';
import { assistant, call, managerOf, result, transcript, user, wordCounter, words } from '@ctx/testing';
import { drop, planner, planning, replace } from '../edits.js';
import { heard } from '../heard.js';
import { hanging, wait } from './held-time.js';

const summarizing = defineStrategy({
  name: 'summarizing',
  emits: ['summarize'],
  plan({ view }) {
    const messages = view.filter(({ pinned }) => !pinned).map(({ id }) => id);
    const edit = { type: 'summarize', messages, maxTokens: 20, reason: 'too long' } as const;
    return { edits: [{ ...edit, placement: 'first' as const }] };
  },
});
const dropping = planner('dropping', ({ view }) =>
  view.filter(({ pinned }) => !pinned).map(({ id }) => drop(id)),
);
const containerOf = (summarize: Summarizer['summarize']) => {
  const container = createContainer();
  container.register<Summarizer>(summarizerToken, { useValue: { summarize } });
  return container;
};

function managerWith(
  summarize: Summarizer['summarize'],
  strategies: CompressionStrategy[] = [summarizing, dropping],
  counter: TokenCounter = wordCounter,
) {
  const messages = Array.from({ length: 5 }, (_, at) => user(`${words(19)} ${at}`));
  const options = { container: containerOf(summarize), strategies, counter, config: { timeoutMs: 20 }, wait };
  const manager = managerOf(messages, options);
  const failures = heard(manager, 'compression-fail', (failure) => failure);
  return { manager, failures };
}

test('a summary replaces the messages it covers', async () => {
  const asked: string[] = [];
  const { manager } = managerWith(async ({ messages, maxTokens, instructions }) => {
    asked.push(`${messages.length} messages, ${maxTokens} tokens, ${instructions}`);
    return { text: 'five greetings' };
  });
  const { record, status } = await manager.compress({ targetTokens: 30, instructions: 'be brief' });
  expect(asked).toEqual(['4 messages, 20 tokens, be brief']);
  expect(status).toBe('compressed');
  expect(record?.edits).toMatchObject([{ type: 'merge', text: 'five greetings' }]);
  expect(manager.view()[0]).toEqual({ role: 'user', content: 'five greetings', summary: true });
});

describe('a plan that is finished once its summary is there', () => {
  const finishing = (finish: NonNullable<Plan['finish']>) =>
    defineStrategy({
      ...summarizing,
      emits: ['summarize', 'merge', 'drop'],
      plan: (context) => ({ ...summarizing.plan(context), finish }),
    });

  test('uses the edits that it returns then', async () => {
    const given: unknown[] = [];
    const strategy = finishing((edits) => {
      given.push(...edits);
      const [merge] = edits as Edit<'merge'>[];
      return [{ ...(merge as Edit<'merge'>), text: 'five greetings and an excerpt' }];
    });
    const { manager } = managerWith(async () => ({ text: 'five greetings' }), [strategy]);
    const { record } = await manager.compress({ targetTokens: 30 });
    expect(given).toMatchObject([{ type: 'merge', text: 'five greetings' }]);
    expect(record?.edits).toMatchObject([{ type: 'merge', text: 'five greetings and an excerpt' }]);
  });

  test('is judged like any other, and fails its stage if it throws', async () => {
    const wrong = finishing(() => [{ type: 'replace', message: 'x', part: 0, text: '', reason: 'no' }]);
    const some = managerWith(async () => ({ text: 'five greetings' }), [wrong, dropping]);
    const { record } = await some.manager.compress({ targetTokens: 30 });
    expect(record?.rejected).toMatchObject([{ invariant: 'declared-edits' }]);
    expect(record?.strategy).toBe('dropping');
    const failing = finishing(() => Promise.reject(new Error('no way')));
    const other = managerWith(async () => ({ text: 'five greetings' }), [failing, dropping]);
    await other.manager.compress({ targetTokens: 30 });
    expect(other.failures).toMatchObject([{ error: { message: 'no way' } }]);
    expect(other.manager.view()).toHaveLength(1);
  });

  test('is not called if there is no summary', async () => {
    let called = 0;
    const strategy = finishing((edits) => {
      called += 1;
      return edits;
    });
    await managerWith(async () => ({ text: '' }), [strategy]).manager.compress({ targetTokens: 30 });
    expect(called).toBe(0);
  });
});

test('a summary may be about more messages than it replaces', async () => {
  const asked: number[] = [];
  const strategy = defineStrategy({
    ...summarizing,
    plan(context) {
      const { edits } = summarizing.plan(context);
      return { edits: edits.map((edit) => ({ ...edit, about: context.view.map(({ id }) => id) })) };
    },
  });
  const summarize: Summarizer['summarize'] = async ({ messages, originals }) => {
    asked.push(messages.length, originals.length);
    return { text: 'five greetings' };
  };
  const { manager } = managerWith(summarize, [strategy]);
  await manager.compress({ targetTokens: 30 });
  expect(asked).toEqual([5, 5]);
  expect(manager.view()).toHaveLength(2);
});

describe('a summary is not used, and the next stage runs, if the summarizer', () => {
  test.each<[string, Summarizer['summarize'], string]>([
    ['returns nothing', async () => ({ text: ' ' }), 'summary-useless'],
    ['saves less than a fifth', async () => ({ text: words(65) }), 'summary-useless'],
    ['throws', async () => Promise.reject(new Error('no credit left')), 'no credit left'],
    ['hangs', hanging, 'timeout'],
  ])('%s', async (_title, summarize, expected) => {
    const { manager, failures } = managerWith(summarize);
    const { record } = await manager.compress({ targetTokens: 30 });
    expect(record?.strategy).toBe('dropping');
    const { error } = failures[0] as { error: Error & { code?: string } };
    expect([error.code, error.message]).toContain(expected);
    expect(manager.view()).toHaveLength(1);
  });
});

test('a summary of any length is counted in steps', async () => {
  const summary = words(100_000);
  const [atOnce, inSteps]: [number[], number[]] = [[], []];
  const counter: TokenCounter = {
    count(text) {
      atOnce.push(text.length);
      return wordCounter.count(text);
    },
    *countInSteps(text) {
      yield;
      inSteps.push(text.length);
      return wordCounter.count(text);
    },
  };
  const { manager, failures } = managerWith(async () => ({ text: summary }), [summarizing], counter);
  await manager.compress({ targetTokens: 30 });
  expect(failures).toMatchObject([{ error: { code: 'summary-useless' } }]);
  expect(inSteps).toContain(summary.length);
  expect(atOnce).not.toContain(summary.length);
});

test('a caller that aborts while a summary is counted gets the conversation unchanged', async () => {
  const controller = new AbortController();
  const counter: TokenCounter = {
    ...wordCounter,
    *countInSteps(text) {
      controller.abort();
      yield;
      return wordCounter.count(text);
    },
  };
  const manager = managerOf(Array(5).fill(user(words(20))), {
    container: containerOf(async () => ({ text: words(5) })),
    strategies: [summarizing],
    counter,
    slices: { sliceMs: 0 },
  });
  expect(await manager.compress({ targetTokens: 30, signal: controller.signal })).toMatchObject({
    reason: 'aborted',
  });
  expect(manager.view()).toHaveLength(5);
});

test('a simulation asks no summarizer', async () => {
  const { manager } = managerWith(() => {
    throw new Error('must not be asked');
  }, [summarizing]);
  const { unresolved, tokensBefore, tokensAfter } = await manager.simulate({ targetTokens: 30 });
  expect([unresolved.length, tokensAfter]).toEqual([1, tokensBefore]);
});

describe('with a tool result', () => {
  const conversation = transcript(
    user('read a'),
    call('a', 'read', { path: 'a.ts' }),
    result('a', words(90, 'code')),
    assistant('It is code.'),
    user('so?'),
  );

  type Prepare = (container: ReturnType<typeof createContainer>) => void;
  const managerOn = (strategy: CompressionStrategy, prepare: Prepare = () => {}) => {
    const container = createContainer();
    prepare(container);
    return managerOf(conversation, { container, strategies: [strategy] });
  };

  test('the fold port gets its text and paths, and its answer replaces the text', async () => {
    const folding = planning({ type: 'fold', message: 'm3', part: 0, paths: ['a.ts'], reason: 'old' });
    const folder: Folder = { fold: async ({ text, paths }) => `${paths}: ${text.length} characters` };
    const manager = managerOn(folding, (container) => container.register(folderToken, { useValue: folder }));
    await manager.compress({ targetTokens: 0 });
    expect(manager.view()[2]).toMatchObject({
      content: [{ toolCallId: 'a', output: 'a.ts: 449 characters' }],
    });
  });

  test('a plugin’s own edit type is resolved by the plugin', async () => {
    const shouting = planning({ type: 'shout', target: 'm3', reason: 'fun' });
    const manager = managerOn(shouting, (container) =>
      registerResolver(container, 'shout', {
        resolve: async (edit) => [replace(String((edit as { target?: unknown }).target), 'CODE!')],
      }),
    );
    const { record } = await manager.compress({ targetTokens: 0 });
    expect(record?.edits).toMatchObject([{ type: 'replace', text: 'CODE!' }]);
  });
});

test('the edits of a stage share its time: a folder that hangs is asked once', async () => {
  const container = createContainer();
  let asked = 0;
  const fold = () => {
    asked += 1;
    return hanging();
  };
  container.register<Folder>(folderToken, { useValue: { fold } });
  const reads = Array.from({ length: 8 }, (_, at) => [call(`${at}`, 'read', {}), result(`${at}`, words(50))]);
  const said = transcript(user('go'), ...reads.flat(), assistant('done'), user('and now?'));
  const folds = Array.from({ length: 8 }, (_, at) => `m${3 + 2 * at}`).map(
    (message): Edit => ({ type: 'fold', message, part: 0, paths: ['a.ts'], reason: 'folded' }),
  );
  const strategies = [{ ...planning(...folds), name: 'folding' }, dropping];
  const manager = managerOf(said, { container, strategies, config: { timeoutMs: 20 }, wait });
  const { record } = await manager.compress({ targetTokens: 30 });
  expect(asked).toBe(1);
  expect(record?.stages[0]).toMatchObject({ strategy: 'folding', status: 'failed' });
  expect(record?.stages[0]?.error).toMatch(/20 ms/);
});

describe('an answer of the wrong form', () => {
  test.each([undefined, null, 'two edits', {}, [null], ['drop']])(
    'of a resolver (%j) costs only its own edit, with an error that says what is expected',
    async (answer) => {
      const container = createContainer();
      registerResolver(container, 'odd', { resolve: async () => answer as never });
      const strategies = [planning({ type: 'odd', reason: 'x' }, drop('m1'))];
      const manager = managerOf(Array(5).fill(user(words(20))), { container, strategies });
      const { record } = await manager.compress({ targetTokens: 0 });
      expect(record?.edits).toEqual([drop('m1')]);
      expect(record?.stages[0]?.error).toMatch(/resolver of "odd" .* list of edits/);
    },
  );

  test.each([undefined, null, 'a text', {}, { text: 5 }])('of a summarizer (%j)', async (answer) => {
    const { manager, failures } = managerWith(async () => answer as never);
    await manager.compress({ targetTokens: 30 });
    expect(failures).toMatchObject([{ error: { code: 'plan-invalid', place: 'summarize' } }]);
  });

  test('of a folder', async () => {
    const container = createContainer();
    container.register<Folder>(folderToken, { useValue: { fold: async () => undefined as never } });
    const strategies = [
      planning({ type: 'fold', message: 'm1', part: 0, paths: [], reason: 'x' }, drop('m2')),
    ];
    const manager = managerOf(Array(5).fill(user(words(20))), { container, strategies });
    const { record } = await manager.compress({ targetTokens: 0 });
    expect(record?.stages[0]?.error).toMatch(/fold.* text/);
  });
});
