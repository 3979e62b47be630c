import type { ArchivedMessage } from '../transcript/archive.js';
import { messageText, partsOf, toolCallsOf } from '../transcript/message.js';
import type { Transcript, TranscriptMessage } from '../transcript/transcript.js';
import type { ArchiveLink } from './archive-link.js';
import type { NumberRange } from './number-ranges.js';

/** Characters and messages that one call of the archive is given: some milliseconds of work for an archive in memory. */
const batch = { characters: 20_000, messages: 20 };

/** True if what is archived leaves memory. */
export function releases({ surroundings }: ArchiveLink): boolean {
  return surroundings.roomTokens > 0;
}

/** The messages of ranges that are in memory, in the form of the archive, as many at a time as one call may be given. */
export function* batchesOf(link: ArchiveLink, ranges: readonly NumberRange[]): Generator<ArchivedMessage[]> {
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

/** A message in the form of the archive; undefined if it is not in memory. */
export function archived(link: ArchiveLink, number: number): ArchivedMessage | undefined {
  const { transcript } = link.surroundings.conversation;
  const said = transcript.at(number - 1);
  if (said === undefined) return undefined;
  const { message, createdAt = 0 } = said;
  const known = { number, message, calls: callsBefore(transcript, said), time: createdAt };
  return releases(link) ? { ...known, original: said } : known;
}

/** The calls that the results of a message answer. */
function callsBefore(transcript: Transcript, { message, index, exchange }: TranscriptMessage) {
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
