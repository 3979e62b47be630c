import { type Fields, isFields, known, listIn, type Names, nameIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import { type Reading, type Recorder, secondDocument } from '../reader.js';
import type { Said } from '../telling/acceptance.js';
import { Dialogue, saidOf } from '../telling/dialogue.js';
import type { Place } from '../telling/findings.js';
import type { Told } from '../telling/told.js';
import { isTold, outputIn, saidParts, stepsIn, usageOf } from './parts.js';

/** What OpenCode sends before a summary, as if the user had asked for it. */
const question = 'What did we do so far?';

interface Request {
  readonly position: number;
  readonly place: Place;
  readonly part: Fields;
}

/** What `opencode export` prints: a session with its messages, each a list of parts. */
export class Opencode implements Recorder {
  readonly #dialogue: Dialogue;
  #info: Fields = {};
  #isRead = false;
  #names: Names = {};
  /** The compactions that were asked for, by the id of the message that did. */
  readonly #requests = new Map<string, Request>();
  /** Where each message begins. */
  readonly #starts = new Map<string, number>();

  constructor(readonly reading: Reading) {
    this.#dialogue = new Dialogue(reading.findings);
  }

  add({ line, value }: SessionRecord): void {
    if (this.#isRead) {
      this.reading.findings.refuse({ line }, secondDocument);
      return;
    }
    const { info, messages } = value as Fields;
    if (!isFields(info) || !Array.isArray(messages)) {
      const problem = 'The record is not an exported session with messages';
      this.reading.findings.refuse({ line }, { problem, value });
      return;
    }
    this.#isRead = true;
    this.#info = info;
    for (const [index, message] of messages.entries())
      this.#message({ line, path: `messages[${index}]` }, message);
  }

  told(): Told {
    const id = nameIn(this.#info, 'id') ?? this.reading.name;
    return { about: { id, format: 'opencode', ...this.#names }, ...this.#dialogue.told };
  }

  #message(place: Place, message: unknown): void {
    const { info, parts } = isFields(message) ? message : {};
    if (!isFields(info) || !Array.isArray(parts)) {
      const problem = 'The message has no info or no parts';
      this.reading.findings.refuse(place, { problem, value: message });
      return;
    }
    const id = nameIn(info, 'id');
    if (id !== undefined) this.#starts.set(id, this.#dialogue.position);
    const list = listIn(parts);
    if (info.role === 'user') this.#ask(place, info, list);
    else if (info.role !== 'assistant') {
      this.reading.findings.refuse(place, {
        problem: 'The role of the message is not known',
        value: info.role,
      });
    } else if (info.summary === true) this.#compact(place, info, list);
    else for (const step of stepsIn(list)) this.#step(place, info, step);
  }

  #ask(place: Place, info: Fields, parts: readonly Fields[]): void {
    const part = parts.find(({ type }) => type === 'compaction');
    const content = saidParts(parts);
    this.#leaveOut(parts);
    if (part !== undefined) {
      this.#requests.set(String(info.id), { position: this.#dialogue.position, place, part });
      if (content.length === 0) return;
    }
    this.#dialogue.say(place, { role: 'user', content, time: timeIn(info) });
  }

  /** One request to the model, with the results of its calls. */
  #step(place: Place, info: Fields, parts: readonly Fields[]): void {
    const { findings } = this.reading;
    this.#leaveOut(parts);
    const time = timeIn(info);
    const names = known({ model: nameIn(info, 'modelID'), provider: nameIn(info, 'providerID') });
    this.#names = { ...this.#names, ...names };
    const content = saidParts(parts);
    if (content.length === 0) {
      findings.skip(place, 'The response has no content');
      return;
    }
    this.#dialogue.say(place, { role: 'assistant', content, time }, usageOf(info, parts, this.#names));
    for (const part of parts.filter(({ type }) => type === 'tool')) {
      const answer = outputIn(part);
      if (answer !== undefined) this.#dialogue.answer(place, answer);
    }
  }

  /** The answer to a message that asks for a compaction is the summary. */
  #compact(place: Place, info: Fields, parts: readonly Fields[]): void {
    const request = this.#requests.get(String(info.parentID));
    const texts = parts.flatMap(({ type, text }) =>
      type === 'text' && typeof text === 'string' ? [text] : [],
    );
    const summary = texts.join('\n');
    if (request === undefined || summary === '') {
      this.reading.findings.leaveOut('compaction-without-summary');
      return;
    }
    const time = timeIn(info);
    const replacement: Said[] = [
      saidOf(request.place, { role: 'user', content: question, time }),
      saidOf(place, { role: 'assistant', content: summary, time, summary: true }),
    ];
    const { auto, tail_start_id: tail } = request.part;
    const start = typeof tail === 'string' ? this.#starts.get(tail) : undefined;
    const kept = start === undefined ? [] : this.#dialogue.said(start, request.position);
    this.#dialogue.cut(
      {
        place: request.place,
        position: request.position,
        summary,
        trigger: typeof auto === 'boolean' ? (auto ? 'auto' : 'manual') : undefined,
      },
      [...replacement, ...kept],
    );
  }

  #leaveOut(parts: readonly Fields[]): void {
    for (const part of parts) if (!isTold(part)) this.reading.findings.leaveOut(String(part.type));
  }
}

function timeIn({ time }: Fields): unknown {
  return isFields(time) ? time.created : undefined;
}
