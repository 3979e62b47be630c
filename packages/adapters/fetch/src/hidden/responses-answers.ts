import { type Fields, isFields } from '@ctx/core/codec';
import {
  type Answer,
  type AnswerForm,
  type AnswerStream,
  eventOf,
  listOf,
  type StreamEvent,
} from './answer-form.js';

const isCallOf = (item: Fields, name: string) => item.type === 'function_call' && item.name === name;
/** Calls whose results the agent has to give. */
const callTypes = [
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'computer_call',
  'shell_call',
  'apply_patch_call',
];
const itemTypes = [...callTypes, 'reasoning'];

function answerOf(items: readonly Fields[], name: string): Answer {
  const calls = items
    .filter((item) => isCallOf(item, name))
    .map((native) => ({ native, args: native.arguments }));
  const isMixed = items.some((item) => callTypes.includes(String(item.type)) && !isCallOf(item, name));
  return { entries: items, calls, isMixed };
}

/** Answers of OpenAI's Responses. */
export const responsesAnswers: AnswerForm = {
  offered: (tools, { name, description, parameters }) => [
    ...tools,
    // Strict would have a model write every argument in each call, as null.
    { type: 'function', name, description, parameters, strict: false },
  ],
  isAnswer: ({ type, role }) => role === 'assistant' || itemTypes.includes(String(type)),
  hasManyEntries: true,
  resultsOf: (results) =>
    results.map(({ native, output }) => ({ type: 'function_call_output', call_id: native.call_id, output })),
  joined: (results, next) => (next === undefined ? results : [...results, next]),
  read: (body, name) => (Array.isArray(body.output) ? answerOf(listOf(body.output), name) : undefined),
  shown: (bodies, name) => ({
    ...bodies.at(-1),
    output: bodies.flatMap((body) => listOf(body.output)).filter((item) => !isCallOf(item, name)),
  }),
  stream: (name) => new ResponsesStream(name),
};

class ResponsesStream implements AnswerStream {
  readonly #items = new Map<number, Fields>();
  /** The place of an item in what the agent is shown. */
  readonly #places = new Map<number, number>();
  readonly #shown: Fields[] = [];
  #sequence = -1;
  #count = 0;
  #isFirst = true;
  #held: { readonly data: Fields; readonly event: StreamEvent }[] = [];

  constructor(readonly name: string) {}

  take(data: Fields, event: StreamEvent): readonly StreamEvent[] {
    if (isFields(data.response)) {
      const isStart = ['response.created', 'response.in_progress', 'response.queued'].includes(
        String(data.type),
      );
      if (!isStart) this.#held.push({ data, event });
      return isStart && this.#isFirst ? [this.#numbered(data, event)] : [];
    }
    if (typeof data.output_index !== 'number') return [this.#numbered(data, event)];
    const index = data.output_index;
    const item = isFields(data.item) ? data.item : undefined;
    if (data.type === 'response.output_item.added' && item !== undefined && !isCallOf(item, this.name)) {
      this.#places.set(index, this.#count);
      this.#count += 1;
    }
    const place = this.#places.get(index);
    if (data.type === 'response.output_item.done' && item !== undefined) {
      this.#items.set(index, item);
      if (place !== undefined) this.#shown[place] = item;
    }
    return place === undefined ? [] : [this.#numbered({ ...data, output_index: place }, event)];
  }

  #numbered(data: Fields, event: StreamEvent): StreamEvent {
    if (data.sequence_number === undefined) return eventOf(data, event);
    this.#sequence += 1;
    return eventOf({ ...data, sequence_number: this.#sequence }, event);
  }

  answer(): Answer {
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    return answerOf(items, this.name);
  }

  next(): readonly StreamEvent[] {
    this.#items.clear();
    this.#places.clear();
    this.#held = [];
    this.#isFirst = false;
    return [];
  }

  end(): readonly StreamEvent[] {
    return this.#held.map(({ data, event }) => {
      const response = data.response as Fields;
      const output = this.#shown.filter((item) => item !== undefined);
      return this.#numbered(
        Array.isArray(response.output) ? { ...data, response: { ...response, output } } : data,
        event,
      );
    });
  }
}
