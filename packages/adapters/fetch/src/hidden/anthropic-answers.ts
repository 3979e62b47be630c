import { type Fields, isFields } from '@ctx/core/codec';
import {
  type Answer,
  type AnswerForm,
  type AnswerStream,
  eventOf,
  listOf,
  parsedArguments,
  type StreamEvent,
} from './answer-form.js';

const isCallOf = (block: Fields, name: string) => block.type === 'tool_use' && block.name === name;

function answerOf(all: readonly Fields[], name: string): Answer {
  // An empty text is refused in a history.
  const blocks = all.filter((block) => block.type !== 'text' || block.text !== '');
  const calls = blocks
    .filter((block) => isCallOf(block, name))
    .map((native) => ({ native, args: native.input }));
  const isMixed = blocks.some((block) => block.type === 'tool_use' && block.name !== name);
  return { entries: blocks.length > 0 ? [{ role: 'assistant', content: blocks }] : [], calls, isMixed };
}

/** Answers of the Messages API. */
export const anthropicAnswers: AnswerForm = {
  offered: (tools, { name, description, parameters }) => [
    ...tools,
    { name, description, input_schema: parameters },
  ],
  isAnswer: ({ role }) => role === 'assistant',
  hasManyEntries: false,
  resultsOf: (results) => [
    {
      role: 'user',
      content: results.map(({ native, output }) => ({
        type: 'tool_result',
        tool_use_id: native.id,
        content: output,
      })),
    },
  ],
  joined(results, next) {
    if (!isFields(next) || next.role !== 'user') return next === undefined ? results : [...results, next];
    const own = results.flatMap((one) => listOf((one as Fields).content));
    const { content } = next;
    const said = Array.isArray(content) ? content : [{ type: 'text', text: content }];
    return [{ ...next, content: [...own, ...said] }];
  },
  read: (body, name) => (Array.isArray(body.content) ? answerOf(listOf(body.content), name) : undefined),
  shown(bodies, name, isCut) {
    const content = bodies.flatMap((body) => listOf(body.content)).filter((one) => !isCallOf(one, name));
    return { ...bodies.at(-1), content, ...(isCut && { stop_reason: 'end_turn' }) };
  },
  stream: (name) => new AnthropicStream(name),
};

class AnthropicStream implements AnswerStream {
  readonly #blocks = new Map<number, Record<string, unknown>>();
  /** Texts of JSON that the input of a call is made of. */
  readonly #inputs = new Map<number, string>();
  /** The place of a block in what the agent is shown. */
  readonly #places = new Map<number, number>();
  #shown = 0;
  #isFirst = true;
  #held: { readonly data: Fields; readonly event: StreamEvent }[] = [];

  constructor(readonly name: string) {}

  take(data: Fields, event: StreamEvent): readonly StreamEvent[] {
    const index = Number(data.index);
    switch (data.type) {
      case 'message_start':
        return this.#isFirst ? [event] : [];
      case 'content_block_start': {
        const block = isFields(data.content_block) ? data.content_block : {};
        this.#blocks.set(index, { ...block });
        if (isCallOf(block, this.name)) return [];
        this.#places.set(index, this.#shown);
        this.#shown += 1;
        break;
      }
      case 'content_block_delta':
        this.#add(index, isFields(data.delta) ? data.delta : {});
        break;
      case 'content_block_stop':
        break;
      case 'message_delta':
      case 'message_stop':
        this.#held.push({ data, event });
        return [];
      default:
        return [event];
    }
    const place = this.#places.get(index);
    if (place === undefined) return [];
    return [place === index ? event : eventOf({ ...data, index: place }, event)];
  }

  #add(index: number, delta: Fields): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    const more = (key: string) => {
      block[key] = `${block[key] ?? ''}${delta[key] ?? ''}`;
    };
    if (delta.type === 'text_delta') more('text');
    else if (delta.type === 'thinking_delta') more('thinking');
    else if (delta.type === 'signature_delta') more('signature');
    else if (delta.type === 'citations_delta')
      block.citations = [...listOf(block.citations), delta.citation as Fields];
    else if (delta.type === 'input_json_delta')
      this.#inputs.set(index, `${this.#inputs.get(index) ?? ''}${delta.partial_json ?? ''}`);
  }

  answer(): Answer {
    const blocks = [...this.#blocks].map(([index, block]) => {
      const input = this.#inputs.get(index);
      return input === undefined ? block : { ...block, input: parsedArguments(input) };
    });
    return answerOf(blocks, this.name);
  }

  next(): readonly StreamEvent[] {
    for (const all of [this.#blocks, this.#inputs, this.#places]) all.clear();
    this.#held = [];
    this.#isFirst = false;
    return [];
  }

  end(isCut: boolean): readonly StreamEvent[] {
    return this.#held.map(({ data, event }) =>
      isCut && isFields(data.delta)
        ? eventOf({ ...data, delta: { ...data.delta, stop_reason: 'end_turn' } }, event)
        : event,
    );
  }
}
