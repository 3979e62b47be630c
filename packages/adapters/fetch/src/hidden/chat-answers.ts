import { type Fields, isFields } from '@ctx/core/codec';
import {
  type Answer,
  type AnswerForm,
  type AnswerStream,
  eventOf,
  listOf,
  type StreamEvent,
} from './answer-form.js';

const functionOf = (call: Fields) => (isFields(call.function) ? call.function : {});
const isCallOf = (call: Fields, name: string) => functionOf(call).name === name;
const firstChoice = ({ choices }: Fields) => listOf(choices).find(({ index = 0 }) => index === 0);
/** Fields of an answer that are none of a message in a request. */
const ofAnswers = ['annotations', 'audio', 'refusal'];

function answerOf(message: Fields, name: string): Answer {
  const kept = Object.entries(message).filter(
    ([key, value]) => key === 'content' || (value !== null && !ofAnswers.includes(key)),
  );
  const all = listOf(message.tool_calls);
  const calls = all
    .filter((call) => isCallOf(call, name))
    .map((native) => ({ native, args: functionOf(native).arguments }));
  const entry = Object.fromEntries(kept.filter(([, value]) => !(Array.isArray(value) && value.length === 0)));
  return { entries: [{ ...entry, role: 'assistant' }], calls, isMixed: calls.length < all.length };
}

/** Answers of OpenAI's chat completions. */
export const chatAnswers: AnswerForm = {
  offered: (tools, { name, description, parameters }) => [
    ...tools,
    { type: 'function', function: { name, description, parameters } },
  ],
  isAnswer: ({ role }) => role === 'assistant',
  hasManyEntries: false,
  resultsOf: (results) =>
    results.map(({ native, output }) => ({ role: 'tool', tool_call_id: native.id, content: output })),
  joined: (results, next) => (next === undefined ? results : [...results, next]),
  read(body, name) {
    const message = firstChoice(body)?.message;
    return isFields(message) ? answerOf(message, name) : undefined;
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

class ChatStream implements AnswerStream {
  #message: Record<string, unknown> = {};
  readonly #calls = new Map<number, Record<string, unknown>>();
  /** The place of a call in what the agent is shown. */
  readonly #places = new Map<number, number>();
  #shown = 0;
  #isFirst = true;
  #id: unknown;
  #held: { readonly data: Fields; readonly event: StreamEvent }[] = [];

  constructor(readonly name: string) {}

  take(whole: Fields, event: StreamEvent): readonly StreamEvent[] {
    this.#id ??= whole.id;
    const data = this.#id === undefined ? whole : { ...whole, id: this.#id };
    const choice = firstChoice(data);
    if (choice === undefined) {
      // Usage comes last.
      if (Array.isArray(data.choices)) this.#held.push({ data, event });
      return Array.isArray(data.choices) ? [] : [event];
    }
    const delta = this.#shownOf(isFields(choice.delta) ? choice.delta : {});
    const isEnd = choice.finish_reason !== null && choice.finish_reason !== undefined;
    const shown = { ...data, choices: [{ ...choice, delta }] };
    if (isEnd) this.#held.push({ data: shown, event });
    return isEnd || Object.keys(delta).length === 0 ? [] : [eventOf(shown, event)];
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
    const isRoleNew = role !== undefined && this.#isFirst;
    return { ...(isRoleNew && { role }), ...rest, ...(shown.length > 0 && { tool_calls: shown }) };
  }

  /** The place of a call in what is shown; `undefined` for one of the hidden tool. */
  #added(call: Fields): number | undefined {
    const index = Number(call.index ?? 0);
    const known = this.#calls.get(index);
    const piece = functionOf(call);
    if (known === undefined) {
      const { index: _, ...rest } = call;
      this.#calls.set(index, { ...rest, function: { ...piece, arguments: piece.arguments ?? '' } });
      if (isCallOf(call, this.name)) return undefined;
      this.#places.set(index, this.#shown);
      this.#shown += 1;
    } else {
      const before = functionOf(known);
      known.function = { ...before, arguments: `${before.arguments ?? ''}${piece.arguments ?? ''}` };
    }
    return this.#places.get(index);
  }

  answer(): Answer {
    const calls = [...this.#calls.values()];
    const message = { content: null, ...this.#message, ...(calls.length > 0 && { tool_calls: calls }) };
    return answerOf(message, this.name);
  }

  next(): readonly StreamEvent[] {
    const left = this.#held.flatMap(({ data, event }) => {
      const choice = firstChoice(data);
      if (choice === undefined || Object.keys(choice.delta as Fields).length === 0) return [];
      return [eventOf({ ...data, choices: [{ ...choice, finish_reason: null }] }, event)];
    });
    this.#message = {};
    this.#calls.clear();
    this.#places.clear();
    this.#held = [];
    this.#isFirst = false;
    return left;
  }

  end(isCut: boolean): readonly StreamEvent[] {
    return this.#held.map(({ data, event }) => {
      const choice = firstChoice(data);
      if (!isCut || choice === undefined) return eventOf(data, event);
      return eventOf({ ...data, choices: [{ ...choice, finish_reason: 'stop' }] }, event);
    });
  }
}
