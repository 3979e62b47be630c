import { type Fields, isFields, known, nameIn, numberIn, usageIn, windowIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import type { Said } from '../telling/acceptance.js';
import { Dialogue, saidOf } from '../telling/dialogue.js';
import type { Told } from '../telling/told.js';
import { copilotContent, resultOf } from './parts.js';

/** Events of Copilot CLI. Those of sub-agents are skipped. */
export class Copilot implements Recorder {
  readonly #dialogue: Dialogue;
  #id: string | undefined;
  #model: string | undefined;
  #provider: string | undefined;
  #usage: Fields | undefined;
  #window: number | undefined;
  #prompt: Said | undefined;
  /** Where the compaction that is under way began. The agent goes on meanwhile. */
  #compaction: number | undefined;

  constructor(readonly reading: Reading) {
    this.#dialogue = new Dialogue(reading.findings);
  }

  add({ line, value }: SessionRecord): void {
    const { findings } = this.reading;
    const { type, data, timestamp } = value as Fields;
    if (typeof type !== 'string') findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (!isFields(data)) findings.refuse({ line }, { problem: 'The event has no data', value });
    else if (nameIn(data, 'parentToolCallId') !== undefined) findings.leaveOut('sub-agent');
    else this.#event(line, type, data, timestamp);
  }

  told(): Told {
    const { said, cuts } = this.#dialogue.told;
    const prompt = this.#prompt === undefined ? [] : [this.#prompt];
    return {
      about: known({
        id: this.#id ?? this.reading.name,
        format: 'copilot' as const,
        model: this.#model,
        provider: this.#provider,
        contextWindow: this.#window,
      }),
      said: [...prompt, ...said],
      cuts: cuts.map(({ at, replacement, ...cut }) => ({
        ...cut,
        at: at + prompt.length,
        replacement: [...prompt, ...replacement],
      })),
    };
  }

  #event(line: number, type: string, data: Fields, time: unknown): void {
    const place = { line };
    switch (type) {
      case 'user.message':
        this.#dialogue.say(place, { role: 'user', content: data.transformedContent ?? data.content, time });
        break;
      case 'system.message':
        this.#instruct(saidOf(place, { role: 'system', content: data.content, time }));
        break;
      case 'assistant.message':
        this.#respond(line, data, time);
        break;
      case 'tool.execution_complete':
        this.#dialogue.answer(place, { ...resultOf(data), time });
        break;
      case 'session.compaction_complete':
        this.#compact(line, data, time);
        break;
      default:
        this.#about(type, data);
        this.reading.findings.leaveOut(type);
    }
  }

  /** The system prompt comes first, wherever its event stands. */
  #instruct(prompt: Said): void {
    if (this.#prompt === undefined) this.#prompt = prompt;
    else this.reading.findings.leaveOut('system.message');
  }

  #respond(line: number, data: Fields, time: unknown): void {
    this.#model = nameIn(data, 'model') ?? this.#model;
    const names = known({ provider: this.#provider, model: this.#model });
    const usage = usageIn(this.#usage, usageFields, names);
    this.#usage = undefined;
    const content = copilotContent(data);
    if (content.length > 0) this.#dialogue.say({ line }, { role: 'assistant', content, time }, usage);
    else this.reading.findings.skip({ line }, 'The response has no content');
  }

  #compact(line: number, data: Fields, time: unknown): void {
    const position = this.#compaction;
    this.#compaction = undefined;
    const summary = nameIn(data, 'summaryContent');
    if (data.success === false || summary === undefined) {
      this.reading.findings.leaveOut('session.compaction_complete');
      return;
    }
    this.#dialogue.cut(
      {
        place: { line },
        ...(position !== undefined && { position }),
        summary,
        trigger: nameIn(data, 'trigger'),
        tokensBefore: numberIn(data, 'preCompactionTokens'),
        tokensAfter: numberIn(data, 'postCompactionTokens'),
      },
      [saidOf({ line }, { role: 'user', content: summary, time, summary: true })],
    );
  }

  #about(type: string, data: Fields): void {
    if (type === 'session.start') {
      this.#id ??= nameIn(data, 'sessionId');
      this.#model ??= nameIn(data, 'selectedModel');
    } else if (type === 'session.model_change') this.#model = nameIn(data, 'newModel') ?? this.#model;
    else if (type === 'session.compaction_start') {
      this.#compaction = this.#dialogue.position;
      this.#window = windowIn(data, 'tokenLimit') ?? this.#window;
    } else if (type === 'session.usage_record' && isFields(data.usage)) {
      this.#usage = data.usage;
      this.#provider = nameIn(data.usage, 'providerType') ?? this.#provider;
    }
  }
}

const usageFields = {
  input: ['inputTokens'],
  output: ['outputTokens'],
  cacheRead: 'cacheReadTokens',
  cacheWrite: 'cacheWriteTokens',
};
