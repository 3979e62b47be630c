import { isDeepStrictEqual } from 'node:util';
import { type CompressionRecord, type Message, partsOf, type TranscriptMessage } from '@ctx/core';

/**
 * What is wrong with the messages of a request, one sentence for each problem: a call without its result right after it unless it waits, a first message
 * that is not the user's, an empty message, or a message that the model had not read and that is lost. Shares no code with core's checks.
 * @param said everything that was ever said
 * @param rules.wordForWord whether what the model has not read must say all that was said, because there is room for it
 */
export function sentProblems(
  sent: readonly Message[],
  said: readonly Message[],
  {
    leadingUser = false,
    wordForWord = false,
  }: { readonly leadingUser?: boolean | undefined; readonly wordForWord?: boolean | undefined } = {},
): string[] {
  const spoken = sent.filter(({ role }) => role !== 'system');
  const first = spoken[0];
  return [
    ...(leadingUser && first !== undefined && first.role !== 'user' ? [`the ${first.role} opens`] : []),
    ...sent.flatMap((message, at) => (partsOf(message).length === 0 ? [`messages[${at}] is empty`] : [])),
    ...unpaired(spoken, said),
    ...unread(spoken, said, wordForWord),
  ];
}

function unpaired(spoken: readonly Message[], said: readonly Message[]): string[] {
  const problems: string[] = [];
  const given = resultsOfNewest(said);
  spoken.forEach((message, at) => {
    if (message.role === 'tool') {
      const asking = spoken.slice(0, at).findLastIndex(({ role }) => role !== 'tool');
      const asked = asking < 0 ? [] : idsOf(spoken[asking] as Message, 'tool-call');
      for (const id of idsOf(message, 'tool-result'))
        if (!asked.includes(id)) problems.push(`the result "${id}" does not follow its call`);
      return;
    }
    const next = spoken.findIndex(({ role }, after) => after > at && role !== 'tool');
    const answers = spoken.slice(at + 1, next < 0 ? spoken.length : next);
    const answered = answers.flatMap((answer) => idsOf(answer, 'tool-result'));
    for (const id of idsOf(message, 'tool-call'))
      if (!answered.includes(id) && (next >= 0 || given.includes(id)))
        problems.push(`the call "${id}" has no result`);
  });
  return problems;
}

/** The results that the newest calls got; the others still wait. */
function resultsOfNewest(said: readonly Message[]): string[] {
  const asking = said.findLastIndex(({ role }) => role !== 'tool' && role !== 'system');
  return said.slice(asking + 1).flatMap((message) => idsOf(message, 'tool-result'));
}

function unread(spoken: readonly Message[], said: readonly Message[], wordForWord: boolean): string[] {
  const heard = said.filter(({ role }) => role !== 'system');
  const newest = heard.findLastIndex(({ role }) => role === 'assistant');
  if (newest < 0) return [];
  const since = heard.slice(newest + 1);
  const tail = spoken.slice(spoken.length - since.length);
  const nature = (message: Message) => `${message.role} ${idsOf(message, 'tool-result').join(' ')}`;
  if (!since.every((message, at) => tail[at] !== undefined && nature(message) === nature(tail[at])))
    return ['something that the model has not read yet is gone'];
  const isWhole = since.every((message, at) => isDeepStrictEqual(message.content, tail[at]?.content));
  return !wordForWord || isWhole ? [] : ['something that the model has not read yet is shortened'];
}

function idsOf(message: Message, type: 'tool-call' | 'tool-result'): string[] {
  return partsOf(message).flatMap((part) => (part.type === type ? [part.toolCallId] : []));
}

/**
 * What a record mixes: a message that stands for what was said before and after a message of the user's which is still there. Shares no code
 * with core's checks.
 */
export function mixedContents(
  record: Pick<CompressionRecord, 'id' | 'edits'>,
  transcript: readonly TranscriptMessage[],
): string[] {
  const origins = new Map(transcript.map(({ id, index }) => [id, [index]]));
  for (const [nth, edit] of record.edits.entries()) {
    if (edit.type !== 'drop' && edit.type !== 'merge') continue;
    const merged = edit.messages.flatMap((id) => origins.get(id) ?? []);
    for (const id of edit.messages) origins.delete(id);
    if (edit.type === 'merge') origins.set(`ctx:${record.id}.${nth}`, merged);
  }
  const asked = transcript.filter(
    ({ id, message }) => origins.has(id) && message.role === 'user' && message.summary !== true,
  );
  return [...origins].flatMap(([id, positions]) => {
    const [first, last] = [Math.min(...positions), Math.max(...positions)];
    const amid = asked.find(({ index }) => first < index && index < last);
    return amid === undefined ? [] : [`"${id}" stands for what was said around "${amid.id}"`];
  });
}
