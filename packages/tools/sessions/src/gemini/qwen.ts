import { type Fields, isFields, known, listIn, nameIn, numberIn, usageIn, windowIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import { Dialogue } from '../telling/dialogue.js';
import type { Told } from '../telling/told.js';
import { answersIn, partsFrom } from './parts.js';

/** Lines of Qwen Code: messages of Gemini's API in records that look like Claude Code's. */
export class Qwen implements Recorder {
  readonly #dialogue: Dialogue;
  readonly #lines = new Map<string, number>();
  #id: string | undefined;
  #model: string | undefined;
  #window: number | undefined;

  constructor(readonly reading: Reading) {
    this.#dialogue = new Dialogue(reading.findings);
  }

  add({ line, value }: SessionRecord): void {
    const { findings } = this.reading;
    const record = value as Fields;
    const { type, subtype, uuid, systemPayload } = record;
    this.#id ??= nameIn(record, 'sessionId');
    const earlier = typeof uuid === 'string' ? this.#lines.get(uuid) : undefined;
    if (typeof uuid === 'string') this.#lines.set(uuid, earlier ?? line);
    if (typeof type !== 'string') findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (earlier !== undefined) findings.skip({ line }, `The record repeats that of line ${earlier}`);
    else if (record.isSidechain === true) findings.leaveOut('sidechain');
    else if (subtype === 'chat_compression' && isFields(systemPayload))
      this.#compact(line, record, systemPayload);
    else if (type === 'user' || type === 'tool_result' || type === 'assistant')
      this.#message(line, type, record);
    else findings.leaveOut(typeof subtype === 'string' ? `${type}:${subtype}` : type);
  }

  told(): Told {
    const about = known({
      id: this.#id ?? this.reading.name,
      format: 'qwen' as const,
      model: this.#model,
      contextWindow: this.#window,
    });
    return { about, ...this.#dialogue.told };
  }

  #message(line: number, type: 'user' | 'tool_result' | 'assistant', record: Fields): void {
    const { message, timestamp: time } = record;
    if (!isFields(message) || !Array.isArray(message.parts)) {
      this.reading.findings.refuse(
        { line },
        { problem: 'The record has no message with parts', value: message },
      );
      return;
    }
    if (type === 'assistant') {
      this.#model = nameIn(record, 'model') ?? this.#model;
      this.#window = windowIn(record, 'contextWindowSize') ?? this.#window;
    }
    const answers = answersIn(message.parts, time);
    for (const answer of answers) this.#dialogue.answer({ line }, answer);
    const content = partsFrom(message.parts);
    if (answers.length > 0 && (content as unknown[]).length === 0) return;
    const role = type === 'assistant' ? type : 'user';
    const usage = usageIn(record.usageMetadata, usageFields, known({ model: this.#model }));
    this.#dialogue.say({ line }, { role, content, time }, role === 'user' ? undefined : usage);
  }

  #compact(line: number, { timestamp: time }: Fields, payload: Fields): void {
    const { info, compressedHistory } = payload;
    const about = isFields(info) ? info : {};
    const inner = new Dialogue(this.reading.findings);
    const history = listIn(compressedHistory);
    for (const [index, { role, parts }] of history.entries()) {
      const at = { line, path: `systemPayload.compressedHistory[${index}]` };
      for (const answer of answersIn(parts, time)) inner.answer(at, answer);
      const content = partsFrom(parts);
      if (Array.isArray(content) && content.length > 0)
        inner.say(at, { role: role === 'model' ? 'assistant' : 'user', content, time, summary: index === 0 });
    }
    const [first] = history;
    const texts = listIn(first?.parts).map(({ text }) => text);
    this.#dialogue.cut(
      {
        place: { line },
        summary: texts.filter((text) => typeof text === 'string').join('\n'),
        trigger: nameIn(about, 'triggerReason'),
        tokensBefore: numberIn(about, 'originalTokenCount'),
        tokensAfter: numberIn(about, 'newTokenCount'),
      },
      inner.said(),
    );
  }
}

const usageFields = {
  input: ['promptTokenCount'],
  output: ['candidatesTokenCount', 'thoughtsTokenCount'],
  cacheRead: 'cachedContentTokenCount',
};
