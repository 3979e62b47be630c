import { equal } from '../base/equal.js';
import { type NativeForm, refuseNativeForm } from '../config/container.js';
import { type Message, saidParts } from '../transcript/message.js';
import { isClosing } from '../transcript/open-calls.js';
import { CheckedTranscript, messagesIn, parseMessage } from '../transcript/parse-message.js';
import { duplicateId, type Transcript, type TranscriptMessage } from '../transcript/transcript.js';

/** The changes that `sync` made. */
export interface SyncOutcome {
  /** For each message of the history, its place in the transcript. */
  readonly entries: readonly TranscriptMessage[];
  /** The messages that were appended. */
  readonly added: readonly TranscriptMessage[];
  /** The messages of the transcript that the history no longer has. */
  readonly removed: readonly TranscriptMessage[];
  /** The ids of the records that were undone with them. */
  readonly undone: readonly string[];
}

/**
 * Compares a transcript with a history by the content of the messages. Native fields, ids and times are ignored, and so
 * are the results that core added for calls that were never answered. A system prompt may change in its place.
 * @throws ValidationError as `append`, with the place in the history: what is refused is refused before anything changes
 */
export function syncPlan(
  transcript: Transcript,
  given: readonly Message[],
  forms: readonly NativeForm[] = [],
) {
  const history = messagesIn(given, 'history');
  const replaced: { id: string; message: Message }[] = [];
  /** For each message of the history that the transcript has, its position there. */
  const found: number[] = [];
  let kept = 0;
  let at = 0;
  for (; at < history.length; at += 1) {
    const message = history[at] as Message;
    let said = transcript.at(kept);
    // Results that come later take the place of those that core made up.
    if (said !== undefined && message?.role !== 'tool' && isClosing(said.message)) {
      kept += 1;
      said = transcript.at(kept);
    }
    if (said === undefined) break;
    const isSame =
      said.message.role === message?.role &&
      (said.message.content === message.content || equal(saidParts(said.message), saidParts(message)));
    if (!isSame) {
      // For a system prompt, the same role is enough.
      if (said.message.role !== 'system' || message?.role !== 'system') break;
      parseMessage(message, at);
      replaced.push({ id: said.id, message });
    }
    found.push(kept);
    kept += 1;
  }
  const appended = history.slice(at);
  const newest = transcript.at(kept - 1)?.exchange;
  let from = kept;
  while (newest !== undefined && transcript.at(from - 1)?.exchange === newest) from -= 1;
  const open = transcript.messages.slice(from, kept);
  const tried = new CheckedTranscript(at - open.length);
  tried.nextNumber = transcript.nextNumber;
  for (const { message, id } of open) tried.append(message, id);
  for (const [index, message] of appended.entries()) {
    refuseNativeForm(forms, message, at + index);
    const named = message?.id === undefined ? undefined : transcript.get(message.id);
    if (named !== undefined && named.index < kept) throw duplicateId(named.id, at + index);
    tried.append(message);
  }
  return { kept, found, replaced, appended };
}
