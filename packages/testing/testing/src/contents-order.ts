import type { CompressionRecord, TranscriptMessage } from '@ctx/core';

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
