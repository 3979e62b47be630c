import { CtxError } from '../base/errors.js';
import type { ArchivedMessage } from '../transcript/archive.js';
import type { Message } from '../transcript/message.js';
import { batchesOf, releases } from './archive-batches.js';
import { inTime } from './archive-call.js';
import type { ArchiveLink } from './archive-link.js';
import { letGo } from './messages-in-archive.js';
import { type NumberRange, numbersOutside, together, without } from './number-ranges.js';

/**
 * Brings the archive up to date: forgets what a rewind cut off and what came back into the view, and keeps what has left it.
 * @throws whatever the archive throws; CtxError `timeout`
 */
export async function catchUp(link: ArchiveLink): Promise<void> {
  await forgetCut(link);
  const outside = outsideView(link);
  for (const range of without(together(link.kept, link.doubtful), outside)) {
    // Another process that has let go of them may need them.
    if (releases(link)) doubt(link, [range]);
    else await forgetReturned(link, range);
  }
  const conflicts: unknown[] = [];
  for (const messages of batchesOf(link, without(without(outside, link.kept), link.refused))) {
    if (link.cut !== undefined) return;
    conflicts.push(...(await keepWhatFits(link, messages)));
    await link.surroundings.pause();
  }
  if (releases(link)) await letGo(link);
  if (conflicts.length > 0) throw conflicts[0];
}

/** Keeps messages. Where the archive has another one in the place of one, only that one is left out. */
async function keepWhatFits(link: ArchiveLink, messages: readonly ArchivedMessage[]): Promise<unknown[]> {
  try {
    await keep(link, messages);
    return [];
  } catch (error) {
    if (!CtxError.isInstance(error) || error.code !== 'archive-conflict' || link.cut !== undefined)
      throw error;
    const [first] = messages;
    if (first !== undefined && messages.length === 1) {
      link.refused = together(link.refused, [[first.number, first.number]]);
      return [error];
    }
    const half = messages.length >> 1;
    const before = await keepWhatFits(link, messages.slice(0, half));
    return [...before, ...(await keepWhatFits(link, messages.slice(half)))];
  }
}

/** The numbers of the messages that the view does not show as they were said. */
function outsideView({ surroundings: { conversation } }: ArchiveLink): NumberRange[] {
  const shown: [number, number][] = [];
  for (const { id, version, origins } of conversation.view.entries) {
    if (version !== undefined || !origins.isOnly(id)) continue;
    const number = origins.lowest + 1;
    const last = shown.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else shown.push([number, number]);
  }
  return numbersOutside(shown, conversation.transcript.length);
}

async function forgetCut(link: ArchiveLink): Promise<void> {
  const { archive, name, conversation } = link.surroundings;
  while (link.cut !== undefined) {
    const { cut } = link;
    const behind: NumberRange = [cut + 1, Infinity];
    // If nothing is known to be there, what is there under this id may be another conversation.
    if (link.kept.length > 0 || link.doubtful.length > 0)
      await inTime(
        link,
        () => archive.forget(name, { from: `#m${cut + 1}` }),
        () => doubt(link, [[cut + 1, conversation.transcript.length]]),
      );
    link.kept = without(link.kept, [behind]);
    link.doubtful = without(link.doubtful, [behind]);
    link.refused = without(link.refused, [behind]);
    if (link.cut === cut) link.cut = undefined;
  }
}

async function forgetReturned(link: ArchiveLink, range: NumberRange): Promise<void> {
  const { archive, name } = link.surroundings;
  const [from, to] = range;
  doubt(link, [range]);
  const options = { from: `#m${from}`, to: `#m${to}` };
  await inTime(
    link,
    () => archive.forget(name, options),
    () => doubt(link, [range]),
  );
  link.doubtful = without(link.doubtful, [range]);
}

async function keep(link: ArchiveLink, messages: readonly ArchivedMessage[]): Promise<void> {
  const { archive, name, recallTool, conversation } = link.surroundings;
  const own = messages.flatMap((one) => {
    if (!isRecalled(one.message, recallTool)) return [one];
    const isLeaving = one.original !== undefined;
    return isLeaving ? [{ ...one, message: { role: 'assistant', content: [] } as const }] : [];
  });
  const numbers = messages.map(({ number }): NumberRange => [number, number]);
  const [first, last] = [messages[0], messages.at(-1)];
  const late = () => {
    doubt(link, numbers);
    // After a rewind other messages have these numbers.
    const { length } = conversation.transcript;
    const isRewound =
      last !== undefined && conversation.transcript.at(last.number - 1)?.message !== last.message;
    if (isRewound) link.cut = Math.min(link.cut ?? length, (first?.number ?? 1) - 1);
  };
  try {
    if (own.length > 0) await inTime(link, () => archive.keep(name, own), late);
  } catch (error) {
    if (!CtxError.isInstance(error) || error.code !== 'archive-conflict') doubt(link, numbers);
    throw error;
  }
  // What a rewind has cut off meanwhile is doubtful until it is forgotten.
  if (link.cut !== undefined) return doubt(link, numbers);
  link.kept = together(link.kept, numbers);
  link.doubtful = without(link.doubtful, numbers);
}

/** Nobody knows whether the archive has them. They are kept or forgotten once more. */
function doubt(link: ArchiveLink, numbers: readonly NumberRange[]): void {
  link.kept = without(link.kept, numbers);
  link.doubtful = together(link.doubtful, numbers);
}

/** What a recall gave back is archived already. */
function isRecalled(message: Message, tool: string | undefined): boolean {
  if (tool === undefined || typeof message.content === 'string') return false;
  return message.content.every((part) => {
    const isTool = part.type === 'tool-result' || part.type === 'tool-call';
    return isTool && part.toolName === tool;
  });
}
