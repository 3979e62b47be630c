import { Dialogue } from '../conversation/dialogue.js';
import type { Findings } from '../conversation/findings.js';
import type { FileContent } from '../conversation/session-of.js';
import { type Fields, isFields, listIn, nameIn, numberIn, stringsIn, usageIn, windowIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import { answersIn, partsFrom } from './parts.js';

/** Lines of Qwen Code: messages of Gemini's API in records that look like Claude Code's. */
export class Qwen {
  readonly #dialogue: Dialogue;
  readonly #lines = new Map<string, number>();
  #id: string | undefined;
  #model: string | undefined;
  #window: number | undefined;

  constructor(readonly findings: Findings) {
    this.#dialogue = new Dialogue(findings);
  }

  add({ line, value }: SessionRecord): void {
    const { findings } = this;
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

  content(): FileContent {
    const about = { id: this.#id, model: this.#model, contextWindow: this.#window };
    return { ...about, ...this.#dialogue.content() };
  }

  #message(line: number, type: 'user' | 'tool_result' | 'assistant', record: Fields): void {
    const { message, timestamp: time } = record;
    if (!isFields(message) || !Array.isArray(message.parts)) {
      this.findings.refuse({ line }, { problem: 'The record has no message with parts', value: message });
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
    const usage = usageIn(record.usageMetadata, usageFields, { model: this.#model, provider: undefined });
    this.#dialogue.say({ line }, { role, content, time }, role === 'user' ? undefined : usage);
  }

  #compact(line: number, { timestamp: time }: Fields, payload: Fields): void {
    const { info, compressedHistory } = payload;
    const about = isFields(info) ? info : {};
    const inner = new Dialogue(this.findings);
    const history = listIn(compressedHistory);
    for (const [index, { role, parts }] of history.entries()) {
      const at = { line, path: `systemPayload.compressedHistory[${index}]` };
      for (const answer of answersIn(parts, time)) inner.answer(at, answer);
      const content = partsFrom(parts);
      if (Array.isArray(content) && content.length > 0)
        inner.say(at, { role: role === 'model' ? 'assistant' : 'user', content, time, summary: index === 0 });
    }
    const [first] = history;
    this.#dialogue.cut(
      {
        place: { line },
        summary: stringsIn(listIn(first?.parts), 'text').join('\n'),
        trigger: nameIn(about, 'triggerReason'),
        tokensBefore: numberIn(about, 'originalTokenCount'),
      },
      inner.from(),
    );
  }
}

const usageFields = [
  'promptTokenCount',
  'candidatesTokenCount thoughtsTokenCount',
  'cachedContentTokenCount',
] as const;
