import { type Codec, type Message, parseMessage } from '@ctx/core';
import { nativeInvalid } from '@ctx/core/codec';
import { assistant, call, result, testCodec, transcript, user } from '@ctx/testing';
import fc from 'fast-check';
import type { CodecLaw, CodecSuite } from '../src/codec-suite.js';

/** The form of core itself. */
const plain: Codec<Message[]> = {
  name: 'plain',
  toMessages: (messages) => {
    if (!Array.isArray(messages))
      throw nativeInvalid('A list was expected', 'messages', messages, 'Give one.');
    return messages.map(parseMessage);
  },
  fromMessages: (messages) => [...messages],
  validate: () => [],
  losses: () => [],
};
/** It looks at nothing that it is given. */
const careless: Codec<Message[]> = { ...plain, toMessages: (messages) => [...messages] };
/** What it returns is never the same object. */
const copying: Codec<Message[]> = {
  ...plain,
  fromMessages: (messages) => messages.map((one) => ({ ...one })),
};

const talk = transcript(user('why?'), call('a', 'read'), result('a', 'A'), assistant('so'));
const suiteOf = (codec: Codec<Message[]>): CodecSuite<Message[]> => ({
  name: codec.name,
  codec,
  fixtures: { talk },
  nativesOf: (messages) => messages,
  conversations: fc.constant(talk),
});
/** Every law that needs the very objects. */
const needObjects: readonly CodecLaw[] = [
  'comes back as the same objects',
  'keeps every field that an edit does not name',
  'keeps the others when messages are dropped',
  'keeps the others when reasoning is taken away',
  'keeps these laws on any conversation',
  'keeps all of them on any that its provider accepts',
  'builds what the provider accepts',
];
const withDeviations = {
  ...suiteOf(copying),
  deviations: needObjects.map((law) => ({ law, reason: 'it copies' })),
};

testCodec(suiteOf(plain));
testCodec(withDeviations);

/** The titles of a suite, and its tests by their titles. */
function testsOf(suite: CodecSuite<Message[]>) {
  const titles: string[] = [];
  const tests = new Map<string, () => void>();
  const { describe, test } = globalThis;
  Object.assign(globalThis, {
    describe: (title: string, run: () => void) => {
      titles.push(title);
      run();
    },
    test: (title: string, check: () => void) => void tests.set(title, check),
  });
  try {
    testCodec(suite);
  } finally {
    Object.assign(globalThis, { describe, test });
  }
  return { titles, tests };
}

function fails(check: () => void): boolean {
  try {
    check();
  } catch {
    return true;
  }
  return false;
}

test('a law that is not kept fails, and is not checked where a deviation says so', () => {
  const { tests } = testsOf(suiteOf(copying));
  const failing = [...tests].flatMap(([title, check]) => (fails(check) ? [title] : []));
  expect(failing.sort()).toEqual([...needObjects].sort());
  const declared = testsOf(withDeviations);
  expect([...declared.tests.keys()].filter((title) => needObjects.includes(title as CodecLaw))).toEqual([]);
  expect(declared.tests.size).toBe(tests.size - needObjects.length);
  expect(declared.titles[0]).toContain(', but not "comes back as the same objects", because it copies');
});

test('a codec that fails on nonsense without a typed error is found', () => {
  const { tests } = testsOf(suiteOf(careless));
  expect(fails(tests.get('answers nonsense with a typed error') ?? (() => {}))).toBe(true);
});

test('each conversation that must be refused is a test, and there may be none', () => {
  const refused = { 'a text': { conversation: 'hi', place: 'messages' } };
  const { tests } = testsOf({ ...suiteOf(careless), refused });
  expect(fails(tests.get('refuses a text') ?? (() => {}))).toBe(true);
  expect([...testsOf(suiteOf(plain)).tests.keys()].filter((title) => title.startsWith('refuses'))).toEqual(
    [],
  );
});
