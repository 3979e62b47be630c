import { type Fields, isFields, known, type Names, nameIn, usageIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import { type Reading, type Recorder, secondDocument } from '../reader.js';
import type { Said } from '../telling/acceptance.js';
import { Dialogue, saidOf, saidText } from '../telling/dialogue.js';
import type { Place } from '../telling/findings.js';
import type { Told } from '../telling/told.js';
import { answersIn, partsFrom } from './parts.js';

/** The messages of Cline, or a task's history of Cline or Roo Code: a document that is a list of messages, or has one. */
export class Cline implements Recorder {
  readonly #dialogue: Dialogue;
  /** What was said and not replaced by a summary. */
  readonly #kept = new Set<Said>();
  #id: string | undefined;
  #isRead = false;
  #names: Names = {};

  constructor(readonly reading: Reading) {
    this.#dialogue = new Dialogue(reading.findings);
  }

  add({ line, value }: SessionRecord): void {
    if (this.#isRead) {
      this.reading.findings.refuse({ line }, secondDocument);
      return;
    }
    const { messages, sessionId } = isFields(value) ? value : { messages: value };
    if (typeof sessionId === 'string') this.#id ??= sessionId;
    if (!Array.isArray(messages)) {
      const problem = 'The record is neither a list of messages nor has one';
      this.reading.findings.refuse({ line }, { problem, value });
      return;
    }
    this.#isRead = true;
    const path = messages === value ? '' : 'messages';
    for (const [index, message] of messages.entries())
      this.#message({ line, path: `${path}[${index}]` }, isFields(message) ? message : {});
  }

  told(): Told {
    return {
      about: { id: this.#id ?? this.reading.name, format: 'cline', ...this.#names },
      ...this.#dialogue.told,
    };
  }

  #message(place: Place, message: Fields): void {
    const { role, content, isSummary, isTruncationMarker, metadata } = message;
    const isCompaction = isFields(metadata) && metadata.kind === 'compaction_summary';
    if (isTruncationMarker === true) this.reading.findings.leaveOut('truncation-marker');
    else if (isSummary === true || isCompaction) this.#compact(place, message);
    else if (role === 'user' || role === 'tool') this.#ask(place, message);
    else if (role === 'assistant') this.#respond(place, message);
    else if (role === 'system') this.#say(place, message, { role, content });
    else if (message.type === 'reasoning') this.reading.findings.leaveOut('reasoning');
    else
      this.reading.findings.refuse(place, { problem: 'The role of the message is not known', value: role });
  }

  /** Results go to their calls; the rest of the message is the user's. */
  #ask(place: Place, message: Fields): void {
    const { content, ts } = message;
    const answers = answersIn(content, ts);
    for (const answer of answers) {
      const said = this.#dialogue.answer(place, answer);
      if (said !== undefined) this.#keep(said, message);
    }
    const parts = partsFrom(content);
    if (answers.length > 0 && Array.isArray(parts) && parts.length === 0) return;
    this.#say(place, message, { role: 'user', content: parts });
  }

  #respond(place: Place, message: Fields): void {
    const { modelInfo, content, metrics } = message;
    if (isFields(modelInfo))
      this.#names = known({ model: nameIn(modelInfo, 'id'), provider: nameIn(modelInfo, 'provider') });
    const usage = usageIn(metrics, usageFields, this.#names);
    this.#say(place, message, { role: 'assistant', content: partsFrom(content) }, usage);
  }

  #say(
    place: Place,
    message: Fields,
    draft: { readonly role: 'system' | 'user' | 'assistant'; readonly content: unknown },
    usage?: Said['usage'],
  ): void {
    this.#keep(this.#dialogue.say(place, { ...draft, time: message.ts }, usage), message);
  }

  /** Roo Code marks a message with the summary that stands for it. */
  #keep(said: Said, message: Fields): void {
    if (nameIn(message, 'condenseParent') === undefined) this.#kept.add(said);
  }

  #compact(place: Place, { role, content, ts }: Fields): void {
    const author = role === 'assistant' ? role : 'user';
    const said = saidOf(place, { role: author, content: partsFrom(content), time: ts, summary: true });
    this.#dialogue.cut({ place, summary: saidText(said) }, [...this.#kept, said]);
  }
}

/** `inputTokens` is the whole prompt. */
const usageFields = {
  input: ['inputTokens'],
  output: ['outputTokens'],
  cacheRead: 'cacheReadTokens',
  cacheWrite: 'cacheWriteTokens',
};
