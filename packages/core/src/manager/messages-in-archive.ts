import { CtxError, ValidationError } from '../base/errors.js';
import { isFields } from '../base/native.js';
import type { CompressionRecord } from '../compress/record.js';
import { parseMessage } from '../transcript/message.js';
import { isClosing } from '../transcript/open-calls.js';
import { type TranscriptMessage, unknownId } from '../transcript/transcript.js';
import type { Conversation } from '../view/conversation.js';
import { handleOf } from '../view/handle.js';
import { inTime, linkOf } from './archive-call.js';
import type { ArchiveLink } from './archive-link.js';
import { has } from './number-ranges.js';

/** When messages leave, as many do as it takes to get down to this share of their room, so that it is rarely done. */
const leftShare = 0.5;
/** Messages that one call of the archive returns. */
const batchMessages = 200;

/**
 * Removes the oldest messages from memory that the view does not show, if they have become too many: those that the archive gives back word
 * for word, in whole exchanges.
 */
export async function letGo(link: ArchiveLink): Promise<void> {
  const { archive, name, conversation, pause } = link.surroundings;
  const leaving = tooMany(link);
  for (let at = 0; at < leaving.length; ) {
    const batch: TranscriptMessage[] = [];
    for (; at < leaving.length && batch.length < batchMessages; at += 1)
      batch.push(...(leaving[at] as TranscriptMessage[]));
    const [first, last] = [batch[0] as TranscriptMessage, batch.at(-1) as TranscriptMessage];
    const originals = await inTime(link, () => archive.originals(name, first.index + 1, last.index + 1));
    const known = new Map(originals.map((one) => [one.index, JSON.stringify(ordered(one))]));
    const gone = new Set<TranscriptMessage>();
    for (const exchange of exchangesIn(batch)) {
      // Meanwhile the view may have changed.
      const isSafe = exchange.every((one) => {
        const isThere =
          conversation.transcript.at(one.index) === one &&
          known.get(one.index) === JSON.stringify(ordered(one));
        if (!isThere) link.staying.add(one);
        return isThere;
      });
      if (isSafe && mayLeave(link)(exchange)) for (const one of exchange) gone.add(one);
    }
    if (gone.size > 0) conversation.hold(conversation.transcript.messages.filter((one) => !gone.has(one)));
    for (const { id } of gone) conversation.presenter.prefixes.delete(id);
    await pause();
  }
}

/** The same for the same message, whatever the order of the fields. */
function ordered({ id, index, message, createdAt, exchange }: TranscriptMessage) {
  return [id, index, message, createdAt, exchange];
}

/** The oldest exchanges outside the view that have no room in memory. */
function tooMany(link: ArchiveLink): TranscriptMessage[][] {
  const { conversation, roomTokens } = link.surroundings;
  const able = exchangesIn(conversation.transcript.messages).filter(mayLeave(link));
  const tokensOf = (exchange: readonly TranscriptMessage[]) =>
    exchange.reduce((sum, { message }) => sum + conversation.count(message).tokens, 0);
  let tokens = able.reduce((sum, exchange) => sum + tokensOf(exchange), 0);
  if (tokens <= roomTokens) return [];
  const leaving: TranscriptMessage[][] = [];
  for (const exchange of able) {
    if (tokens <= roomTokens * leftShare) break;
    tokens -= tokensOf(exchange);
    leaving.push(exchange);
  }
  return leaving;
}

/** Neither shown nor needed, and archived. What core added for a call without a result stays, because no history has it. */
function mayLeave(link: ArchiveLink): (exchange: readonly TranscriptMessage[]) => boolean {
  const { view, transcript } = link.surroundings.conversation;
  const shown = new Set(view.entries.map(({ id }) => id));
  const { newestUser, newestAnswer } = transcript;
  return (exchange) =>
    link.cut === undefined &&
    link.unanswered === 0 &&
    exchange.every(
      (one) =>
        has(link.kept, one.index + 1) &&
        !shown.has(one.id) &&
        !link.staying.has(one) &&
        one !== newestUser &&
        newestAnswer !== undefined &&
        one.exchange < newestAnswer.exchange &&
        !isClosing(one.message),
    );
}

