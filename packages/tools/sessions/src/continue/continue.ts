import { parseJson } from '@ctx/core/codec';
import { type Fields, isFields, known, listIn, nameIn, usageIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import { type Reading, type Recorder, secondDocument } from '../reader.js';
import { Dialogue, saidOf } from '../telling/dialogue.js';
import type { Place } from '../telling/findings.js';
import type { Told } from '../telling/told.js';

/** A session of Continue: messages with calls in OpenAI's form, and the results beside the calls. */
export class Continue implements Recorder {
  readonly #dialogue: Dialogue;
  #id: string | undefined;
  #isRead = false;
  #model: string | undefined;

  constructor(readonly reading: Reading) {
    this.#dialogue = new Dialogue(reading.findings);
  }

  add({ line, value }: SessionRecord): void {
    if (this.#isRead) {
      this.reading.findings.refuse({ line }, secondDocument);
      return;
    }
    const record = value as Fields;
    const { history } = record;
    this.#id ??= nameIn(record, 'sessionId');
    if (!Array.isArray(history)) {
      this.reading.findings.refuse({ line }, { problem: 'The session has no history', value });
      return;
    }
    this.#isRead = true;
    for (const [index, entry] of history.entries()) this.#entry({ line, path: `history[${index}]` }, entry);
  }

  told(): Told {
    const id = this.#id ?? this.reading.name;
    return { about: known({ id, format: 'continue' as const, model: this.#model }), ...this.#dialogue.told };
  }

  #entry(place: Place, entry: unknown): void {
    const { message, toolCallStates, conversationSummary } = isFields(entry) ? entry : {};
    const { role, content, toolCallId } = isFields(message) ? message : {};
    if (typeof conversationSummary === 'string') this.#compact(place, conversationSummary, role);
    else if (role === 'assistant') this.#respond(place, message as Fields, toolCallStates);
    else if (role === 'tool') this.#dialogue.answer(place, { callId: toolCallId, output: content ?? '' });
    else if (role === 'thinking') this.reading.findings.leaveOut('thinking');
    else if (role === 'user' || role === 'system')
      this.#dialogue.say(place, { role, content: partsFrom(content) });
    else
      this.reading.findings.refuse(place, { problem: 'The role of the message is not known', value: role });
  }

  /** What was said before a summary is not in the file any more. */
  #compact(place: Place, summary: string, role: unknown): void {
    const author = role === 'user' ? role : 'assistant';
    this.#dialogue.cut({ place, summary }, [
      saidOf(place, { role: author, content: summary, summary: true }),
    ]);
  }

  #respond(place: Place, { content, toolCalls, usage }: Fields, states: unknown): void {
    const calls = listIn(toolCalls).map(callFrom);
    const text = partsFrom(content);
    const parts = Array.isArray(text)
      ? text
      : text === '' || text === undefined
        ? []
        : [{ type: 'text', text }];
    if (parts.length + calls.length === 0) {
      this.reading.findings.skip(place, 'The response has no content');
      return;
    }
    if (isFields(usage)) this.#model = nameIn(usage, 'model') ?? this.#model;
    const { prompt_tokens_details: details, ...tokens } = isFields(usage) ? usage : {};
    const reported = isFields(usage) ? { ...tokens, ...(isFields(details) && details) } : undefined;
    this.#dialogue.say(
      place,
      { role: 'assistant', content: [...parts, ...calls] },
      usageIn(reported, usageFields, known({ model: this.#model })),
    );
    for (const state of listIn(states)) {
      if (!Array.isArray(state.output)) continue;
      const failed = state.status === 'errored' && { isError: true };
      this.#dialogue.answer(place, { callId: state.toolCallId, output: outputOf(state.output), ...failed });
    }
  }
}

const usageFields = {
  input: ['prompt_tokens'],
  output: ['completion_tokens'],
  cacheRead: 'cached_tokens',
  cacheWrite: 'cache_write_tokens',
};

function callFrom({ id, function: called }: Fields): unknown {
  const { name, arguments: text } = isFields(called) ? called : {};
  return { type: 'tool-call', toolCallId: id, toolName: name, input: parsed(text) };
}

/** Calls are written as the model wrote them, which need not be JSON. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text ?? {};
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function outputOf(output: readonly unknown[]): string {
  return listIn(output)
    .map(({ content }) => content)
    .filter((content) => typeof content === 'string')
    .join('\n');
}

/** Texts and images of a message. */
function partsFrom(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown) => {
    if (!isFields(part) || part.type !== 'imageUrl' || !isFields(part.imageUrl)) return part;
    return { type: 'image', image: part.imageUrl.url };
  });
}
