import { anthropicCodec } from '@ctx/codec-anthropic';
import { googleCodec } from '@ctx/codec-google';
import { openaiCodec } from '@ctx/codec-openai';
import type { Codec } from '@ctx/core';
import { unique, uniqueData } from '@ctx/testing';
import fc from 'fast-check';
import { anyChat } from './any-chat.js';
import { anyContents } from './any-contents.js';
import { anyTurns } from './any-turns.js';
import { Random } from './random.js';

interface Form {
  readonly codec: Codec<unknown>;
  /** Its native conversations. */
  readonly any: fc.Arbitrary<unknown>;
  nativesOf(conversation: unknown): readonly unknown[];
  /** What the provider reads, without the borders between messages and without the system prompt. */
  blocksOf(conversation: unknown): readonly unknown[];
  /** The form that its conversations are translated to. */
  readonly other: FormName;
}

export type FormName = 'chat' | 'messages' | 'generate';

const list = (conversation: unknown) => conversation as unknown[];
const turnsOf = (conversation: unknown) =>
  (conversation as { messages: { role: string; content: unknown }[] }).messages;
const contentsOf = (conversation: unknown) =>
  (conversation as { contents: { role?: string; parts?: unknown[] }[] }).contents;

/** The native forms, each with its codec. */
export const forms: Readonly<Record<FormName, Form>> = {
  chat: {
    codec: openaiCodec as Codec<unknown>,
    any: anyChat,
    nativesOf: list,
    blocksOf: list,
    other: 'messages',
  },
  messages: {
    codec: anthropicCodec as Codec<unknown>,
    any: anyTurns,
    nativesOf: turnsOf,
    blocksOf: (conversation) =>
      turnsOf(conversation).flatMap(({ role, content }) =>
        (Array.isArray(content) ? content : [{ type: 'text', text: content }]).map((block) => ({
          role,
          block,
        })),
      ),
    other: 'chat',
  },
  generate: {
    codec: googleCodec as Codec<unknown>,
    any: anyContents,
    nativesOf: contentsOf,
    blocksOf: (conversation) =>
      contentsOf(conversation).flatMap(({ role, parts = [] }) => parts.map((part) => ({ role, part }))),
    other: 'messages',
  },
};

interface Case {
  readonly form: FormName;
  readonly conversation: unknown;
  readonly random: Random;
}

/** The conversation of a seed, and what chooses the changes to it. */
export function caseOf(seed: number): Case {
  const random = new Random(seed);
  const form = random.pick(Object.keys(forms) as FormName[]);
  const [conversation] = fc.sample(forms[form].any, { numRuns: 1, seed: random.next() | 0 });
  return { form, conversation: withTexts(conversation), random };
}

/** A native conversation with a text of its own in each place for one. */
function withTexts(conversation: unknown): unknown {
  let count = 0;
  const text = () => `text-${count++}`;
  const json = JSON.stringify(conversation)
    .replaceAll(unique, text)
    .replaceAll(uniqueData, () => btoa(text()));
  return JSON.parse(json);
}

/** The conversation of a seed, for printing. */
export function conversationOf(seed: number): unknown {
  const { form, conversation } = caseOf(seed);
  return { form, conversation };
}
