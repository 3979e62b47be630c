import { type Codec, CtxError, type Message, outputText, parseMessage, partsOf } from '@ctx/core';
import fc from 'fast-check';
import {
  type CodecUnderTest,
  editsOf,
  expectEdited,
  expectExtended,
  expectOnlyEdited,
  expectOnlyReasoningGone,
  expectOthersSame,
  expectOthersStay,
  expectSame,
  expectUnnamed,
  isOfText,
} from './codec-laws.js';
import { deepFreeze } from './deep-freeze.js';
import { type Deviation, exceptionsOf } from './deviation.js';
import { spoiled } from './nonsense.js';
import { portableTranscript } from './portable-transcript.js';
import { numbered } from './values.js';

/** What each message says when it is read by itself, later, and only the messages before it are known. */
function readAlone<C>(codec: Codec<C>, messages: readonly Message[]) {
  return messages.map((message, index) =>
    codec.toMessages(codec.fromMessages([message]), { after: messages.slice(0, index) }).map(spoken),
  );
}

/** What a message says, and what an edit may do with it. */
function spoken(message: Message) {
  const { role, pinned = false, summary = false } = message;
  return { role, pinned, summary, parts: partsOf(message) };
}

/** The content of a message, in the same form for every provider. */
function said(message: Message): unknown[] {
  return partsOf(message).map((part) => {
    if (part.type === 'tool-call') return { id: part.toolCallId, name: part.toolName, input: part.input };
    if (part.type === 'tool-result')
      return { id: part.toolCallId, name: part.toolName, output: outputText(part.output) };
    return { role: message.role, ...part };
  });
}

/** A message with its results, or a message alone. */
function exchangesOf(messages: readonly Message[]): Message[][] {
  const starts = [...messages.keys()].filter((at) => at === 0 || messages[at]?.role !== 'tool');
  return starts.map((start, nth) => messages.slice(start, starts[nth + 1]));
}

/** The messages without one exchange, for each of them. */
function drops(messages: readonly Message[]): [Message[], Message[]][] {
  return exchangesOf(messages).map((dropped) => [
    dropped,
    messages.filter((message) => !dropped.includes(message)),
  ]);
}

export interface CodecSuite<Conversation> extends CodecUnderTest<Conversation> {
  readonly name: string;
  /** Native conversations, each named by what is special about it. Every law is checked on each of them. */
  readonly fixtures: Readonly<Record<string, Conversation>>;
  /** Conversations that must be refused, each named by what is wrong with it, and the place that the error names. */
  readonly refused?: Readonly<Record<string, { readonly conversation: unknown; readonly place: string }>>;
  /**
   * Native conversations with every part and field of the form, known and unknown. Wherever `unique` or `uniqueData` are in one, the law
   * puts a text of its own, by which it finds again what came back.
   */
  readonly conversations: fc.Arbitrary<Conversation>;
  /** The laws that the codec does not keep, each with the reason; they are not checked. @default none */
  readonly deviations?: readonly Deviation<CodecLaw>[];
}

function expectAccepted(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) expect(parseMessage(message, index)).toBe(message);
}

/** The laws that hold for every conversation that can be read, whether or not its provider would accept it. */
function expectLawful<C>(suite: CodecUnderTest<C>, native: C): void {
  const { codec } = suite;
  const messages = deepFreeze(codec.toMessages(native));
  expectAccepted(messages);
  expectSame(suite, codec.fromMessages(messages), native);
  expect(codec.fromMessages(structuredClone(messages))).toEqual(structuredClone(native));
  for (const edit of editsOf(messages).filter(isOfText)) expectEdited(suite, messages, edit, native);
  for (const [dropped, kept] of drops(messages)) expectOthersStay(suite, kept, native, dropped.length);
  expect(codec.losses(messages)).toEqual([]);
  expectExtended(suite, messages);
}

/** A task succeeds, or throws an error that says what is wrong. */
function expectTyped(task: () => unknown): void {
  const error = thrownBy(task);
  if (error !== undefined && !CtxError.isInstance(error)) throw error;
}

/** Generated conversations for each law. */
const runs = 100;
const holds = <T>(values: fc.Arbitrary<T>, check: (value: T) => void, examples: [T][] = []) =>
  fc.assert(fc.property(values, check), { numRuns: runs, examples });

