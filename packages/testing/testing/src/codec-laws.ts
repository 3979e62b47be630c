import { type Codec, type Message, type Part, partsOf, type ToolOutput } from '@ctx/core';
import { equal } from '@ctx/core/codec';
import { deepFreeze } from './deep-freeze.js';

/** What each run of messages of one role says; a provider may put neighbours together. Ids that a codec makes up count as one. */
function runsOf<C>(messages: readonly Message[], { madeUpIds }: CodecUnderTest<C>): Part[][] {
  const runs: { readonly role: string; readonly parts: Part[] }[] = [];
  for (const message of messages) {
    const parts = partsOf(message).map((part) =>
      'toolCallId' in part && madeUpIds?.test(part.toolCallId) ? { ...part, toolCallId: 'made up' } : part,
    );
    const last = runs.at(-1);
    if (last?.role === message.role) last.parts.push(...parts);
    else runs.push({ role: message.role, parts });
  }
  return runs.map(({ parts }) => parts);
}

/** A codec, and where a test finds what it made. */
export interface CodecUnderTest<Conversation> {
  readonly codec: Codec<Conversation>;
  /** The native objects that must come back as they are: messages, and everything else in a conversation. */
  readonly nativesOf: (conversation: Conversation) => readonly unknown[];
  /** What the provider reads, in order. Neighbours of one role are put together. @default nativesOf */
  readonly blocksOf?: (conversation: Conversation) => readonly unknown[];
  /** Fields of a native part that stay when an image or file becomes text. @default ['cache_control', 'x_unknown'] */
  readonly keptFields?: readonly string[];
  /** The ids that the codec makes up for calls without one; they may differ when what it made is read again. @default none */
  readonly madeUpIds?: RegExp;
}

export function expectSame<C>({ nativesOf }: CodecUnderTest<C>, result: C, native: C): void {
  expect(result).toEqual(native);
  const results = nativesOf(result);
  nativesOf(native).forEach((one, index) => {
    expect(results[index] === one).toBe(true);
  });
}

/** An edit changes what it says and nothing else, also in what a snapshot kept. Returns the native conversation that it makes. */
export function expectEdited<C>(
  suite: CodecUnderTest<C>,
  messages: readonly Message[],
  edit: PartEdit,
  native: C,
): C {
  const { codec, nativesOf } = suite;
  const edited = deepFreeze(apply(messages, edit));
  const result = codec.fromMessages(edited);
  expect(runsOf(codec.toMessages(result), suite)).toEqual(runsOf(edited, suite));
  expect(codec.fromMessages(structuredClone(edited))).toEqual(structuredClone(result));
  expect(newIn(nativesOf(result), nativesOf(native)).length).toBeLessThanOrEqual(1);
  return result;
}

/** In the one native message that changes, all fields stay that the edit does not name. */
export function expectOnlyEdited<C>(
  suite: CodecUnderTest<C>,
  messages: readonly Message[],
  edit: PartEdit,
  native: C,
): void {
  const { nativesOf, keptFields = ['cache_control', 'x_unknown'] } = suite;
  const [before, after] = [nativesOf(native), nativesOf(expectEdited(suite, messages, edit, native))];
  expect(before.filter((one, index) => one !== after[index])).toHaveLength(1);
  const [name, was, is] = changedPlace(before, after);
  const wasText = edit.original.type === edit.replaced.type;
  if (wasText) expect(typeof name).toBe('string');
  else expect(pick(is, keptFields)).toEqual(pick(was, keptFields));
}

/** Calls without ids are told apart and answered in their order; edited or not, none of them is written with an id. */
export function expectUnnamed<C>(
  { codec, madeUpIds }: CodecUnderTest<C>,
  messages: readonly Message[],
): void {
  const unnamed = messages
    .flatMap(partsOf)
    .filter((part) => 'toolCallId' in part && madeUpIds?.test(part.toolCallId));
  const calls = unnamed.filter((part) => part.type === 'tool-call');
  const results = unnamed.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId));
  expect(ids.size).toBe(calls.length);
  if (results.some((id) => !ids.has(id))) expect([...ids].filter((id) => !results.includes(id))).toEqual([]);
  for (const name of new Set(calls.map(({ toolName }) => toolName))) {
    const own = calls.flatMap(({ toolName, toolCallId }) => (toolName === name ? [toolCallId] : []));
    const answered = results.filter((id) => own.includes(id));
    expect(answered).toEqual(own.slice(0, answered.length));
  }
  const edited = editsOf(messages).reduce((all, edit) => apply(all, edit), [...messages]);
  const written = JSON.stringify(codec.fromMessages(deepFreeze(edited)));
  expect([...ids].filter((id) => written.includes(JSON.stringify(id)))).toEqual([]);
}

