import { startDeadline } from '../base/deadline.js';
import { CtxError } from '../base/errors.js';
import type { CompressionRecord } from '../compress/record.js';
import type { ArchivedMessage, ArchivePassage, FindOptions } from '../transcript/archive.js';
import { type Message, messageText, partsOf, toolCallsOf } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Conversation } from '../view/conversation.js';
import type { ArchiveLink } from './archive-link.js';
import { bringBack, letGo } from './leaving.js';
import { has, type NumberRange, numbersOutside, together, without } from './number-ranges.js';

/** Characters and messages that one call of the archive is given: some milliseconds of work for an archive in memory. */
const batch = { characters: 20_000, messages: 20 };

/** Ms: twice what archives wait for their servers. */
const longestCallMs = 10_000;

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
  if (releases(link)) await letGo(link, (call) => inTime(link, call));
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

function releases({ surroundings }: ArchiveLink): boolean {
  return surroundings.roomTokens > 0;
}

/**
 * Brings back into memory what undoing a record takes, or a rewind to a message.
 * @throws CtxError `port-missing` without an archive, or as `bringBack`
 */
export function broughtBack(
  link: ArchiveLink | undefined,
  conversation: Conversation<CompressionRecord>,
  which: string,
): Promise<void> {
  return bringBack(link, conversation, which, { linkOf, call: (call) => inTime(linkOf(link), call) });
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

function* batchesOf(link: ArchiveLink, ranges: readonly NumberRange[]): Generator<ArchivedMessage[]> {
  let messages: ArchivedMessage[] = [];
  let characters = 0;
  for (const [first, last] of ranges) {
    for (let number = first; number <= last; number += 1) {
      const message = archived(link, number);
      if (message === undefined) continue;
      messages.push(message);
      characters += messageText(message.message).length;
      if (messages.length < batch.messages && characters < batch.characters) continue;
      yield messages;
      messages = [];
      characters = 0;
    }
  }
  if (messages.length > 0) yield messages;
}

function archived(link: ArchiveLink, number: number): ArchivedMessage | undefined {
  const { transcript } = link.surroundings.conversation;
  const said = transcript.at(number - 1);
  if (said === undefined) return undefined;
  const { message, createdAt = 0 } = said;
  const known = { number, message, calls: callsBefore(transcript, said), time: createdAt };
  return releases(link) ? { ...known, original: said } : known;
}

/** The calls that the results of a message answer. */
function callsBefore(
  transcript: ArchiveLink['surroundings']['conversation']['transcript'],
  { message, index, exchange }: TranscriptMessage,
) {
  if (message.role !== 'tool') return [];
  let at = index;
  let caller: TranscriptMessage | undefined;
  do {
    at -= 1;
    caller = transcript.at(at);
  } while (caller?.exchange === exchange && caller.message.role === 'tool');
  const answered = new Set(
    partsOf(message).flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
  );
  return caller === undefined
    ? []
    : toolCallsOf(caller.message).filter(({ toolCallId }) => answered.has(toolCallId));
}

/** Waits for what is on its way, then searches. Only what this manager has put there is found. */
export async function found(
  given: ArchiveLink | undefined,
  query: string,
  options: FindOptions,
): Promise<readonly ArchivePassage[]> {
  const link = linkOf(given);
  const { archive, name, conversation } = link.surroundings;
  await inTime(link, () => link.settled()).catch(() => {});
  const shown = conversation.view.messages();
  const passages = await inTime(link, () =>
    archive.search(query, { ...options, conversation: name, shown }),
  );
  return passages.filter(({ message }) => has(link.kept, message) && message <= (link.cut ?? message));
}

/** What is in memory answers, so that a handle can be read before anything is archived, and when the archive is gone. */
export async function underHandle(
  given: ArchiveLink | undefined,
  ref: string,
  maxTokens: number | undefined,
): Promise<readonly ArchivePassage[]> {
  const link = linkOf(given);
  const { archive, name } = link.surroundings;
  const { length } = link.surroundings.conversation.transcript;
  const said = (number: number) =>
    archived(link, number) ?? (number <= length ? ('kept' as const) : undefined);
  return inTime(link, () => archive.get(ref, { conversation: name, maxTokens, said }));
}

/**
 * Waits for a call of the archive ten seconds at most.
 * @param late called if the call succeeds after it was given up
 */
async function inTime<T>(link: ArchiveLink, call: () => Promise<T>, late: () => void = () => {}): Promise<T> {
  const timeoutMs = Math.min(link.surroundings.timeoutMs, longestCallMs);
  const deadline = startDeadline({ timeoutMs });
  let isOver = false;
  try {
    return await deadline.run(() => {
      const called = (async () => call())();
      called.then(
        () => {
          if (!isOver) return;
          late();
          link.changed('record');
        },
        () => {},
      );
      return called;
    });
  } finally {
    isOver = true;
    deadline.end();
  }
}

/** @throws CtxError `port-missing` */
function linkOf(link: ArchiveLink | undefined): ArchiveLink {
  if (link !== undefined) return link;
  throw new CtxError({
    code: 'port-missing',
    problem: 'The manager has no archive',
    place: 'archive',
    remedy: "Pass one: createContextManager({ archive: memoryArchive() }), from '@ctx/archive'.",
  });
}
