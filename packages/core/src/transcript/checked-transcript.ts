import type { MessageId } from './message.js';
import { parseMessage } from './parse-message.js';
import { Transcript, type TranscriptMessage } from './transcript.js';

/** A transcript that checks the form of every message. */
export class CheckedTranscript extends Transcript {
  /** @throws ValidationError as `Transcript`, and when the message is malformed; nothing is appended then */
  override append(value: unknown, id?: MessageId, createdAt?: number): readonly TranscriptMessage[] {
    return super.append(parseMessage(value, this.offset + this.length), id, createdAt);
  }
}
