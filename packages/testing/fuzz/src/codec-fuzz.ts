import { isDeepStrictEqual } from 'node:util';
import { type Codec, type Message, messageSchema } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import { deepFreeze } from '@ctx/testing';
import { errorProblem } from './bad-call.js';
import { caseOf, type FormName, forms } from './codec-cases.js';
import { checkEdits } from './codec-edits.js';
import { spoiled } from './garbage.js';
import { grouped } from './grouped.js';
import { type LawBook, LawBroken } from './laws.js';
import type { Random } from './random.js';
import { difference } from './restore-laws.js';
import type { Failure } from './run-history.js';

/** Checks a codec with the conversation of a seed. Returns the failure; undefined if all laws hold. */
export function codecFailure(seed: number, book: LawBook): Failure | undefined {
  const { form, conversation, random } = caseOf(seed);
  try {
    check(book, form, conversation, random);
    return undefined;
  } catch (error) {
    if (error instanceof LawBroken) return { law: error.law, detail: `${form}: ${error.detail}`, at: 0 };
    return {
      law: 'codec-typed-errors',
      detail: `${form}: ${error instanceof Error ? error.stack : String(error)}`,
      at: 0,
    };
  }
}

function check(book: LawBook, name: FormName, conversation: unknown, random: Random): void {
  const { codec, nativesOf } = forms[name];
  const text = JSON.stringify(conversation);
  const native = deepFreeze(conversation);
  const messages = deepFreeze(codec.toMessages(native));
  const back = codec.fromMessages(messages);
  book.check('codec-same-objects', isDeepStrictEqual(back, native) ? undefined : difference(native, back));
  const results = nativesOf(back);
  book.check(
    'codec-same-objects',
    nativesOf(native).every((one, at) => one === results[at])
      ? undefined
      : 'an untouched message is another object',
  );
  book.check(
    'codec-input-untouched',
    JSON.stringify(native) === text ? undefined : 'the conversation was changed',
  );
  book.each('codec-accepts', messages, (message) =>
    messageSchema.safeParse(message).success
      ? undefined
      : `core refuses ${JSON.stringify(message).slice(0, 200)}`,
  );
  const copy = JSON.parse(JSON.stringify(messages)) as Message[];
  book.check(
    'codec-snapshot',
    isDeepStrictEqual(codec.fromMessages(copy), JSON.parse(JSON.stringify(back)))
      ? undefined
      : 'a snapshot changes what is sent',
  );
  checkEdits(book, codec, messages, random);
  checkDrops(book, name, native, messages, random);
  checkCrossing(book, name, messages);
  checkGarbage(book, codec, native, messages, random);
}

/** Checks that, if whole exchanges leave, the others stay the same objects, and that a longer conversation begins with the shorter one. */
function checkDrops(
  book: LawBook,
  name: FormName,
  native: unknown,
  messages: readonly Message[],
  random: Random,
): void {
  const { codec, nativesOf, blocksOf } = forms[name];
  const exchanges = exchangesIn(messages);
  if (exchanges === undefined) return;
  const kept = exchanges.filter(() => random.chance(0.6));
  const rest = codec.fromMessages(kept.flat());
  const originals = new Set(nativesOf(native));
  const strange = nativesOf(rest).filter((one) => !originals.has(one));
  const halves = messages.length - kept.flat().length;
  book.check(
    'codec-drops-keep-others',
    strange.length <= halves ? undefined : `${strange.length} messages are new where ${halves} left`,
  );
  // The API rejects results that follow a text, so nothing is promised about them.
  if (codec.validate(native).some(({ rule }) => rule === 'tool-results-first')) return;
  const [last, before] = [kept.at(-1)?.[0], kept.at(-2)?.at(-1)];
  // Neighbouring assistant messages are one turn for the API, which expects thinking first.
  if (last?.role === 'assistant' && before?.role === 'assistant') return;
  const shorter = blocksOf(codec.fromMessages(kept.slice(0, -1).flat()));
  const longer = blocksOf(rest);
  const changedAt = shorter.findIndex((block, at) => !isDeepStrictEqual(block, longer[at]));
  book.check(
    'codec-grows-at-end',
    changedAt < 0
      ? undefined
      : `block ${changedAt} changes when more is said: ${difference(shorter[changedAt], longer[changedAt])}`,
  );
}

/** The messages grouped by exchange; undefined if core would reject them. */
function exchangesIn(messages: readonly Message[]): Message[][] | undefined {
  const transcript = new Transcript();
  try {
    for (const message of messages) transcript.append(message);
  } catch {
    return undefined;
  }
  if (transcript.length !== messages.length) return undefined;
  return grouped([...transcript], ({ exchange }) => exchange).map((group) =>
    group.map(({ message }) => message),
  );
}

/**
 * Checks the translation to the other provider: content without a form there is named as a loss, all texts are there, and translating
 * back gives the same result again.
 */
function checkCrossing(book: LawBook, from: FormName, messages: readonly Message[]): void {
  const { codec } = forms[forms[from].other];
  const native = deepFreeze(codec.fromMessages(messages));
  const losses = codec.losses(messages);
  const lost = new Set(losses.map(({ index }) => index));
  const there = JSON.stringify(native);
  book.each('codec-crosses', messages.entries(), ([index, message]) => {
    const missing = textsOf(message).find((text) => !there.includes(JSON.stringify(text).slice(1, -1)));
    return missing === undefined || lost.has(index)
      ? undefined
      : `${JSON.stringify(missing)} of message ${index} is neither there nor named as lost`;
  });
  const again = codec.toMessages(native);
  book.check(
    'codec-crosses-back',
    isDeepStrictEqual(codec.fromMessages(again), native)
      ? undefined
      : 'what came over does not come back as it is',
  );
  book.check(
    'codec-crosses-back',
    codec.losses(again).length === 0 ? undefined : 'what came over has losses with its own codec',
  );
}

function textsOf({ content }: Message): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));
}

function checkGarbage(
  book: LawBook,
  codec: Codec<unknown>,
  native: unknown,
  messages: readonly Message[],
  random: Random,
): void {
  const bad = spoiled(native, random);
  const badMessages = spoiled(messages, random) as Message[];
  for (const [what, run] of Object.entries({
    toMessages: () => codec.fromMessages(codec.toMessages(bad)),
    validate: () => codec.validate(bad),
    fromMessages: () =>
      Array.isArray(badMessages) &&
      badMessages.every((message) => messageSchema.safeParse(message).success) &&
      codec.fromMessages(badMessages),
  })) {
    book.check('codec-typed-errors', problemOf(what, run));
  }
}

function problemOf(what: string, run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    const problem = errorProblem(error);
    return problem && `${what}: ${problem}`;
  }
}