function exchangesIn(messages: readonly TranscriptMessage[]): TranscriptMessage[][] {
  const exchanges: TranscriptMessage[][] = [];
  for (const one of messages) {
    const newest = exchanges.at(-1);
    if (newest?.[0]?.exchange === one.exchange) newest.push(one);
    else exchanges.push([one]);
  }
  return exchanges;
}

/**
 * Brings back what undoing a record takes, or a rewind to a message.
 * @throws CtxError `id-unknown`, `port-missing` without an archive, `archive-ref-unknown` or `archive-corrupt`, or what the archive throws
 */
export async function bringBack(
  given: ArchiveLink | undefined,
  conversation: Conversation<CompressionRecord>,
  which: string,
): Promise<void> {
  const ranges = neededFor(conversation, which);
  if (ranges.length === 0) return;
  const link = linkOf(given);
  const { archive, name } = link.surroundings;
  const back = new Map<number, TranscriptMessage>();
  for (const [first, last] of ranges) {
    for (let from = first; from <= last; from += batchMessages) {
      const to = Math.min(last, from + batchMessages - 1);
      const found = new Map(
        (await inTime(link, () => archive.originals(name, from + 1, to + 1))).map((one) => [one.index, one]),
      );
      for (let index = from; index <= to; index += 1) {
        if (conversation.transcript.at(index) !== undefined) continue;
        back.set(index, checked(found.get(index), index));
      }
    }
  }
  // Meanwhile a rewind may have cut them off.
  const { transcript } = conversation;
  const isMissing = ({ index }: TranscriptMessage) =>
    index < transcript.length && transcript.at(index) === undefined;
  const missing = [...back.values()].filter(isMissing);
  const taken = missing.find(({ id }) => transcript.get(id) !== undefined);
  if (taken !== undefined) throw takenId(taken);
  conversation.hold([...transcript.messages, ...missing]);
}

function neededFor(conversation: Conversation<CompressionRecord>, which: string) {
  const { transcript, records } = conversation;
  if (records.some(({ id }) => id === which)) return conversation.neededFor(which);
  const number = /^#m(\d{1,15})$/.exec(which)?.[1];
  const index = transcript.get(which)?.index ?? Number(number ?? 0) - 1;
  if (index < 0 || index >= transcript.length) throw unknownId(which);
  const needed = conversation.neededFor(index + 1);
  return transcript.at(index) === undefined ? [[index, index] as const, ...needed] : needed;
}

function takenId({ id, index }: TranscriptMessage): ValidationError {
  return new ValidationError({
    code: 'message-id-duplicate',
    problem: 'Another message has taken this id since this one was moved out of memory',
    place: handleOf(index),
    value: id,
    remedy: 'It cannot be brought back. Leave ids out to have them generated, or make them unique.',
  });
}

/** What the archive returns is data from outside. */
function checked(said: TranscriptMessage | undefined, index: number): TranscriptMessage {
  if (said === undefined)
    throw new CtxError({
      code: 'archive-ref-unknown',
      problem: 'The archive no longer has the message',
      value: handleOf(index),
      remedy: 'A record that needs it cannot be undone. Everything else works as before.',
    });
  const { id, exchange, createdAt } = said;
  const isWhole = isFields(said) && typeof id === 'string' && id !== '' && Number.isSafeInteger(exchange);
  try {
    if (!isWhole) throw new TypeError('It is not a message of a transcript');
    return Object.freeze({ id, index, message: parseMessage(said.message, index), createdAt, exchange });
  } catch (cause) {
    throw new CtxError({
      code: 'archive-corrupt',
      problem: 'A message in the archive cannot be read',
      value: handleOf(index),
      remedy: 'A record that needs it cannot be undone. Everything else works as before.',
      cause,
    });
  }
}
