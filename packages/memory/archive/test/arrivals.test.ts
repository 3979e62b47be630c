import { memoryArchive } from '@ctx/archive';
import { type Config, ContextManager, type Message, messageText } from '@ctx/core';
import { and, assistant, call, result, transcript, user, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';

type Arrivals = Config['arrivals'];

const optionsWith = (arrivals: Arrivals = { over: 500, to: 250 }, config: Config = {}) => ({
  counter: wordCounter,
  archive: memoryArchive(),
  config: { contextWindow: 100_000, arrivals, recallTool: 'recall', throttleMs: 0, ...config },
});

function managerWith(messages: readonly Message[], options = optionsWith()) {
  const manager = new ContextManager(options);
  for (const message of messages) manager.append(message);
  return manager;
}

/** The texts of the next request. */
async function sent(manager: ContextManager): Promise<string[]> {
  await manager.checkAndCompress({ beforeSend: true });
  return manager.request().map(messageText);
}

const shortenedIn = ({ transcript }: ContextManager) =>
  transcript.filter(({ excerpt }) => excerpt !== undefined).map(({ id }) => id);

const sentLast = async (manager: ContextManager) => (await sent(manager)).at(-1) as string;

/** 100 lines of ten words. One reports a failure, and one has a name that the user asks about. */
const log = Array.from({ length: 100 }, (_, at) => {
  if (at === 40) return `line 40 ${words(6)} Error: full`;
  return at === 70 ? `line 70 ${words(7)} Marguerite` : `line ${at} ${words(8)}`;
}).join('\n');

const asking = (output: string, tool = 'bash', input: unknown = { command: 'npm test' }) =>
  transcript(user('Why does Marguerite get no mail?'), call('c1', tool, input), result('c1', output));

describe('a new result that is too large', () => {
  test('is sent as an excerpt: what it is, its beginning and end, what failed and what was asked for', async () => {
    const excerpt = await sentLast(managerWith(asking(log)));
    expect(wordCounter.count(excerpt)).toBeLessThanOrEqual(250);
    for (const line of ['line 0 ', 'line 40 ', 'line 70 ', 'line 99 ']) expect(excerpt).toContain(line);
    expect(excerpt.split('\n')[0]).toBe(
      '[Excerpt of a result of 1,000 tokens in 100 lines. Read all of it with recall, ref #m3. … stands for what is left out.]',
    );
  });

  test('can be read as it was, all of it and every part that is left out', async () => {
    const manager = managerWith(asking(log));
    const excerpt = await sentLast(manager);
    expect((await manager.read('#m3')).map(({ text }) => text)).toEqual([log]);
    const left = excerpt.matchAll(/^\[… (#m3:(\d+)(?:-(\d+))?) …\]$/gm);
    const shown = excerpt.split('\n').slice(1);
    const whole: string[] = [];
    for (const line of shown) {
      const [ref] = /#m3:[\d-]+/.exec(line) ?? [];
      if (ref === undefined) whole.push(line);
      else whole.push(...(await manager.read(ref)).map(({ text }) => text.replace(/\n$/, '')));
    }
    expect([...left].length).toBeGreaterThan(2);
    expect(whole.join('\n')).toBe(log);
  });

  test('that is JSON says its keys and how many items it has', async () => {
    const tags = ['a', 'b'];
    const items = Array.from({ length: 400 }, (_, id) => ({ id, name: `user ${id} of the list`, tags }));
    const excerpt = await sentLast(managerWith(asking(JSON.stringify({ items, next: null }))));
    const [, form = ''] = /^\[In short: (.*)\]$/m.exec(excerpt) ?? [];
    const { items: shown, next } = JSON.parse(form) as { items: unknown[]; next: null };
    expect([shown[0], next]).toEqual([items[0], null]);
    expect(shown).toContainEqual(expect.stringMatching(/^… 39\d items left out …$/));
    expect(excerpt).toContain('{"items":[{"id":0,"name":"user 0 of the list"');
  });

  test('that is Markdown or code shows where its sections begin', async () => {
    const sections = Array.from({ length: 12 }, (_, at) => `## Part ${at}\n\n${`${words(9)}\n`.repeat(12)}`);
    const excerpt = await sentLast(
      managerWith(asking(sections.join('\n'), 'fetch', { url: 'a' }), optionsWith({ over: 500, to: 450 })),
    );
    for (let at = 0; at < 6; at += 1) expect(excerpt).toContain(`## Part ${at}`);
  });

  test.each<[string, object]>([
    ['a page', { page: 'manual' }],
    ['a branch', { base: 'main', head: 'fix-12' }],
    ['lines that are to be found', { lines: 'starting with WARN' }],
  ])('is no part of a result if the call names %s', async (_, input) => {
    const manager = managerWith(asking(log, 'get', input));
    await sent(manager);
    expect(manager.transcript.filter(({ excerpt }) => excerpt !== undefined)).toHaveLength(1);
  });

  test.each([
    ['a read of some lines', asking(log, 'read', { path: 'a.ts', offset: 1, limit: 400 })],
    ['one by ranges of lines', asking(log, 'read', { files: [{ path: 'a.ts', line_ranges: ['1-400'] }] })],
    ['one by a range', asking(log, 'read', { path: 'a.ts', read_range: [1, 400] })],
    ['one by lines that count from one', asking(log, 'read', { start_line_one_indexed: 1 })],
    ['one of so many lines', asking(log, 'read', { path: 'a.ts', num_lines: 400 })],
    ['one of pages', asking(log, 'read', { path: 'a.pdf', pages: '1-20' })],
    ['one of cells', asking(log, 'read', { range: 'AB1:AF200' })],
    ['one of all of a file', asking(log, 'read', { path: 'a.ts', should_read_entire_file: true })],
    ['a command that prints some lines', asking(log, 'bash', { command: "sed -n '1,400p' a.ts" })],
    ['what was recalled', asking(log, 'recall', { ref: '#m1' })],
    ['what is small enough', asking(words(500))],
  ])('stays whole if it is %s', async (_, messages) => {
    const manager = managerWith(messages);
    await sent(manager);
    expect(manager.request()).toEqual(messages);
    expect(shortenedIn(manager)).toEqual([]);
  });

  test('of some tools has figures of its own, or stays whole', async () => {
    const of = (tools: NonNullable<Exclude<Arrivals, false>>['tools']) =>
      sentLast(managerWith(asking(log), optionsWith({ over: 500, to: 250, tools })));
    expect(await of({ bash: false })).toBe(log);
    expect(await of({ bash: { over: 2_000 } })).toBe(log);
    expect(wordCounter.count(await of({ bash: { to: 90 } }))).toBeLessThanOrEqual(90);
    expect(await of({ constructor: false } as never)).not.toBe(log);
  });

  test('that is asked for once more in the same words is sent whole', async () => {
    const manager = managerWith(asking(log));
    await sent(manager);
    for (const message of transcript(call('c2', 'bash', { command: 'npm test' }), result('c2', log)))
      manager.append(message);
    expect(await sentLast(manager)).toBe(log);
  });

  test('that was sent whole stays whole, even if arrivals are switched on since', async () => {
    const before = managerWith(asking(log), optionsWith(false));
    expect(await sentLast(before)).toBe(log);
    expect(await sentLast(ContextManager.restore(before.snapshot(), optionsWith()))).toBe(log);
  });

  test('that the model has answered stays whole', async () => {
    const manager = managerWith([...asking(log), assistant('The disk is full.'), user('And now?')]);
    expect((await sent(manager)).at(2)).toBe(log);
  });

  test('stays whole if the archive does not take it', async () => {
    const archive = memoryArchive();
    archive.keep = async () => Promise.reject(new Error('full'));
    const manager = managerWith(asking(log), { ...optionsWith(), archive });
    expect(await sentLast(manager)).toBe(log);
    expect(manager.warnings.join()).toContain('not archived');
  });

  test('is archived before it is sent, and says where it is', async () => {
    const options = optionsWith();
    const manager = managerWith(asking(log), options);
    await manager.checkAndCompress({ beforeSend: true });
    const [kept] = await options.archive.get('#m3', { conversation: 'conversation' });
    expect(kept?.text).toBe(log);
    expect(shortenedIn(manager)).toEqual(['m3']);
    expect(await manager.explain('#m3')).toMatchObject({ state: 'changed', reason: 'arrival' });
    expect(manager.history.concat(manager.simplifications)).toEqual([]);
    expect(manager.epoch).toBe(0);
  });
});

type Step =
  | { readonly kind: 'turn'; readonly sizes: readonly number[] }
  | { readonly kind: 'compress' | 'undo' | 'restart' | 'rewind' };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('turn' as const),
        sizes: fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('compress' as const, 'undo' as const, 'restart' as const, 'rewind' as const),
      }),
    },
  ),
  { minLength: 1, maxLength: 25 },
);