/** Every block that is left is the same object as before, and there is no other block. */
export function expectOnlyReasoningGone<C>(
  suite: CodecUnderTest<C>,
  messages: readonly Message[],
  native: C,
): void {
  const { codec, blocksOf = suite.nativesOf } = suite;
  const originals = blocksOf(native).map(blockOf);
  const silent = messages.map((message) => {
    const rest = partsOf(message).filter(({ type }) => type !== 'reasoning');
    return rest.length === partsOf(message).length ? message : ({ ...message, content: rest } as Message);
  });
  const result = codec.fromMessages(deepFreeze(silent.filter(({ content }) => content.length > 0)));
  const left = blocksOf(result).map(blockOf);
  expect(left.every((block) => typeof block === 'string' || originals.includes(block))).toBe(true);
}

/** Returns the block of a pair of role and block. */
function blockOf(one: unknown): unknown {
  return Array.isArray(one) ? one[1] : one;
}

/** After a request that ended with a user's or a tool's message, the next one begins with what was sent. */
export function expectExtended<C>(suite: CodecUnderTest<C>, messages: readonly Message[]): void {
  const { codec, blocksOf = suite.nativesOf } = suite;
  const all = blocksOf(codec.fromMessages(messages));
  messages.forEach(({ role, native }, index) => {
    const next = messages[index + 1];
    if (next === undefined || next.role === 'system' || role === 'assistant') return;
    if (sameNative(native, next.native)) return;
    const before = blocksOf(codec.fromMessages(messages.slice(0, index + 1)));
    expect(all.slice(0, before.length)).toEqual(before);
  });
}

/** True for two messages that come from one native message: neither is ever sent without the other. */
function sameNative(one: unknown, other: unknown): boolean {
  return isObject(one) && isObject(other) && one.message !== undefined && one.message === other.message;
}

type Place = readonly [name: string | number | undefined, before: unknown, after: unknown];

/** The innermost place that has all differences of two JSON values in it. */
function changedPlace(before: unknown, after: unknown, name?: string | number): Place {
  const here: Place = [name, before, after];
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) return here;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const [key, other] = keys.filter((one) => !equal(before[one], after[one]));
  if (key === undefined || other !== undefined) return here;
  return changedPlace(before[key], after[key], Array.isArray(before) ? Number(key) : key);
}

function pick(value: unknown, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, isObject(value) ? value[key] : undefined]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The native objects that were not there before. */
function newIn(natives: readonly unknown[], before: readonly unknown[]): unknown[] {
  return natives.filter((one) => one !== undefined && !before.includes(one));
}

/** No more native messages change than messages are dropped: what was one native message may be halved. */
export function expectOthersStay<C>(
  { codec, nativesOf }: CodecUnderTest<C>,
  kept: readonly Message[],
  native: C,
  most: number,
): C {
  const result = codec.fromMessages(deepFreeze([...kept]));
  expect(newIn(nativesOf(result), nativesOf(native)).length).toBeLessThanOrEqual(most);
  return result;
}

/** At most one native message changes: the one of which a part was dropped and a part stays. */
export function expectOthersSame<C>(
  suite: CodecUnderTest<C>,
  kept: readonly Message[],
  native: C,
  dropped: readonly Message[],
): void {
  const most = dropped.length > 1 || dropped[0]?.role === 'user' ? 1 : 0;
  const result = expectOthersStay(suite, kept, native, most);
  expect(runsOf(suite.codec.toMessages(result), suite)).toEqual(runsOf(kept, suite));
}

/** A part of a message, and its replacement. */
export interface PartEdit {
  readonly message: number;
  readonly part: number;
  readonly original: Part;
  readonly replaced: Part;
}

/** One edit for every part that core lets an edit replace. */
export function editsOf(messages: readonly Message[]): PartEdit[] {
  return messages.flatMap((entry, message) =>
    partsOf(entry).flatMap((original, part) => {
      const replaced = replacement(original);
      return replaced === undefined ? [] : [{ message, part, original, replaced }];
    }),
  );
}

/** Whether the part was text or a result before, which every form can say. */
export const isOfText = ({ original }: PartEdit): boolean =>
  original.type === 'text' || original.type === 'tool-result';

function replacement(part: Part): Part | undefined {
  switch (part.type) {
    case 'text':
      return { ...part, text: '[shortened]' };
    case 'image':
    case 'file':
      return { type: 'text', text: '[removed]' };
    case 'tool-result':
      return { ...part, output: shorter(part.output) };
    case 'tool-call':
      return { ...part, input: { shortened: true } };
    case 'reasoning':
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

/** The output as core shortens it: a list stays a list, any other form becomes text. */
function shorter(output: ToolOutput): ToolOutput {
  const value = '[cleared]';
  if (typeof output === 'string') return value;
  return output.type === 'content'
    ? { type: 'content', value: [{ type: 'text', text: value }] }
    : { type: 'text', value };
}

/** The messages with one part replaced. */
function apply(messages: readonly Message[], { message, part, replaced }: PartEdit): Message[] {
  return messages.map((old, index) => {
    if (index !== message) return old;
    if (typeof old.content === 'string' && replaced.type === 'text')
      return { ...old, content: replaced.text } as Message;
    return { ...old, content: partsOf(old).map((one, at) => (at === part ? replaced : one)) } as Message;
  });
}
