import type { Message, TranscriptMessage } from '@ctx/core';
import { partsIn } from './expected-view.js';

/** The newest message of the user's. */
export function newestUserIn(transcript: readonly TranscriptMessage[]): TranscriptMessage | undefined {
  return transcript.findLast(({ message }) => message.role === 'user' && message.summary !== true);
}

/**
 * The user's message that the work at hand is for. The user's messages come in runs. The first run sets a task; so does one after the
 * assistant's last word on the task before, unless it begins with no more than a nod. The task is the last of its run that no program wrote.
 */
export function taskIn(transcript: readonly TranscriptMessage[]): TranscriptMessage | undefined {
  const all = transcript.filter(({ message }) => message.role !== 'system' && message.summary !== true);
  const persons = all.filter((one) => one.message.role !== 'user' || !isOfProgram(one));
  if (!persons.some(({ message }) => message.role === 'user'))
    return all.find(({ message }) => message.role === 'user');
  const isUser = (at: number) => persons[at]?.message.role === 'user';
  const starts = [...persons.keys()].filter((at) => isUser(at) && !isUser(at - 1));
  const start = starts.findLast(
    (at) => at === starts[0] || (hasEnded(persons[at - 1]) && !isNod(persons[at])),
  );
  if (start === undefined) return undefined;
  const end = persons.findIndex((_, at) => at > start && !isUser(at));
  const run = persons.slice(start, end < 0 ? persons.length : end);
  return run.findLast((one, at) => at === 0 || !isNote(one));
}

function hasEnded(said: TranscriptMessage | undefined): boolean {
  return said?.message.role === 'assistant' && !hasCalls(said.message);
}

/** Knows the nods that the generators of texts and messages make: `so` and `of` alone set no task either. */
function isNod(said: TranscriptMessage | undefined): boolean {
  // Who shows something does not only agree.
  if (said !== undefined && partsIn(said.message).some(({ type }) => type === 'image' || type === 'file'))
    return false;
  const rest = textIn(said).replace(/\b(?:ok|yes|thanks|go on|again|so|of)\b|好的/g, '');
  return !/\p{L}/u.test(rest);
}

/** Knows the elements that the generator of texts makes. */
function isOfProgram(said: TranscriptMessage): boolean {
  const text = textIn(said).trim();
  const name = /^<([\w-]{3,40})>/.exec(text)?.[1];
  const isPicture = partsIn(said.message).some(({ type }) => type === 'image' || type === 'file');
  return (
    !isPicture && (text === '' || (name !== undefined && /[-_]/.test(name) && text.endsWith(`</${name}>`)))
  );
}

function isNote(said: TranscriptMessage): boolean {
  const text = textIn(said).trim();
  return text.startsWith('[') && text.includes('\n') && text.indexOf(']') === text.indexOf('\n') - 1;
}

function textIn(said: TranscriptMessage | undefined): string {
  const parts = said === undefined ? [] : partsIn(said.message);
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** The messages after the newest assistant message, and its own exchange if it called tools. */
export function unreadIn(transcript: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  const newest = transcript.findLastIndex(({ message }) => message.role === 'assistant');
  if (newest < 0) return [];
  return transcript.slice(hasCalls((transcript[newest] as TranscriptMessage).message) ? newest : newest + 1);
}

function hasCalls(message: Message): boolean {
  return partsIn(message).some(({ type }) => type === 'tool-call');
}
