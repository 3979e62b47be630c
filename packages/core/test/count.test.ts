import {
  bpeCounter,
  type CompressionStrategy,
  createContextManager,
  type Edit,
  type Message,
  MessageCounter,
  seededRandom,
} from '@ctx/core';
import {
  and,
  arbitraryEdits,
  arbitraryTranscript,
  assistant,
  call,
  deepFreeze,
  managerOf,
  result,
  user,
  wordCounter,
  words,
} from '@ctx/testing';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const plain = { disallowedSpecial: new Set<string>() };
const exactly = (text: string) => countTokens(text, plain);

describe('counting with BPE', () => {
  const counter = bpeCounter();
  beforeAll(() => counter.load?.());

  test('is exact on ordinary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(counter.count(text)).toBe(exactly(text));
      }),
      { numRuns: 200 },
    );
    expect(counter.count('')).toBe(0);
  });

  test('takes special tokens for plain text', () => {
    for (const special of ['<|endoftext|>', '<|im_start|>system', '<|endofprompt|>', '<|fim_prefix|>']) {
      expect(counter.count(special)).toBeGreaterThan(1);
      expect(counter.count(special)).toBe(exactly(special));
    }
  });

  test('never throws, and gives a whole number, on any string of UTF-16', () => {
    const codeUnits = fc
      .array(fc.nat(0xffff), { maxLength: 600 })
      .map((units) => String.fromCharCode(...units));
    const runs = fc
      .tuple(fc.constantFrom('\ud800', '\udc00', '👩‍👩‍👧‍👦', '\0', 'é', '한', '\t', '=', 'x'), fc.nat(900))
      .map(([unit, times]) => unit.repeat(times));
    fc.assert(
      fc.property(fc.array(fc.oneof(codeUnits, runs), { maxLength: 3 }), (texts) => {
        const tokens = counter.count(texts.join(''));
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  const random = seededRandom(7);
  const pick = (letters: string, length: number) => {
    const all = [...letters];
    return Array.from({ length }, () => all[Math.floor(random() * all.length)]).join('');
  };
  test.each<[string, string]>([
    ['random letters', pick('abcdefghijklmnopqrstuvwxyzABCDEFGH', 6_000)],
    ['base64', pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 20_000)],
    ['Chinese without a stop', pick('的一是在不了有和人这中大为上个国我以要他', 4_000)],
    ['Thai', pick('กขคงจฉชซญดตถทธนบปพมยรลวสหอ', 4_000)],
    ['punctuation', pick('!?.,;:-_#*+~(){}[]<>=', 4_000)],
    ['emoji', pick('😀😂🎉🚀👍', 2_000)],
    ['one letter', 'a'.repeat(4_000)],
    ['one line of a table', '='.repeat(4_000)],
    ['a run in the midst of prose', `It said ${pick('abcdefghij', 3_000)}, and so on. ${words(300)}`],
  ])('stays within 0.3 % of the exact count on %s', (_title, text) => {
    const exact = exactly(text);
    expect(Math.abs(counter.count(text) - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.003));
  });

  test('stays within 1 % of it on a run of white space', () => {
    for (const kinds of [' \n\t', '    \n', ' \t', ' ']) {
      const text = pick(kinds, 4_000);
      expect(Math.abs(counter.count(text) / exactly(text) - 1)).toBeLessThanOrEqual(0.01);
    }
  });

  test('stays near where a run is so long that only pieces of it are counted', () => {
    const run = pick('abcdefghijklmnopqrstuvwxyz', 50_000).repeat(44);
    const share = exactly(run.slice(0, 10_000)) / 10_000;
    expect(counter.count(run) / (run.length * share)).toBeCloseTo(1, 1);
  });

  test('counts 20 MB without a space as what it is', () => {
    const tokens = counter.count('x'.repeat(20_000_000));
    const perCharacter = exactly('x'.repeat(2_560)) / 2_560;
    expect(tokens / 20_000_000 / perCharacter).toBeCloseTo(1, 1);
  });
});

test('before the tokenizer is loaded a figure is an estimate and says so', async () => {
  const counter = new MessageCounter(bpeCounter('o200k_base'));
  const message = user('Four words and more of them, at length');
  expect(counter.message(message).estimated).toBe(true);
  expect(await counter.load()).toBe(true);
  expect(counter.message(message)).toEqual({
    tokens: 3 + exactly(message.content as string),
    toolCalls: 0,
    estimated: false,
  });
  expect(await counter.load()).toBe(false);
});

describe('a message is counted with', () => {
  const counter = new MessageCounter(wordCounter, { message: 3, conversation: 3 });
  const tokensOf = (message: Message) => counter.message(deepFreeze(message)).tokens;
  const base64 = (length: number) => 'A'.repeat(length);

  test.each<[string, Message, number]>([
    ['its overhead and its text', user('one two three'), 3 + 3],
    ['its reasoning', assistant([{ type: 'reasoning', text: 'so it is' }]), 3 + 3],
    ['the names and inputs of its calls', call('a', 'read', { path: 'the file' }), 3 + 1 + 3],
    ['the names and outputs of its results', result('a', words(7)), 3 + 1 + 7],
    ['a result in JSON', result('a', { type: 'json', value: { a: 'b c' } }), 3 + 1 + 2],
    ['an image by the root of its size', user([{ type: 'image', image: base64(10_000) }]), 3 + 100],
    ['an image of unknown size as 300', user([{ type: 'image', image: 'https://x/y.png' }]), 3 + 300],
    [
      'a file by its bytes',
      user([{ type: 'file', data: base64(100_000), mediaType: 'application/pdf' }]),
      3 + 1_500,
    ],
    [
      'a small file as 300',
      user([{ type: 'file', data: base64(100), mediaType: 'application/pdf' }]),
      3 + 300,
    ],
    ['an unknown part by what is in it', user([{ type: 'opaque', value: { key: ['a b', 7] } }]), 3 + 1 + 3],
    [
      'data in an unknown part by the root of its size',
      user([{ type: 'opaque', value: { source: base64(4_900) } }]),
      3 + 1 + 70,
    ],
    [
      'the images of its results',
      result('a', { type: 'content', value: [{ type: 'image', image: base64(400) }] }),
      3 + 1 + 20,
    ],
  ])('%s', (_title, message, tokens) => {
    expect(tokensOf(message)).toBe(tokens);
  });

  test('says which figures are by size', () => {
    expect(counter.message(user('text')).estimated).toBe(false);
    expect(counter.message(user([{ type: 'image', image: 'https://x/y' }])).estimated).toBe(true);
    const shown = result('a', { type: 'content', value: [{ type: 'text', text: 'only text' }] });
    expect(counter.message(shown).estimated).toBe(false);
  });

  test('its calls numbered', () => {
    expect(counter.message(and(call('a', 'read'), call('b', 'run'))).toolCalls).toBe(2);
  });

  test('every text only once, however often it comes', () => {
    let counted = 0;
    const counting = new MessageCounter({
      count(text) {
        counted += 1;
        return wordCounter.count(text);
      },
    });
    const message = user('again and again, and then once more');
    counting.message(message);
    counting.message(message);
    counting.message({ ...message });
    expect(counted).toBe(1);
  });
});

test.each<[string, () => number]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['gives NaN', () => Number.NaN],
  ['gives a negative number', () => -5],
])('where a counter %s, the figure is an estimate and says so', (_title, count) => {
  const manager = createContextManager({
    counter: { count },
    config: { overhead: { message: 0, conversation: 0 } },
  });
  manager.append(user('x'.repeat(400)));
  expect(manager.stats()).toMatchObject({ currentTokens: 100, messages: 1, quality: 'estimated' });
  expect(manager.view()).toHaveLength(1);
});

