import { type Fields, isFields } from '@ctx/core/codec';
import {
  type Answer,
  type AnswerForm,
  type AnswerStream,
  eventOf,
  listOf,
  type StreamEvent,
} from './answer-form.js';

const callIn = (part: Fields) => (isFields(part.functionCall) ? part.functionCall : undefined);
const isCallOf = (part: Fields, name: string) => callIn(part)?.name === name;
const contentOf = (candidate: Fields | undefined) => (isFields(candidate?.content) ? candidate.content : {});
const firstOf = (body: Fields) => listOf(body.candidates)[0];
const partsOf = (body: Fields) => listOf(contentOf(firstOf(body)).parts);

function answerOf(all: readonly Fields[], name: string): Answer {
  // An empty text says nothing, unless it carries a signature.
  const parts = all.filter((part) => part.text !== '' || part.thoughtSignature !== undefined);
  const calls = parts
    .filter((part) => isCallOf(part, name))
    .map((native) => ({ native, args: callIn(native)?.args }));
  const isMixed = parts.some((part) => callIn(part) !== undefined && !isCallOf(part, name));
  return { entries: parts.length > 0 ? [{ role: 'model', parts }] : [], calls, isMixed };
}

/** The answer with other parts for its first candidate. */
function withParts(body: Fields, parts: readonly Fields[]): Fields {
  const [first, ...others] = listOf(body.candidates);
  const content = { ...contentOf(first), parts };
  return { ...body, candidates: [{ ...first, content }, ...others] };
}

/** Answers of the Gemini API. */
export const googleAnswers: AnswerForm = {
  offered: (tools, { name, description, parameters }) => [
    ...tools,
    { functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] },
  ],
  isAnswer: ({ role }) => role === 'model',
  hasManyEntries: false,
  resultsOf: (results) => [
    {
      role: 'user',
      parts: results.map(({ native, output }) => {
        const { id, name } = callIn(native) ?? {};
        return { functionResponse: { ...(id !== undefined && { id }), name, response: { output } } };
      }),
    },
  ],
  joined(results, next) {
    if (!isFields(next) || next.role === 'model') return next === undefined ? results : [...results, next];
    const own = results.flatMap((one) => listOf((one as Fields).parts));
    return [{ ...next, parts: [...own, ...listOf(next.parts)] }];
  },
  read: (body, name) => (firstOf(body) === undefined ? undefined : answerOf(partsOf(body), name)),
  shown: (bodies, name) =>
    withParts(
      bodies.at(-1) as Fields,
      bodies.flatMap(partsOf).filter((part) => !isCallOf(part, name)),
    ),
  stream: (name) => new GoogleStream(name),
};

class GoogleStream implements AnswerStream {
  #parts: Fields[] = [];
  #held: { readonly data: Fields; readonly event: StreamEvent }[] = [];

  constructor(readonly name: string) {}

  take(data: Fields, event: StreamEvent): readonly StreamEvent[] {
    const first = firstOf(data);
    if (first === undefined) return [event];
    const parts = partsOf(data);
    this.#parts.push(...parts);
    const shown = parts.filter((part) => !isCallOf(part, this.name));
    const passed = shown.length === parts.length ? event : eventOf(withParts(data, shown), event);
    if (first.finishReason === undefined) return shown.length === 0 && parts.length > 0 ? [] : [passed];
    this.#held.push({ data: withParts(data, shown), event: passed });
    return [];
  }

  answer(): Answer {
    return answerOf(this.#parts, this.name);
  }

  next(): readonly StreamEvent[] {
    const left = this.#held.filter(({ data }) => partsOf(data).length > 0);
    this.#parts = [];
    this.#held = [];
    return left.map(({ data, event }) => {
      const { finishReason: _, ...open } = firstOf(data) as Fields;
      return eventOf({ ...data, candidates: [open] }, event);
    });
  }

  end(): readonly StreamEvent[] {
    return this.#held.map(({ event }) => event);
  }
}
