import { type Fields, isFields, known, nameIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import type { Told } from '../telling/told.js';
import { GeminiHistory, type GeminiMessage } from './history.js';
import { GeminiTelling } from './telling.js';

/**
 * A chat of Gemini CLI: a document with its messages, or lines that change it. There a message replaces the one with the same id, and
 * `$set` replaces fields.
 */
export class Gemini implements Recorder {
  readonly #history = new GeminiHistory();
  #id: string | undefined;

  constructor(readonly reading: Reading) {}

  add({ line, value }: SessionRecord): void {
    const { findings } = this.reading;
    const record = value as Fields;
    if (isFields(record.$set)) {
      this.#id ??= nameIn(record.$set, 'sessionId');
      if (Array.isArray(record.$set.messages)) this.#replace(line, '$set.messages', record.$set.messages);
      else findings.leaveOut('$set');
    } else if (typeof record.type === 'string') this.#history.add({ place: { line }, fields: record });
    else if (nameIn(record, 'sessionId') !== undefined) {
      this.#id ??= nameIn(record, 'sessionId');
      if (Array.isArray(record.messages)) this.#replace(line, 'messages', record.messages);
      else findings.leaveOut('head');
    } else if ('$rewindTo' in record) {
      findings.leaveOut('$rewindTo', 1 + this.#history.rewind(record.$rewindTo));
    } else findings.refuse({ line }, { problem: 'The record is neither a message nor a change', value });
  }

  told(): Told {
    const telling = new GeminiTelling(this.reading.findings);
    const { messages, compactions } = this.#history.settled;
    let told = 0;
    for (const compaction of compactions) {
      for (; told < compaction.at; told += 1) telling.tell(messages[told] as GeminiMessage);
      telling.compact(compaction);
    }
    for (const message of messages.slice(told)) telling.tell(message);
    const names = { provider: 'google', model: telling.model };
    const about = known({ id: this.#id ?? this.reading.name, format: 'gemini' as const, ...names });
    return { about, ...telling.told };
  }

  #replace(line: number, path: string, messages: readonly unknown[]): void {
    this.#history.replace(
      { line },
      messages.map((message, index) => ({
        place: { line, path: `${path}[${index}]` },
        fields: isFields(message) ? message : { value: message },
      })),
    );
  }
}
