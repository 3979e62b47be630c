import { finish, type Message } from '@ctx/core';
import { transcript } from '@ctx/testing';
import { ConversationIndex } from '../src/conversation-index.js';
import { type ExcerptOptions, excerptOf } from '../src/excerpt.js';
import { sectionsOf } from '../src/sections.js';
import { sourcesIn } from '../src/sources-in.js';
import { TermIndex } from '../src/terms/term-index.js';
import { unitsOf } from '../src/units.js';

/** The sections of a conversation. */
export const sectionsIn = (messages: readonly Message[]) =>
  sectionsOf(transcript(...messages).map((message, index) => ({ message, index })));

/** What an excerpt of a conversation is chosen from. */
export function read(messages: readonly Message[]) {
  const index = new ConversationIndex();
  finish(index.read(messages));
  return { index, sources: finish(sourcesIn(index, () => true)) };
}

/** An excerpt of what was read. A token is four characters. */
export function excerptFrom(
  { index, sources }: ReturnType<typeof read>,
  excerptTokens: number,
  more: Partial<ExcerptOptions> = {},
) {
  const { size } = index.terms;
  return excerptOf(sources, {
    index,
    weights: finish(index.use.weights(index.terms, size)),
    held: new Uint8Array(size),
    excerptTokens,
    usersTokens: 0,
    olderLength: 1_000_000,
    tokensPerCharacter: 0.25,
    tokensOf: (text) => Math.ceil(text.length / 4),
    ...more,
  });
}

/** The units of what a tool printed. */
export const unitsIn = (text: string) =>
  finish(unitsOf({ text, message: 0, voice: 'tool' }, 0, new TermIndex()));