/** The laws of a conversation that the provider accepts. */
function fixtureLaws<C>(suite: CodecUnderTest<C>, fixture: C) {
  const { codec } = suite;
  const native = deepFreeze(structuredClone(fixture));
  const messages = () => deepFreeze(codec.toMessages(native));
  return {
    'becomes messages that core accepts': () => expectAccepted(messages()),
    'comes back as the same objects': () => expectSame(suite, codec.fromMessages(messages()), native),
    'survives a snapshot': () =>
      expect(codec.fromMessages(structuredClone(messages()))).toEqual(structuredClone(native)),
    'keeps every field that an edit does not name': () => {
      for (const edit of editsOf(messages())) expectOnlyEdited(suite, messages(), edit, native);
    },
    'keeps the others when messages are dropped': () => {
      for (const [dropped, kept] of drops(messages())) expectOthersSame(suite, kept, native, dropped);
    },
    'keeps the others when reasoning is taken away': () => expectOnlyReasoningGone(suite, messages(), native),
    'loses nothing': () => expect(codec.losses(messages())).toEqual([]),
    'tells calls without ids apart': () => expectUnnamed(suite, messages()),
    'reads each message by itself as it does among the others': () =>
      expect(readAlone(codec, messages())).toEqual(messages().map((one) => [spoken(one)])),
    'begins with what was sent before, whatever was dropped': () => {
      const whole = exchangesOf(messages());
      holds(fc.subarray(whole), (kept) => expectExtended(suite, kept.flat()), [[whole]]);
    },
  };
}

/** Only in a fixture is one field sure to be all that an edit changes; and where reasoning leaves, Google wants a placeholder for its signature on a call. */
const ofFixtures: ReadonlySet<string> = new Set([
  'keeps every field that an edit does not name',
  'keeps the others when reasoning is taken away',
]);

/** The laws of conversations that are generated, in the provider's form and in core's. */
function conversationLaws<C>(suite: CodecUnderTest<C> & Pick<CodecSuite<C>, 'conversations'>) {
  const { codec, conversations } = suite;
  return {
    'keeps these laws on any conversation': () =>
      holds(conversations, (template) => expectLawful(suite, deepFreeze(numbered(template)))),
    'keeps all of them on any that its provider accepts': () =>
      holds(conversations, (template) => {
        const native = numbered(template);
        if (codec.validate(native).length > 0) return;
        const laws = fixtureLaws(suite, native);
        for (const [name, law] of Object.entries(laws)) if (!ofFixtures.has(name)) law();
      }),
    'answers nonsense with a typed error': () => {
      const messages = conversations.map((template) => codec.toMessages(numbered(template)));
      holds(fc.tuple(spoiled(conversations), spoiled(messages)), ([native, some]) => {
        expectTyped(() => codec.fromMessages(codec.toMessages(native as C)));
        expectTyped(() => codec.validate(native as C));
        if (Array.isArray(some)) expectTyped(() => codec.fromMessages(some.map(parseMessage)));
      });
    },
    'builds what the provider accepts': () =>
      holds(portableTranscript, (messages) => {
        const native = deepFreeze(codec.fromMessages(deepFreeze(messages)));
        expect(codec.validate(native)).toEqual([]);
        const decoded = codec.toMessages(native);
        expect(decoded.flatMap(said)).toEqual(messages.flatMap(said));
        expectSame(suite, codec.fromMessages(deepFreeze(decoded)), native);
        expect(codec.losses(decoded)).toEqual([]);
        expect(readAlone(codec, decoded)).toEqual(decoded.map((one) => [spoken(one)]));
      }),
    'begins with what was sent before': () =>
      holds(portableTranscript, (messages) => expectExtended(suite, messages)),
  };
}

export type CodecLaw = keyof (ReturnType<typeof fixtureLaws> & ReturnType<typeof conversationLaws>);

/**
 * The conformance suite of a codec. Its laws: untouched messages come back as the same objects; an edit changes only what it names; a
 * conversation that has grown begins with what was sent before; a message read by itself says the same; a snapshot changes nothing; no input
 * is modified; messages without a provider become ones that keep its rules; all that another form loses is named. Needs the globals of jest.
 */
export function testCodec<Conversation>(suite: CodecSuite<Conversation>): void {
  const { name, codec, fixtures, refused = {}, deviations = [] } = suite;
  const check = (laws: Readonly<Record<string, () => void>>) => {
    for (const [kept, law] of Object.entries(laws))
      if (deviations.every((deviation) => deviation.law !== kept)) test(kept, law);
  };

  describe(`${name} keeps the laws of a codec${exceptionsOf(deviations)}`, () => {
    for (const [title, fixture] of Object.entries(fixtures))
      describe(title, () => check(fixtureLaws(suite, fixture)));
    check(conversationLaws(suite));

    for (const [title, { conversation, place }] of Object.entries(refused)) {
      test(`refuses ${title}`, () => {
        const error = thrownBy(() => codec.toMessages(conversation as Conversation));
        expect(CtxError.isInstance(error) && { code: error.code, place: error.place }).toEqual({
          code: 'native-invalid',
          place,
        });
      });
    }
  });
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
