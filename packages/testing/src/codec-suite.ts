import { type Codec, CtxError, type Message, parseMessage, partsOf } from '@ctx/core';
import fc from 'fast-check';
import { deepFreeze } from './deep-freeze.js';
import { drops, exchangesOf } from './exchanges.js';
import { lossProblems } from './loss-law.js';
import { apply, editsOf, type PartEdit } from './part-edits.js';
import { portableTranscript } from './portable-transcript.js';
import { runsOf } from './role-runs.js';
import { readAlone, said, spoken } from './what-is-said.js';

export interface CodecSuite<Conversation> {
  readonly name: string;
  readonly codec: Codec<Conversation>;
  /** Native conversations, each named by what is special about it. Every law is checked on each of them. */
  readonly fixtures: Readonly<Record<string, Conversation>>;
  /** The native objects that must come back as they are: messages, and everything else in a conversation. */
  readonly nativesOf: (conversation: Conversation) => readonly unknown[];
  /** What the provider reads, in order. Neighbours of one role are put together. @default nativesOf */
  readonly blocksOf?: (conversation: Conversation) => readonly unknown[];
  /** Conversations that must be refused, each named by what is wrong with it, and the place that the error names. */
  readonly refused?: Readonly<Record<string, { readonly conversation: unknown; readonly place: string }>>;
  /** Fields of a native part that stay when an image or file becomes text. @default ['cache_control', 'x_unknown'] */
  readonly keptFields?: readonly string[];
  /**
   * Native conversations with every part and field of the form, known and unknown. Wherever `unique` or `uniqueData` stand in one, the law
   * puts a text of its own, by which it finds again what came back.
   */
  readonly conversations: fc.Arbitrary<Conversation>;
  /** The ids that the codec makes up for calls without one; they may differ when what it made is read again. @default none */
  readonly madeUpIds?: RegExp;
  /** Number of generated conversations. @default 100 */
  readonly runs?: number;
}

/**
 * The conformance suite of a codec. Its laws: untouched messages come back as the same objects; an edit changes only what it names; a
 * conversation that has grown begins with what was sent before; a message read by itself says the same; a snapshot changes nothing; no input
 * is modified; messages without a provider become ones that keep its rules; all that another form loses is named. Needs the globals of jest.
 */
export function testCodec<Conversation>(suite: CodecSuite<Conversation>): void {
  const { name, codec, fixtures, refused = {}, runs = 100 } = suite;

  describe(`${name} keeps the laws of a codec`, () => {
    for (const [title, fixture] of Object.entries(fixtures)) {
      describe(title, () => {
        const native = deepFreeze(structuredClone(fixture));
        const messages = () => deepFreeze(codec.toMessages(native));

        test('becomes messages that core accepts', () => {
          messages().forEach((message, index) => {
            expect(parseMessage(message, index)).toBe(message);
          });
        });
        test('comes back as the same objects', () =>
          expectSame(suite, codec.fromMessages(messages()), native));
        test('survives a snapshot', () => {
          expect(codec.fromMessages(structuredClone(messages()))).toEqual(structuredClone(native));
        });
        test('keeps every field that an edit does not name', () => {
          for (const edit of editsOf(messages())) expectOnlyEdited(suite, messages(), edit, native);
        });
        test('keeps the others when messages are dropped', () => {
          for (const [dropped, kept] of drops(messages())) expectOthersSame(suite, kept, native, dropped);
        });
        test('keeps the others when reasoning is taken away', () =>
          expectOnlyReasoningGone(suite, messages(), native));
        test('loses nothing', () => {
          expect(codec.losses(messages())).toEqual([]);
        });
        test('reads each message by itself as it does among the others', () =>
          expect(readAlone(codec, messages())).toEqual(messages().map((one) => [spoken(one)])));
        test('begins with what was sent before, whatever was dropped', () => {
          const whole = exchangesOf(messages());
          fc.assert(
            fc.property(fc.subarray(whole), (kept) => expectExtended(suite, kept.flat())),
            { numRuns: runs, examples: [[whole]] },
          );
        });
      });
    }

    test('builds what the provider accepts', () => {
      fc.assert(
        fc.property(portableTranscript, (messages) => {
          const native = deepFreeze(codec.fromMessages(deepFreeze(messages)));
          expect(codec.validate(native)).toEqual([]);
          const decoded = codec.toMessages(native);
          expect(decoded.flatMap(said)).toEqual(messages.flatMap(said));
          expectSame(suite, codec.fromMessages(deepFreeze(decoded)), native);
          expect(codec.losses(decoded)).toEqual([]);
          expect(readAlone(codec, decoded)).toEqual(decoded.map((one) => [spoken(one)]));
        }),
        { numRuns: runs },
      );
    });

    test('begins with what was sent before', () => {
      fc.assert(
        fc.property(portableTranscript, (messages) => expectExtended(suite, messages)),
        { numRuns: runs },
      );
    });

    test('names all that is lost on the way through another form, and nothing else', () => {
      fc.assert(
        fc.property(suite.conversations, (conversation) => {
          expect(lossProblems(codec, deepFreeze(conversation))).toEqual([]);
        }),
        { numRuns: runs },
      );
    });

    test.each(Object.entries(refused))('refuses %s', (_title, { conversation, place }) => {
      const error = thrownBy(() => codec.toMessages(conversation as Conversation));
      expect(CtxError.isInstance(error) && { code: error.code, place: error.place }).toEqual({
        code: 'native-invalid',
        place,
      });
    });
  });
}

