import { type Fields, known, listIn, nameIn, usageIn } from '../fields.js';
import type { Said } from '../telling/acceptance.js';
import { Dialogue, saidText } from '../telling/dialogue.js';
import type { Findings, Place } from '../telling/findings.js';
import type { Told } from '../telling/told.js';
import type { GeminiMessage, Replaced } from './history.js';
import { answersIn, callFrom, partsFrom, thoughtsFrom } from './parts.js';

/** Makes messages of Gemini CLI's. A result stands with its call and often once more as a message; it is told once. */
export class GeminiTelling {
  readonly #dialogue: Dialogue;
  readonly #answered = new Set<unknown>();
  /** The model that answered last. */
  model: string | undefined;

  constructor(readonly findings: Findings) {
    this.#dialogue = new Dialogue(findings);
  }

  get told(): Pick<Told, 'said' | 'cuts'> {
    return this.#dialogue.told;
  }

  tell({ place, fields }: GeminiMessage): void {
    const { type, timestamp: time } = fields;
    if (type === 'user') this.#ask(place, fields, time);
    else if (type === 'gemini') this.#respond(place, fields, time);
    else if (typeof type === 'string') this.findings.leaveOut(type);
    else this.findings.refuse(place, { problem: 'The message has no type', value: type });
  }

  /** The list that replaces what was before begins with the CLI's own context and the summary. */
  compact({ place, list }: Replaced): void {
    const inner = new GeminiTelling(this.findings);
    for (const message of list) inner.tell(message);
    const { said } = inner.told;
    const isSummary = (one: Said) => one.message.role === 'user' && !isContext(saidText(one));
    const summary = said.find(isSummary);
    const replacement = said.map((one) =>
      one === summary ? { ...one, message: { ...one.message, summary: true } } : one,
    );
    this.#dialogue.cut({ place, summary: summary && saidText(summary) }, replacement);
  }

  #ask(place: Place, { content }: Fields, time: unknown): void {
    for (const answer of answersIn(content, time)) {
      if (this.#answered.has(answer.callId)) {
        this.findings.leaveOut('repeated-result');
        this.#dialogue.repeat(place, answer);
      } else {
        this.#answered.add(answer.callId);
        this.#dialogue.answer(place, answer);
      }
    }
    const parts = partsFrom(content);
    if (!Array.isArray(parts) || parts.length > 0 || (content as unknown[]).length === 0)
      this.#dialogue.say(place, { role: 'user', content: parts, time });
  }

  #respond(place: Place, fields: Fields, time: unknown): void {
    const { content, thoughts, toolCalls, tokens } = fields;
    const calls = listIn(toolCalls);
    const parts = partsFrom(content);
    const texts = Array.isArray(parts) ? parts : parts === '' ? [] : [{ type: 'text', text: parts }];
    const all = [...thoughtsFrom(thoughts), ...texts, ...calls.map(callFrom)];
    this.model = nameIn(fields, 'model') ?? this.model;
    if (all.length === 0) {
      this.findings.skip(place, 'The response has no content');
      return;
    }
    const usage = usageIn(tokens, usageFields, known({ provider: 'google', model: this.model }));
    this.#dialogue.say(place, { role: 'assistant', content: all, time }, usage);
    for (const { id } of calls) this.#answered.delete(id);
    for (const call of calls) {
      for (const answer of answersIn(call.result, call.timestamp ?? time)) {
        this.#answered.add(answer.callId);
        this.#dialogue.answer(place, answer);
      }
    }
  }
}

const usageFields = { input: ['input', 'tool'], output: ['output', 'thoughts'], cacheRead: 'cached' };

/** True for what the CLI says of the machine before the user says anything. */
function isContext(text: string): boolean {
  return text.startsWith('<session_context>');
}
