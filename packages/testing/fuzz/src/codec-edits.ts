import { isDeepStrictEqual } from 'node:util';
import type { Codec, Message, Part } from '@ctx/core';
import { deepFreeze } from '@ctx/testing';
import type { LawBook } from './laws.js';
import type { Random } from './random.js';
import { difference } from './restore-laws.js';

/** Checks that all other parts stay the same if one part gets another text. */
export function checkEdits(
  book: LawBook,
  codec: Codec<unknown>,
  messages: readonly Message[],
  random: Random,
): void {
  const candidates = messages.flatMap((message, at) =>
    typeof message.content === 'string'
      ? [{ at, part: 0 }]
      : message.content.flatMap((one, part) => (mayChange(one) ? [{ at, part }] : [])),
  );
  if (candidates.length === 0) return;
  const { at, part } = random.pick(candidates);
  const edited = messages.with(at, changed(messages[at] as Message, part));
  const decoded = codec.toMessages(codec.fromMessages(deepFreeze(edited)));
  const [one, other] = [edited, decoded].map((all) => all.map(({ content, role }) => ({ role, content })));
  book.check(
    'codec-edits-named-only',
    isDeepStrictEqual(plain(one), plain(other))
      ? undefined
      : `part ${part} of message ${at}: ${difference(plain(one), plain(other))}`,
  );
}

function mayChange(part: Part): boolean {
  return part.type === 'text' || part.type === 'tool-result';
}

function changed(message: Message, at: number): Message {
  if (typeof message.content === 'string') return { ...message, content: 'another text' } as Message;
  const content = message.content.map((part, index) => {
    if (index !== at) return part;
    if (part.type === 'text') return { ...part, text: 'another text' };
    return part.type === 'tool-result' ? { ...part, output: shorter(part.output) } : part;
  });
  return { ...message, content } as Message;
}

/** Replaces the text of an output as an edit does, in the form that the output had. */
function shorter(output: Extract<Part, { type: 'tool-result' }>['output']): typeof output {
  if (typeof output === 'string') return 'another text';
  if (output.type === 'content') return { ...output, value: [{ type: 'text', text: 'another text' }] };
  return { type: output.type.startsWith('error') ? 'error-text' : 'text', value: 'another text' };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
