import type { Message, Part, priorities, ToolOutput } from '@ctx/core';
import type { Random } from './random.js';
import { randomSpeech, randomText, type TextSpec, textOf } from './text.js';

/** A part of a message, as short plain JSON. */
type PartSpec =
  | { readonly type: 'text'; readonly text: TextSpec }
  | { readonly type: 'reasoning'; readonly text: TextSpec; readonly encrypted?: number }
  | { readonly type: 'image'; readonly size: number }
  | { readonly type: 'file'; readonly size: number }
  | { readonly type: 'opaque'; readonly size: number }
  | {
      readonly type: 'call';
      readonly tool: string;
      readonly path: number;
      readonly text: TextSpec;
      readonly id?: string;
    };

export interface MessageSpec {
  readonly role: 'system' | 'user' | 'assistant';
  /** A single text means string content. */
  readonly content: TextSpec | readonly PartSpec[];
  readonly pinned?: boolean;
  readonly priority?: (typeof priorities)[number];
  readonly summary?: boolean;
  /** Whether the message has its own id. */
  readonly named?: boolean;
}

/** The output of a tool. */
export interface OutputSpec {
  readonly form: 'string' | 'text' | 'error-text' | 'json' | 'error-json' | 'content' | 'media';
  readonly text: TextSpec;
}

const tools = ['read', 'read_file', 'grep', 'bash', 'write_file', 'search'];

function isText(content: MessageSpec['content']): content is TextSpec {
  return typeof content[0] === 'string';
}

/** Makes a random message, with parts that make sense for its role, and only parts that providers accept if required. */
export function randomMessage(
  random: Random,
  { plain, most }: { readonly plain: boolean; readonly most: number },
): MessageSpec {
  const text = () => (plain ? randomSpeech(random, most) : randomText(random, most));
  const role = random.weighted({ user: 5, assistant: 7, system: 0.5 });
  const extras = random.chance(0.12)
    ? {
        ...random.maybe(0.4, () => ({ pinned: random.chance(0.8) })),
        ...random.maybe(0.5, () => ({
          priority: random.pick(['CRITICAL', 'HIGH', 'NORMAL', 'LOW'] as const),
        })),
        ...random.maybe(0.15, () => ({ summary: true })),
        ...random.maybe(0.4, () => ({ named: true })),
      }
    : {};
  if (role === 'system' || random.chance(0.4)) return { role, content: text(), ...extras };
  if (role === 'user') {
    const media = (): PartSpec =>
      random.pick<PartSpec>([
        { type: 'image', size: random.int(10, 3000) },
        { type: 'file', size: random.int(10, 3000) },
        ...(plain ? [] : [{ type: 'opaque', size: random.int(1, 30) } as const]),
      ]);
    const content = random.list(
      random.int(1, 3),
      (): PartSpec => (random.chance(0.7) ? { type: 'text', text: text() } : media()),
    );
    return { role, content, ...extras };
  }
  return { role, content: assistantParts(random, text, plain), ...extras };
}

function assistantParts(random: Random, text: () => TextSpec, plain: boolean): PartSpec[] {
  const thought = (): PartSpec =>
    random.chance(plain ? 0 : 0.2)
      ? { type: 'opaque', size: random.int(1, 30) }
      : { type: 'reasoning', text: text(), ...random.maybe(0.3, () => ({ encrypted: random.int(4, 400) })) };
  const call = (): PartSpec => ({
    type: 'call',
    tool: random.pick(tools),
    path: random.int(0, 4),
    text: text(),
    ...(plain ? undefined : random.maybe(0.1, () => ({ id: `again-${random.int(0, 3)}` }))),
  });
  const thoughts = random.chance(0.35) ? random.list(random.int(1, 2), thought) : [];
  const said = random.chance(0.6) ? [{ type: 'text', text: text() } as const] : [];
  const calls = random.chance(0.6) ? random.list(random.int(1, 3), call) : [];
  const interleaved = random.chance(0.15) && calls.length > 0 ? [thought()] : [];
  const parts = [...thoughts, ...said, ...interleaved, ...calls];
  if (parts.length > 0 && (!plain || said.length + calls.length > 0)) return parts;
  return [...parts, { type: 'text', text: text() }];
}

export function randomOutput(
  random: Random,
  { plain, most }: { readonly plain: boolean; readonly most: number },
): OutputSpec {
  const form = random.weighted({
    string: 5,
    text: 2,
    'error-text': 1,
    json: 1,
    'error-json': 0.3,
    content: 1,
    media: 0.5,
  });
  return { form, text: plain ? randomSpeech(random, most * 2) : randomText(random, most * 2) };
}

/** The message of a spec. `tag` identifies it in whatever an edit makes of it. */
export function messageOf(spec: MessageSpec, tag: number, clock: number): Message {
  const { role, content, named, ...flags } = spec;
  return {
    ...(named === true && { id: `own-${tag}` }),
    role,
    content: isText(content) ? textOf(content) : content.map((part, at) => partOf(part, `call-${tag}-${at}`)),
    ...flags,
    ...(tag % 3 === 0 && { createdAt: clock }),
    metadata: { tag },
  } as Message;
}

function partOf(spec: PartSpec, callId: string): Part {
  switch (spec.type) {
    case 'text':
      return { type: 'text', text: textOf(spec.text) };
    case 'reasoning':
      return {
        type: 'reasoning',
        text: spec.encrypted === undefined ? textOf(spec.text) : '',
        ...(spec.encrypted !== undefined && { encrypted: 'Zm9v'.repeat(Math.ceil(spec.encrypted / 4)) }),
      };
    case 'image':
      return { type: 'image', image: 'iVBO'.repeat(Math.ceil(spec.size / 4)), mediaType: 'image/png' };
    case 'file':
      return {
        type: 'file',
        data: 'JVBE'.repeat(Math.ceil(spec.size / 4)),
        mediaType: 'application/pdf',
        filename: 'a.pdf',
      };
    case 'opaque':
      return { type: 'opaque', value: { type: 'redacted_thinking', data: 'x'.repeat(spec.size) } };
    case 'call':
      return {
        type: 'tool-call',
        toolCallId: spec.id ?? callId,
        toolName: spec.tool,
        input: { path: `src/file-${spec.path}.ts`, query: textOf(spec.text) },
      };
    default:
      return spec satisfies never;
  }
}

export function outputOf({ form, text }: OutputSpec): ToolOutput {
  const value = textOf(text);
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
      return {
        type: 'content',
        value: [
          { type: 'text', text: value },
          { type: 'text', text: 'end' },
        ],
      };
    case 'media':
      return {
        type: 'content',
        value: [
          { type: 'text', text: value },
          { type: 'image', image: 'iVBO'.repeat(50), mediaType: 'image/png' },
        ],
      };
    default:
      return form satisfies never;
  }
}