const oldest = {
  name: 'oldest',
  emits: ['drop'],
  plan: ({ view }: { view: readonly { id: string; exchange: number; pinned: boolean }[] }) => {
    const first = view.find(({ pinned }) => !pinned)?.exchange;
    const messages = view.filter(({ exchange }) => exchange === first).map(({ id }) => id);
    return { edits: messages.length === 0 ? [] : [{ type: 'drop' as const, messages, reason: 'old' }] };
  },
};

test('whatever happens, a result has the same bytes in every request, is never larger than it was, and can be read as it was', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const options = optionsWith();
      let manager = managerWith([user('Find the fault.')], options);
      const first = new Map<string, string>();
      let said = 0;
      for (const step of all) {
        if (step.kind === 'turn') {
          said += 1;
          const made = step.sizes.map((size, at) => ({
            id: `c${said}-${at}`,
            text: words(size, `w${said}-${at}\n`),
          }));
          manager.append(and(...made.map(({ id }) => call(id, 'bash', { command: `run ${id}` }))));
          for (const { id, text } of made) manager.append(result(id, text));
        } else if (step.kind === 'compress') await manager.compress({ strategy: oldest, targetTokens: 1 });
        else if (step.kind === 'undo') {
          const [record] = manager.history;
          if (record !== undefined) manager.undo(record.id);
        } else if (step.kind === 'restart')
          manager = ContextManager.restore(JSON.parse(JSON.stringify(manager.snapshot())), options);
        else {
          const at = manager.transcript.findLastIndex(({ message }) => message.role === 'assistant') - 1;
          for (const { message } of manager.rewindTo(manager.transcript[at]?.id ?? 'm1').removed)
            if (message.role === 'tool')
              for (const { toolCallId } of message.content) first.delete(toolCallId);
        }
        await manager.checkAndCompress({ beforeSend: true });
        for (const message of manager.request()) {
          if (message.role !== 'tool') continue;
          const { toolCallId = '' } = message.content[0] ?? {};
          const text = messageText(message);
          expect(text).toBe(first.get(toolCallId) ?? text);
          first.set(toolCallId, text);
        }
        for (const { index, message } of manager.transcript) {
          if (message.role !== 'tool') continue;
          const whole = messageText(message);
          const shown = first.get(message.content[0]?.toolCallId ?? '') ?? whole;
          expect(wordCounter.count(shown)).toBeLessThanOrEqual(wordCounter.count(whole) > 500 ? 250 : 500);
          if (wordCounter.count(whole) <= 500) expect(shown).toBe(whole);
          else expect((await manager.read(`#m${index + 1}`)).map(({ text }) => text)).toEqual([whole]);
        }
      }
    }),
    { numRuns: 30 },
  );
});

describe('settings of arrivals', () => {
  test.each([
    [{ over: 100, to: 100 }, 'arrivals.to'],
    [{ over: 2_000 }, 'arrivals.to'],
    [{ to: -1 }, 'arrivals.to'],
    [{ over: Number.NaN }, 'arrivals.over'],
    [{ tools: { bash: { to: 20_000 } } }, 'arrivals.tools.bash.to'],
    [{ tools: { bash: true } }, 'arrivals.tools.bash'],
    [{ above: 3 }, 'arrivals.above'],
  ])('%j are refused', (arrivals, place) => {
    expect(() => new ContextManager(optionsWith(arrivals as Arrivals))).toThrow(
      expect.objectContaining({ code: 'config-invalid', place }),
    );
  });

  test('need an archive, and say so', () => {
    const { archive: _, ...without } = optionsWith();
    expect(() => new ContextManager(without)).toThrow(/archive/);
  });
});