/** A strategy that proposes whatever edits a test gives it. */
function proposing(edits: readonly unknown[]): CompressionStrategy {
  return {
    name: 'proposing',
    emits: ['drop', 'replace', 'merge'],
    plan: () => ({ edits: edits as Edit[] }),
  };
}

test('the running total equals a full recount, after appends, compressions, undoing and rewinding', async () => {
  const recount = (messages: readonly Message[], fixed: number) => {
    const fresh = new MessageCounter(wordCounter, { message: 2, conversation: 5 });
    return messages.reduce((sum, message) => sum + fresh.message(message).tokens, fixed);
  };
  await fc.assert(
    fc.asyncProperty(
      arbitraryTranscript,
      fc.infiniteStream(fc.nat()),
      fc.gen(),
      async (messages, stream, arbitrary) => {
        const config = { overhead: { message: 2, conversation: 5 }, marker: true };
        const manager = managerOf([], { config });
        manager.setTools({ name: 'read', about: 'reads a file' });
        const fixed = 5 + wordCounter.count('{"name":"read","about":"reads a file"}');
        const agrees = () => expect(manager.stats().countedTokens).toBe(recount(manager.view(), fixed));
        agrees();
        for (const message of messages) {
          manager.append(message);
          agrees();
          const choice = (stream.next().value as number) % 4;
          if (choice !== 0) continue;
          const known = manager.transcript.map(({ id }) => id);
          const edits = arbitrary(() => arbitraryEdits(known));
          await manager.compress({ strategy: proposing(edits), targetTokens: 0 });
          agrees();
        }
        const [record] = manager.history;
        if (record !== undefined) {
          manager.undo(record.id);
          agrees();
        }
        const middle = manager.transcript[Math.floor(manager.transcript.length / 2)];
        if (middle !== undefined) manager.rewindTo(middle.id);
        agrees();
      },
    ),
    { numRuns: 60 },
  );
});