function expectSame<C>({ nativesOf }: CodecSuite<C>, result: C, native: C): void {
  expect(result).toEqual(native);
  const results = nativesOf(result);
  nativesOf(native).forEach((one, index) => {
    expect(results[index] === one).toBe(true);
  });
}

function expectOnlyEdited<C>(
  suite: CodecSuite<C>,
  messages: readonly Message[],
  edit: PartEdit,
  native: C,
): void {
  const { codec, nativesOf, keptFields = ['cache_control', 'x_unknown'] } = suite;
  const edited = deepFreeze(apply(messages, edit));
  const result = codec.fromMessages(edited);
  expect(runsOf(codec.toMessages(result), suite)).toEqual(runsOf(edited, suite));
  expect(codec.fromMessages(structuredClone(edited))).toEqual(structuredClone(result));

  const [before, after] = [nativesOf(native), nativesOf(result)];
  expect(before.filter((one, index) => one !== after[index])).toHaveLength(1);
  const field = commonPath(differences(before, after));
  const wasText = partsOf(messages[edit.message] as Message)[edit.part]?.type === edit.replaced.type;
  if (wasText) expect(typeof field.at(-1)).toBe('string');
  else expect(pick(at(after, field), keptFields)).toEqual(pick(at(before, field), keptFields));
}

/** Every block that is left is the same object as before, and there is no other block. */
function expectOnlyReasoningGone<C>(suite: CodecSuite<C>, messages: readonly Message[], native: C): void {
  const { codec, blocksOf = suite.nativesOf } = suite;
  const originals = new Set(blocksOf(native).map(blockOf));
  const silent = messages.map((message) => {
    const rest = partsOf(message).filter(({ type }) => type !== 'reasoning');
    return rest.length === partsOf(message).length ? message : ({ ...message, content: rest } as Message);
  });
  const result = codec.fromMessages(deepFreeze(silent.filter(({ content }) => content.length > 0)));
  const left = blocksOf(result).map(blockOf);
  expect(left.every((block) => typeof block === 'string' || originals.has(block))).toBe(true);
}

/** Returns the block of a pair of role and block. */
function blockOf(one: unknown): unknown {
  return Array.isArray(one) ? one[1] : one;
}

/** After a request that ended with a user's or a tool's message, the next one begins with what was sent. */
function expectExtended<C>(suite: CodecSuite<C>, messages: readonly Message[]): void {
  const { codec, blocksOf = suite.nativesOf } = suite;
  const all = blocksOf(codec.fromMessages(messages));
  messages.forEach(({ role, native }, index) => {
    const next = messages[index + 1];
    if (
      next === undefined ||
      next.role === 'system' ||
      role === 'assistant' ||
      sameNative(native, next.native)
    )
      return;
    const before = blocksOf(codec.fromMessages(messages.slice(0, index + 1)));
    expect(all.slice(0, before.length)).toEqual(before);
  });
}

/** True for two messages that come from one native message: neither is ever sent without the other. */
function sameNative(one: unknown, other: unknown): boolean {
  return isObject(one) && isObject(other) && one.message !== undefined && one.message === other.message;
}

type Path = readonly (string | number)[];

/** The places at which two JSON values differ. */
function differences(before: unknown, after: unknown, path: Path = []): Path[] {
  if (Object.is(before, after)) return [];
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    differences(before[key], after[key], [...path, Array.isArray(before) ? Number(key) : key]),
  );
}

function commonPath([first = [], ...others]: readonly Path[]): Path {
  const end = first.findIndex((key, index) => others.some((path) => path[index] !== key));
  return end < 0 ? first : first.slice(0, end);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((found, key) => (isObject(found) ? found[key] : undefined), value);
}

function pick(value: unknown, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, isObject(value) ? value[key] : undefined]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** At most one native message changes: the one of which a part was dropped and a part stays. */
function expectOthersSame<C>(
  suite: CodecSuite<C>,
  kept: readonly Message[],
  native: C,
  dropped: readonly Message[],
): void {
  const originals = new Set(suite.nativesOf(native));
  const result = suite.codec.fromMessages(deepFreeze([...kept]));
  const changed = suite.nativesOf(result).filter((one) => one !== undefined && !originals.has(one));
  expect(changed.length).toBeLessThanOrEqual(dropped.length > 1 || dropped[0]?.role === 'user' ? 1 : 0);
  expect(runsOf(suite.codec.toMessages(result), suite)).toEqual(runsOf(kept, suite));
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
