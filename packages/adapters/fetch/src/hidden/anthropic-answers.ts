import { type Fields, isFields } from '@ctx/core/codec';
import {
  type AnswerForm,
  AnswerStream,
  eventOf,
  fieldsIn,
  listOf,
  parsedArguments,
  type StreamEvent,
} from './answer-form.js';

const isCallOf = (block: Fields, name: string) => block.type === 'tool_use' && block.name === name;

function entriesOf(all: readonly Fields[]) {
  // An empty text is refused in a history.
  const content = all.filter((block) => block.type !== 'text' || block.text !== '');
  return content.length > 0 ? [{ role: 'assistant', content }] : [];
}

/** Answers of the Messages API. */
export const anthropicAnswers: AnswerForm = {
  offered: (tools, { name, description, parameters }) => [
    ...tools,
    { name, description, input_schema: parameters },
  ],
  isAnswer: ({ role }) => role === 'assistant',
  hasManyEntries: false,
  read: ({ content }) => (Array.isArray(content) ? entriesOf(listOf(content)) : undefined),
  shown(bodies, name, isCut) {
    const content = bodies.flatMap((body) => listOf(body.content)).filter((one) => !isCallOf(one, name));
    return { ...bodies.at(-1), content, ...(isCut && { stop_reason: 'end_turn' }) };
  },
  stream: (name) => new AnthropicStream(name),
};

class AnthropicStream extends AnswerStream {
  take(data: Fields, event: StreamEvent): readonly StreamEvent[] {
    const index = Number(data.index);
    switch (data.type) {
      case 'message_start':
        return this.isFirst ? [event] : [];
      case 'content_block_start': {
        const block = fieldsIn(data.content_block);
        this.parts.set(index, { ...block });
        if (!isCallOf(block, this.name)) this.show(index);
        break;
      }
      case 'content_block_delta':
        this.#add(index, fieldsIn(data.delta));
        break;
      case 'content_block_stop':
        break;
      case 'message_delta':
      case 'message_stop':
        return this.hold(data, event);
      default:
        return [event];
    }
    const place = this.placeOf(index);
    if (place === undefined) return [];
    return [place === index ? event : eventOf({ ...data, index: place }, event)];
  }

  #add(index: number, { type: _, citation, ...texts }: Fields): void {
    const block = this.parts.get(index);
    if (block === undefined) return;
    if (citation !== undefined) block.citations = [...listOf(block.citations), citation];
    for (const [key, text] of Object.entries(texts))
      if (typeof text === 'string') block[key] = `${block[key] ?? ''}${text}`;
  }

  entries(): readonly unknown[] {
    const blocks = [...this.parts.values()].map(({ partial_json: input, ...block }) =>
      input === undefined ? block : { ...block, input: parsedArguments(String(input)) },
    );
    return entriesOf(blocks);
  }

  protected override ended(data: Fields, isCut: boolean): Fields {
    return isCut && isFields(data.delta)
      ? { ...data, delta: { ...data.delta, stop_reason: 'end_turn' } }
      : data;
  }
}
