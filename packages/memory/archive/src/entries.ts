import {
  type ArchiveEntry,
  type Message,
  outputText,
  type Part,
  partsOf,
  type ToolCallPart,
} from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { mediaMark, pathArguments, pathsOf } from '@ctx/core/kit';

export interface EntrySource {
  readonly conversation: string;
  /** The message's number in the conversation, from 1: its position in the transcript plus 1. */
  readonly number: number;
  readonly message: Message;
  /** The calls that its results answer, so that a result stands under what was called. @default none is known */
  readonly calls?: readonly ToolCallPart[] | undefined;
  /** Ms since epoch. @default the message's createdAt, otherwise 0 */
  readonly time?: number | undefined;
}

/**
 * The entries of a message, one for each part with text. Reasoning and opaque parts have none; of an image or a file there is a mark. The
 * text of the message, whose lines its handle counts, is that of its entries, each on lines of its own.
 */
export function entriesOf(source: EntrySource): ArchiveEntry[] {
  const { conversation, number, message, calls = [], time = message.createdAt ?? 0 } = source;
  let line = 1;
  return partsOf(message).flatMap((one, part) => {
    const about = entryOf(one, message, calls);
    if (about === undefined || about.text === '') return [];
    const entry = { conversation, message: number, part, line, time, ...about };
    line += lineBreaks(about.text) + 1;
    return [entry];
  });
}

type About = Pick<ArchiveEntry, 'kind' | 'heading' | 'path' | 'text'>;

function entryOf(part: Part, message: Message, calls: readonly ToolCallPart[]): About | undefined {
  const kind = spoken(message);
  switch (part.type) {
    case 'text':
      return { kind, heading: kind, text: part.text };
    case 'image':
    case 'file':
      return { kind, heading: kind, text: mediaMark(part) };
    case 'tool-call':
      return { kind: 'call', ...headingOf(part), text: argumentText(part.input) };
    case 'tool-result': {
      const call = calls.find(({ toolCallId }) => toolCallId === part.toolCallId);
      const heading = call === undefined ? { heading: oneLine(part.toolName) } : headingOf(call);
      return { kind: 'result', ...heading, text: outputText(part.output) };
    }
    default:
      return undefined;
  }
}

function spoken({ role, summary }: Message): ArchiveEntry['kind'] {
  if (summary === true) return 'summary';
  return role === 'tool' ? 'result' : role;
}

/** Names of the arguments that say what a call is about where it names no file. */
const subjects = ['command', 'cmd', 'query', 'pattern', 'url'];
/** Characters: what is read of a heading. The rest is in the call's own entry. */
const longestHeading = 160;

/** What was called, in one line, and the file that it is about. */
function headingOf({ toolName, input }: ToolCallPart): Pick<About, 'heading' | 'path'> {
  const [path] = pathsOf(input, { names: [], paths: pathArguments });
  const fields = isFields(input) ? input : {};
  const named = subjects.map((name) => fields[name]).find((value) => typeof value === 'string');
  const subject =
    path ?? named ?? Object.values(fields).find(isScalar) ?? (typeof input === 'string' ? input : '');
  return { heading: oneLine(`${toolName} ${String(subject)}`), ...(path === undefined ? {} : { path }) };
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function oneLine(text: string): string {
  return text
    .slice(0, longestHeading)
    .replace(/[\n\r\u2028\u2029]/g, ' ')
    .trim();
}

/** Levels; deeper is no argument that somebody wrote. */
const deepest = 20;

/** The arguments of a call by their names, each text as it stands. */
function argumentText(input: unknown): string {
  return typeof input === 'string' ? input : linesOf(input, '', 0).join('\n');
}

function linesOf(value: unknown, name: string, depth: number): string[] {
  if (value === null || value === undefined || depth > deepest) return [];
  if (typeof value !== 'object') {
    const text = String(value);
    return [name === '' ? text : text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`];
  }
  return Object.entries(value).flatMap(([key, item]) =>
    linesOf(item, Array.isArray(value) ? name : name === '' ? key : `${name}.${key}`, depth + 1),
  );
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
