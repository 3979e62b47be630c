import { parseMessage } from './parse-message.js';
import { Transcript, type TranscriptMessage } from './transcript.js';

type Rest = Parameters<Transcript['append']> extends [unknown, ...infer Others] ? Others : never;

/** A transcript that checks the form of every message. */
export class CheckedTranscript extends Transcript {
  /** @throws ValidationError as `Transcript`, and when the message is malformed; nothing is appended then */
  override append(value: unknown, ...rest: Rest): readonly TranscriptMessage[] {
    return super.append(parseMessage(value, this.offset + this.length), ...rest);
  }
}
