import { countIn, type Fields, isFields, nameIn, windowIn } from '../fields.js';
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
    const model = this.#model === undefined ? {} : { model: this.#model };
    const window = this.#window === undefined ? {} : { contextWindow: this.#window };
    const id = this.#id ?? this.reading.name;
    return { about: { id, format: 'qwen', ...model, ...window }, ...this.#dialogue.told };
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
    for (const answer of answersIn(message.parts, time)) this.#dialogue.answer({ line }, answer);
    const content = partsFrom(message.parts);
    const hasAnswers = answersIn(message.parts, time).length > 0;
    if (hasAnswers && (content as unknown[]).length === 0) return;
    const role = type === 'assistant' ? type : 'user';
    this.#dialogue.say({ line }, { role, content, time }, role === 'user' ? undefined : this.#usage(record));
  }

  #compact(line: number, { timestamp: time }: Fields, payload: Fields): void {
    const { info, compressedHistory } = payload;
    const { originalTokenCount: before, newTokenCount: after, triggerReason } = isFields(info) ? info : {};
    const place = { line };
    const inner = new Dialogue(this.reading.findings);
    const history = Array.isArray(compressedHistory) ? compressedHistory.filter(isFields) : [];
    for (const [index, { role, parts }] of history.entries()) {
      const at = { line, path: `systemPayload.compressedHistory[${index}]` };
      for (const answer of answersIn(parts, time)) inner.answer(at, answer);
      const content = partsFrom(parts);
      if (Array.isArray(content) && content.length > 0)
        inner.say(at, { role: role === 'model' ? 'assistant' : 'user', content, time, summary: index === 0 });
    }
    const [first] = history;
    const texts = (Array.isArray(first?.parts) ? first.parts : []).filter(isFields).map(({ text }) => text);
    const summary = texts.filter((text) => typeof text === 'string').join('\n');
    this.#dialogue.cut(
      {
        place,
        position: this.#dialogue.position,
        ...(summary !== '' && { summary }),
        ...(typeof triggerReason === 'string' && { trigger: triggerReason }),
        ...(typeof before === 'number' && { tokensBefore: before }),
        ...(typeof after === 'number' && { tokensAfter: after }),
      },
      inner.said(),
    );
  }

  #usage({ usageMetadata: usage }: Fields) {
    if (!isFields(usage)) return undefined;
    return {
      inputTokens: countIn(usage, 'promptTokenCount'),
      outputTokens: countIn(usage, 'candidatesTokenCount') + countIn(usage, 'thoughtsTokenCount'),
      cacheReadTokens: countIn(usage, 'cachedContentTokenCount'),
      cacheWriteTokens: 0,
      provider: 'unknown',
      model: this.#model ?? 'unknown',
      aborted: false,
    };
  }
}
