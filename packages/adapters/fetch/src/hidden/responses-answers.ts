import { type Fields, isFields } from '@ctx/core/codec';
import { type AnswerForm, AnswerStream, eventOf, listOf, type StreamEvent } from './answer-form.js';

const isCallOf = (item: Fields, name: string) => item.type === 'function_call' && item.name === name;
/** Items that the model wrote besides messages: reasoning, and calls whose results the agent has to give. */
const answerTypes = [
  'reasoning',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'computer_call',
  'shell_call',
  'apply_patch_call',
];
const startTypes = ['response.created', 'response.in_progress', 'response.queued'];

/** Answers of OpenAI's Responses. */
export const responsesAnswers: AnswerForm = {
  offered: (tools, { name, description, parameters }) => [
    ...tools,
    // Strict would have a model write every argument in each call, as null.
    { type: 'function', name, description, parameters, strict: false },
  ],
  isAnswer: ({ type, role }) => role === 'assistant' || answerTypes.includes(String(type)),
  hasManyEntries: true,
  read: ({ output }) => (Array.isArray(output) ? listOf(output) : undefined),
  shown: (bodies, name) => ({
    ...bodies.at(-1),
    output: bodies.flatMap((body) => listOf(body.output)).filter((item) => !isCallOf(item, name)),
  }),
  stream: (name) => new ResponsesStream(name),
};

class ResponsesStream extends AnswerStream {
  /** What the agent was shown of all answers. */
  readonly #output: Fields[] = [];
  #sequence = -1;

  take(data: Fields, event: StreamEvent): readonly StreamEvent[] {
    if (isFields(data.response)) {
      if (!startTypes.includes(String(data.type))) return this.hold(data, event);
      return this.isFirst ? [eventOf(this.#numbered(data), event)] : [];
    }
    const { output_index: index, item } = data;
    if (typeof index !== 'number') return [eventOf(this.#numbered(data), event)];
    if (data.type === 'response.output_item.added' && isFields(item) && !isCallOf(item, this.name))
      this.show(index);
    const place = this.placeOf(index);
    if (data.type === 'response.output_item.done' && isFields(item)) {
      this.parts.set(index, item);
      if (place !== undefined) this.#output[place] = item;
    }
    return place === undefined ? [] : [eventOf(this.#numbered({ ...data, output_index: place }), event)];
  }

  #numbered(data: Fields): Fields {
    if (data.sequence_number === undefined) return data;
    this.#sequence += 1;
    return { ...data, sequence_number: this.#sequence };
  }

  entries(): readonly unknown[] {
    return [...this.parts].sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  protected override ended(data: Fields): Fields {
    const response = data.response as Fields;
    const output = this.#output.filter((item) => item !== undefined);
    return this.#numbered(
      Array.isArray(response.output) ? { ...data, response: { ...response, output } } : data,
    );
  }
}
