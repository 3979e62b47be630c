import { isDeepStrictEqual } from 'node:util';
import type { Message, Part } from '@ctx/core';
import { type ExpectedEntry, type ExpectedPart, partNow, partsIn } from './expected-view.js';
import type { FuzzConfig } from './setup.js';
import type { Subject } from './subject.js';

/** True if a message of the view is the one that an entry expects, whatever was cut out of it. */
export function standsFor(message: Message, { origins, merged, parts }: ExpectedEntry): boolean {
  if (merged !== undefined)
    return message.role === 'user' && message.summary === true && message.metadata === undefined;
  const said = origins[0]?.message as Message;
  if (message === said) return true;
  if (message.role !== said.role) return false;
  if (said.metadata !== undefined || message.metadata !== undefined)
    return message.metadata?.tag === said.metadata?.tag;
  const calls = parts.map(({ said: part }) => ('toolCallId' in part ? part.toolCallId : ''));
  return partsIn(message).every((part) => 'toolCallId' in part && calls.includes(part.toolCallId));
}

/** True for an entry that may be missing, because its reasoning is hidden. */
export function saysNothingButReasoning({ origins, merged, parts }: ExpectedEntry): boolean {
  if (merged !== undefined || origins[0]?.message.role !== 'assistant') return false;
  const rest = parts.filter(({ said }) => said.type !== 'reasoning');
  return (
    rest.length < parts.length &&
    rest.every(({ said, text }) => said.type === 'text' && (text ?? said.text).trim() === '')
  );
}

/** Checks that a message of the view says what its entry expects, and that an untouched one is the very object. */
export function checkMessage(
  { book, setup, isRestored }: Subject,
  entry: ExpectedEntry,
  message: Message,
): void {
  const { id, origins, merged, parts } = entry;
  if (merged !== undefined) {
    book.holds('edited-as-recorded', message.content === merged, 'a summary says something else');
    return;
  }
  const original = origins[0]?.message as Message;
  const isEdited = parts.length !== partsIn(original).length || parts.some(({ text }) => text !== undefined);
  const thinks = message.role === 'assistant' && parts.some(({ said }) => said.type === 'reasoning');
  const shows = partsIn(message).some(({ type }) => type === 'reasoning');
  if (thinks) book.check('reasoning', reasoningProblem(shows, isEdited, setup.config.reasoning));
  if (!isEdited && (!thinks || shows)) {
    book.holds('same-object', message === original, `"${id}" is another object`);
    return;
  }
  // What is pinned and holds only a thought is said as text.
  if (!shows && saysNothingButReasoning(entry)) {
    const thoughts = parts.flatMap(({ said }) => (said.type === 'reasoning' ? [said.text] : []));
    const texts = partsIn(message).map((part) => (part.type === 'text' ? part.text : undefined));
    const due = thoughts.filter((text) => text.trim() !== '');
    book.holds('pinned-stays', isDeepStrictEqual(texts, due), `"${id}" does not say its thought`);
    return;
  }
  const due = shows ? parts : parts.filter(({ said }) => said.type !== 'reasoning');
  const sent = partsIn(message);
  if (sent.length !== due.length)
    book.check('edited-as-recorded', `"${id}" has ${sent.length} parts in place of ${due.length}`);
  const mayBeEqual = isRestored || typeof original.content === 'string';
  due.forEach((part, at) => {
    const law = part.text === undefined ? 'same-object' : 'edited-as-recorded';
    const isDue = isAsDue(sent[at] as Part, part, mayBeEqual);
    book.check(law, isDue ? undefined : `part ${at} of "${id}" is ${JSON.stringify(sent[at]).slice(0, 200)}`);
  });
}

function reasoningProblem(
  shows: boolean,
  isEdited: boolean,
  mode: FuzzConfig['reasoning'],
): string | undefined {
  if (mode === 'dropped') return shows ? 'reasoning is sent though none is to be' : undefined;
  if (mode === 'kept') return shows ? undefined : 'reasoning is hidden though all is kept';
  return shows && isEdited ? 'reasoning of a message that was edited is sent' : undefined;
}

function isAsDue(sent: Part, { said, text }: ExpectedPart, mayBeEqual: boolean): boolean {
  if (text === undefined) return mayBeEqual ? isDeepStrictEqual(sent, said) : sent === said;
  if (said.type !== 'tool-result') return isDeepStrictEqual(sent, partNow({ said, text }));
  const isSame =
    sent.type === 'tool-result' && sent.toolCallId === said.toolCallId && sent.isError === said.isError;
  return isSame && outputHolds(sent.output, text);
}

function outputHolds(output: Extract<Part, { type: 'tool-result' }>['output'], text: string): boolean {
  if (typeof output === 'string') return output === text;
  if (output.type === 'content') return isDeepStrictEqual(output.value, [{ type: 'text', text }]);
  return output.value === text || isDeepStrictEqual(output.value, jsonOf(text));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
