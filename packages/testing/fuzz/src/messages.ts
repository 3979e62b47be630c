import type { Message, Part, ToolCallPart, ToolOutput, TranscriptMessage } from '@ctx/core';
import fc from 'fast-check';
import { chance, int, type MadeBy, maybe, often, record, upTo } from './choices.js';
import { partsIn } from './expected-view.js';
import { anyText, type Style, textOf } from './text.js';

const { constant, constantFrom } = fc;

const text = record({ type: constant('text'), text: anyText });
const opaque = record({ type: constant('opaque'), size: int(1, 30) });
const media = record({ type: constantFrom('image', 'file'), size: int(10, 3000) });
const reasoning = record(
  { type: constant('reasoning'), text: anyText },
  { encrypted: maybe(30, int(4, 400)) },
);
const call = record(
  {
    type: constant('call'),
    tool: constantFrom('read', 'read_file', 'grep', 'bash', 'write_file', 'search'),
    path: int(0, 4),
    text: anyText,
  },
  { id: maybe(10, constantFrom('again-0', 'again-1', 'again-2', 'again-3')) },
);
/** A part of a message, as short plain JSON. */
type PartSpec = MadeBy<typeof text | typeof opaque | typeof media | typeof reasoning | typeof call>;

const thoughts = upTo(2, often([8, reasoning], [2, opaque]), 1);
const some = <T>(percent: number, parts: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> =>
  often([100 - percent, constant([] as T[])], [percent, parts]);
const assistantParts = (calls: fc.Arbitrary<PartSpec[]>): fc.Arbitrary<PartSpec[]> =>
  fc
    .tuple(some(35, thoughts), some(60, upTo(1, text, 1)), some(15, upTo(1, reasoning, 1)), calls)
    .map((parts: PartSpec[][]) => parts.flat());

const said = <Role extends 'system' | 'user' | 'assistant', Content>(
  role: Role,
  content: fc.Arbitrary<Content>,
) =>
  record(
    { role: constant(role), content },
    {
      pinned: maybe(6, chance(80)),
      priority: maybe(6, constantFrom('CRITICAL', 'HIGH', 'NORMAL', 'LOW')),
      summary: maybe(2, constant(true)),
      /** Whether the message has its own id. */
      named: maybe(5, constant(true)),
    },
  );

/** A message that calls no tools. A single text means string content. */
export const anyMessage = often(
  [10, said('user', often([4, anyText], [6, upTo(3, often([7, text], [2, media], [1, opaque]), 1)]))],
  [8, said('assistant', often([7, anyText], [3, assistantParts(constant([] as PartSpec[]))]))],
  [1, said('system', anyText)],
);
/** A message that calls tools. */
export const anyCall = said('assistant', assistantParts(upTo(3, call, 1)));
export type MessageSpec = MadeBy<typeof anyMessage | typeof anyCall>;

/** The output of a tool. */
export const anyOutput = record({
  form: often(
    [10, constant('string')],
    [4, constant('text')],
    [2, constantFrom('error-text', 'json', 'content')],
    [1, constantFrom('error-json', 'media')],
  ),
  text: anyText,
});
export type OutputSpec = MadeBy<typeof anyOutput>;

/** The message of a spec. `tag` identifies it in whatever an edit makes of it. */
export function messageOf(spec: MessageSpec, tag: number, clock: number, style: Style): Message {
  const { role, content, named, ...flags } = spec;
  return {
    ...(named === true && { id: `own-${tag}` }),
    role,
    content: isText(content) ? textOf(content, style) : partsOf(content, `call-${tag}`, style),
    ...flags,
    ...(tag % 3 === 0 && { createdAt: clock }),
    metadata: { tag },
  } as Message;
}

function isText(content: MessageSpec['content']): content is MadeBy<typeof anyText> {
  return typeof content[0] === 'string';
}

/** The parts; where only what every provider accepts is wanted, without the others, but not without anything that is said. */
function partsOf(content: readonly PartSpec[], callId: string, style: Style): Part[] {
  const parts = content
    .filter(({ type }) => !style.plain || type !== 'opaque')
    .map((part, at) => partOf(part, `${callId}-${at}`, style));
  const says = parts.some(({ type }) => type !== 'reasoning');
  return parts.length > 0 && (says || !style.plain) ? parts : [...parts, { type: 'text', text: 'so' }];
}

function partOf(spec: PartSpec, callId: string, style: Style): Part {
  switch (spec.type) {
    case 'text':
      return { type: 'text', text: textOf(spec.text, style) };
    case 'reasoning':
      return spec.encrypted === undefined
        ? { type: 'reasoning', text: textOf(spec.text, style) }
        : { type: 'reasoning', text: '', encrypted: base64('Zm9v', spec.encrypted) };
    case 'image':
      return { type: 'image', image: base64('iVBO', spec.size), mediaType: 'image/png' };
    case 'file':
      return { type: 'file', data: base64('JVBE', spec.size), ...pdf };
    case 'opaque':
      return { type: 'opaque', value: { type: 'redacted_thinking', data: 'x'.repeat(spec.size) } };
    case 'call': {
      const input = { path: `src/file-${spec.path}.ts`, query: textOf(spec.text, style) };
      const toolCallId = style.plain ? callId : (spec.id ?? callId);
      return { type: 'tool-call', toolCallId, toolName: spec.tool, input };
    }
    default:
      return spec satisfies never;
  }
}

const base64 = (quad: string, size: number) => quad.repeat(Math.ceil(size / 4));
const pdf = { mediaType: 'application/pdf', filename: 'a.pdf' };
const png = { type: 'image', image: base64('iVBO', 200), mediaType: 'image/png' } as const;

/** Results for the calls that wait, in one message or in several. */
export function answersTo(
  transcript: readonly TranscriptMessage[],
  { outputs, together, backwards }: { outputs: OutputSpec[]; together: boolean; backwards: boolean },
  tag: number,
  style: Style,
): Message[] {
  const results = waitingCalls(transcript)
    .slice(0, outputs.length)
    .map(({ toolCallId, toolName }, at) => {
      const { form, text } = outputs[at] as OutputSpec;
      const output = outputOf(form, textOf(text, { ...style, most: 2 * style.most }));
      const isError = form === 'string' && tag % 5 === 0;
      return { type: 'tool-result' as const, toolCallId, toolName, output, ...(isError && { isError }) };
    });
  const ordered = backwards ? results.toReversed() : results;
  const groups = together ? [ordered] : ordered.map((one) => [one]);
  return groups
    .filter((content) => content.length > 0)
    .map((content, at) => ({ role: 'tool', content, metadata: { tag: tag + (at + 1) / 100 } }));
}

/** The unanswered calls of the newest message with calls. */
function waitingCalls(transcript: readonly TranscriptMessage[]): ToolCallPart[] {
  const asking = transcript.findLastIndex(({ message }) => message.role !== 'tool');
  const [asked, ...after] = transcript.slice(Math.max(0, asking)).map(({ message }) => partsIn(message));
  const answered = after.flat().flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));
  const calls = (asked ?? []).filter((part) => part.type === 'tool-call');
  return calls.filter(({ toolCallId }) => !answered.includes(toolCallId));
}

function outputOf(form: OutputSpec['form'], value: string): ToolOutput {
  const text = { type: 'text', text: value } as const;
  switch (form) {
    case 'string':
      return value;
    case 'text':
    case 'error-text':
      return { type: form, value };
    case 'json':
    case 'error-json':
      return { type: form, value: { result: value, lines: [1, 2] } };
    case 'content':
      return { type: 'content', value: [text, { type: 'text', text: 'end' }] };
    case 'media':
      return { type: 'content', value: [text, png] };
    default:
      return form satisfies never;
  }
}
