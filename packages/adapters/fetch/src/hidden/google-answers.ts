import type { Fields } from '@ctx/core/codec';
import { type AnswerForm, AnswerStream, eventOf, fieldsIn, listOf, type StreamEvent } from './answer-form.js';

const isCallOf = ({ functionCall }: Fields, name: string) => fieldsIn(functionCall).name === name;
const firstOf = (body: Fields) => listOf(body.candidates)[0];
const contentOf = (candidate: Fields | undefined) => fieldsIn(candidate?.content);
const partsOf = (body: Fields) => listOf(contentOf(firstOf(body)).parts);

function entriesOf(all: readonly Fields[]) {
  // An empty text says nothing, unless it carries a signature.
  const parts = all.filter((part) => part.text !== '' || part.thoughtSignature !== undefined);
  return parts.length > 0 ? [{ role: 'model', parts }] : [];
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
  read: (body) => (firstOf(body) === undefined ? undefined : entriesOf(partsOf(body))),
  shown: (bodies, name) =>
    withParts(
      bodies.at(-1) as Fields,
      bodies.flatMap(partsOf).filter((part) => !isCallOf(part, name)),
    ),
  stream: (name) => new GoogleStream(name),
};

class GoogleStream extends AnswerStream {
  take(data: Fields, event: StreamEvent): readonly StreamEvent[] {
    const first = firstOf(data);
    if (first === undefined) return [event];
    const parts = partsOf(data);
    for (const part of parts) this.parts.set(this.parts.size, part);
    const shown = parts.filter((part) => !isCallOf(part, this.name));
    if (first.finishReason !== undefined) return this.hold(withParts(data, shown), event);
    if (shown.length === parts.length) return [event];
    return shown.length === 0 ? [] : [eventOf(withParts(data, shown), event)];
  }

  entries(): readonly unknown[] {
    return entriesOf([...this.parts.values()]);
  }

  protected override continued(data: Fields): Fields | undefined {
    const { finishReason: _, ...open } = firstOf(data) as Fields;
    return partsOf(data).length > 0 ? { ...data, candidates: [open] } : undefined;
  }
}
