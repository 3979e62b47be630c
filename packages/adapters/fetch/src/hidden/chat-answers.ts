import type { Fields } from '@ctx/core/codec';
import { isFields } from '@ctx/core/codec';
import { type AnswerForm, AnswerStream, eventOf, fieldsIn, listOf, type StreamEvent } from './answer-form.js';

const functionOf = (call: Fields) => fieldsIn(call.function);
const isCallOf = (call: Fields, name: string) => functionOf(call).name === name;
const firstChoice = ({ choices }: Fields) => listOf(choices).find(({ index = 0 }) => index === 0);
/** Fields of an answer that are none of a message in a request. */
const ofAnswers = ['annotations', 'audio', 'refusal'];

function entriesOf(message: Fields) {
  const kept = Object.entries(message).filter(
    ([key, value]) =>
      key === 'content' ||
      (value !== null && !ofAnswers.includes(key) && !(Array.isArray(value) && value.length === 0)),
  );
  return [{ ...Object.fromEntries(kept), role: 'assistant' }];
}

/** Answers of OpenAI's chat completions. */
export const chatAnswers: AnswerForm = {
  offered: (tools, { name, description, parameters }) => [
    ...tools,
    { type: 'function', function: { name, description, parameters } },
  ],
  isAnswer: ({ role }) => role === 'assistant',
  hasManyEntries: false,
  read(body) {
    const message = firstChoice(body)?.message;
    return isFields(message) ? entriesOf(message) : undefined;
  },
  shown(bodies, name, isCut) {
    const messages = bodies.map((body) => firstChoice(body)?.message as Fields);
    const { tool_calls: _, ...last } = messages.at(-1) ?? {};
    const texts = messages
      .map(({ content }) => content)
      .filter((text) => typeof text === 'string' && text !== '');
    const calls = messages
      .flatMap((message) => listOf(message.tool_calls))
      .filter((call) => !isCallOf(call, name));
    const content = texts.length > 0 ? texts.join('\n') : null;
    const message = { ...last, content, ...(calls.length > 0 && { tool_calls: calls }) };
    const whole = bodies.at(-1) as Fields;
    const choices = listOf(whole.choices).map((choice) =>
      (choice.index ?? 0) === 0 ? { ...choice, message, ...(isCut && { finish_reason: 'stop' }) } : choice,
    );
    return { ...whole, choices };
  },
  stream: (name) => new ChatStream(name),
};

class ChatStream extends AnswerStream {
  #message: Record<string, unknown> = {};
  #id: unknown;

  take(whole: Fields, event: StreamEvent): readonly StreamEvent[] {
    this.#id ??= whole.id;
    const data = this.#id === undefined ? whole : { ...whole, id: this.#id };
    const choice = firstChoice(data);
    // Usage comes last.
    if (choice === undefined) return Array.isArray(data.choices) ? this.hold(data, event) : [event];
    const delta = this.#shownOf(fieldsIn(choice.delta));
    const shown = { ...data, choices: [{ ...choice, delta }] };
    if ((choice.finish_reason ?? undefined) !== undefined) return this.hold(shown, event);
    return Object.keys(delta).length === 0 ? [] : [eventOf(shown, event)];
  }

  /** Adds a piece to what the model has said. Gives what the agent is shown of it. */
  #shownOf({ tool_calls: calls, role, ...rest }: Fields): Fields {
    for (const [key, value] of Object.entries(rest)) {
      const before = this.#message[key];
      if (typeof value === 'string') this.#message[key] = `${before ?? ''}${value}`;
      else if (Array.isArray(value))
        this.#message[key] = [...(Array.isArray(before) ? before : []), ...value];
      else if (value !== null) this.#message[key] = value;
    }
    const shown = listOf(calls).flatMap((call) => {
      const index = this.#added(call);
      return index === undefined ? [] : [{ ...call, index }];
    });
    const isRoleNew = role !== undefined && this.isFirst;
    return { ...(isRoleNew && { role }), ...rest, ...(shown.length > 0 && { tool_calls: shown }) };
  }

  /** The place of a call in what is shown; `undefined` for one of the hidden tool. */
  #added({ index: at = 0, ...call }: Fields): number | undefined {
    const index = Number(at);
    const known = this.parts.get(index);
    if (known === undefined && !isCallOf(call, this.name)) this.show(index);
    const { arguments: before = '', ...named } = functionOf(known ?? {});
    const { arguments: more = '', ...piece } = functionOf(call);
    const called = known === undefined ? piece : named;
    this.parts.set(index, { ...(known ?? call), function: { ...called, arguments: `${before}${more}` } });
    return this.placeOf(index);
  }

  entries(): readonly unknown[] {
    return entriesOf({ content: null, ...this.#message, tool_calls: [...this.parts.values()] });
  }

  override next(): readonly StreamEvent[] {
    this.#message = {};
    return super.next();
  }

  protected override continued(data: Fields): Fields | undefined {
    const choice = firstChoice(data);
    if (choice === undefined || Object.keys(fieldsIn(choice.delta)).length === 0) return undefined;
    return { ...data, choices: [{ ...choice, finish_reason: null }] };
  }

  protected override ended(data: Fields, isCut: boolean): Fields {
    const choice = firstChoice(data);
    if (!isCut || choice === undefined) return data;
    return { ...data, choices: [{ ...choice, finish_reason: 'stop' }] };
  }
}
