import { type Answer, Dialogue, placedOf } from './conversation/dialogue.js';
import type { Findings } from './conversation/findings.js';
import type { FileContent, Placed } from './conversation/session-of.js';
import { type Fields, isFields, nameIn, numberIn, usageIn, windowIn } from './fields.js';
import type { SessionRecord } from './files/records.js';

/** Events of Copilot CLI. Those of sub-agents are skipped. */
export class Copilot {
  readonly #dialogue: Dialogue;
  #id: string | undefined;
  #model: string | undefined;
  #provider: string | undefined;
  #usage: Fields | undefined;
  #window: number | undefined;
  #prompt: Placed | undefined;
  /** Where the compaction that is under way began. The agent goes on meanwhile. */
  #compaction: number | undefined;

  constructor(readonly findings: Findings) {
    this.#dialogue = new Dialogue(findings);
  }

  add({ line, value }: SessionRecord): void {
    const { findings } = this;
    const { type, data, timestamp } = value as Fields;
    if (typeof type !== 'string') findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (!isFields(data)) findings.refuse({ line }, { problem: 'The event has no data', value });
    else if (nameIn(data, 'parentToolCallId') !== undefined) findings.leaveOut('sub-agent');
    else this.#event(line, type, data, timestamp);
  }

  content(): FileContent {
    const { placed, cuts } = this.#dialogue.content();
    const prompt = this.#prompt === undefined ? [] : [this.#prompt];
    return {
      id: this.#id,
      ...this.#names,
      contextWindow: this.#window,
      placed: [...prompt, ...placed],
      cuts: cuts.map(({ at, replacement, ...cut }) => ({
        ...cut,
        at: at + prompt.length,
        replacement: [...prompt, ...replacement],
      })),
    };
  }

  get #names() {
    return { provider: this.#provider, model: this.#model };
  }

  #event(line: number, type: string, data: Fields, time: unknown): void {
    const place = { line };
    switch (type) {
      case 'user.message':
        this.#dialogue.say(place, { role: 'user', content: data.transformedContent ?? data.content, time });
        break;
      case 'system.message':
        // It comes first, wherever its event is.
        if (this.#prompt !== undefined) this.findings.leaveOut(type);
        this.#prompt ??= placedOf(place, { role: 'system', content: data.content, time });
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
        this.findings.leaveOut(type);
    }
  }

  #respond(line: number, data: Fields, time: unknown): void {
    this.#model = nameIn(data, 'model') ?? this.#model;
    const usage = usageIn(this.#usage, usageFields, this.#names);
    this.#usage = undefined;
    const content = copilotContent(data);
    if (content.length > 0) this.#dialogue.say({ line }, { role: 'assistant', content, time }, usage);
    else this.findings.skip({ line }, 'The response has no content');
  }

  #compact(line: number, data: Fields, time: unknown): void {
    const position = this.#compaction;
    this.#compaction = undefined;
    const summary = nameIn(data, 'summaryContent');
    if (data.success === false || summary === undefined) {
      this.findings.leaveOut('session.compaction_complete');
      return;
    }
    this.#dialogue.cut(
      {
        place: { line },
        ...(position !== undefined && { position }),
        summary,
        trigger: nameIn(data, 'trigger'),
        tokensBefore: numberIn(data, 'preCompactionTokens'),
      },
      [placedOf({ line }, { role: 'user', content: summary, time, summary: true })],
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

const usageFields = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

/** The parts of an `assistant.message`: what it thought, said and called. */
function copilotContent(data: Fields): unknown[] {
  const { content, toolRequests } = data;
  const calls = Array.isArray(toolRequests) ? toolRequests : [];
  return [
    ...reasoningIn(data),
    ...(content === '' || content === undefined || content === null ? [] : [{ type: 'text', text: content }]),
    ...calls.map((call: unknown) => {
      const { toolCallId, name, arguments: input } = isFields(call) ? call : {};
      return { type: 'tool-call', toolCallId, toolName: name, input: input ?? {} };
    }),
  ];
}

/** If there is no text, the model reads what is encrypted. */
function reasoningIn(data: Fields): unknown[] {
  const text = nameIn(data, 'reasoningText');
  if (text !== undefined) return [{ type: 'reasoning', text }];
  const encrypted = nameIn(data, 'encryptedContent') ?? nameIn(data, 'reasoningOpaque');
  return encrypted === undefined ? [] : [{ type: 'reasoning', text: '', encrypted }];
}

/** What a `tool.execution_complete` says to the model. */
function resultOf({ toolCallId, toolName, success, result, error }: Fields): Answer {
  const failed = success === false;
  const { content } = isFields(result) ? result : {};
  const { message } = isFields(error) ? error : {};
  return { callId: toolCallId, toolName, output: content ?? message ?? '', ...(failed && { isError: true }) };
}
