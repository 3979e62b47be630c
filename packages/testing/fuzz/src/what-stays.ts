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
  const spoken = transcript.filter(({ message }) => message.role !== 'system' && message.summary !== true);
  const isUser = (at: number) => spoken[at]?.message.role === 'user';
  const starts = [...spoken.keys()].filter((at) => isUser(at) && !isUser(at - 1));
  const start = starts.findLast((at) => at === starts[0] || (hasEnded(spoken[at - 1]) && !isNod(spoken[at])));
  if (start === undefined) return undefined;
  const end = spoken.findIndex((_, at) => at > start && !isUser(at));
  const run = spoken.slice(start, end < 0 ? spoken.length : end);
  return run.findLast((one, at) => at === 0 || !isOfProgram(one));
}

function hasEnded(said: TranscriptMessage | undefined): boolean {
  return said?.message.role === 'assistant' && !hasCalls(said.message);
}

/** Knows the nods that the generator of texts makes. */
function isNod(said: TranscriptMessage | undefined): boolean {
  const rest = textIn(said).replace(/\b(?:ok|yes|thanks|go on|again)\b|好的/g, '');
  return !/\p{L}/u.test(rest);
}

function isOfProgram(said: TranscriptMessage): boolean {
  const text = textIn(said).trim();
  const name = /^<([\w-]+)[\s>]/.exec(text)?.[1];
  if (text.startsWith('['))
    return text.split('\n').length > 1 && text.indexOf(']') === text.indexOf('\n') - 1;
  return text === '' || (name !== undefined && text.endsWith(`</${name}>`));
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
