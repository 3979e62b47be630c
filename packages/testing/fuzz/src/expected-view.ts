import type { CompressionRecord, Edit, Message, Part, TranscriptMessage } from '@ctx/core';
import { LawBroken } from './laws.js';

/** A part as it should be: the original, or one with another text. */
export interface ExpectedPart {
  readonly said: Part;
  readonly text?: string;
}

/** A message that the view should have: one of the transcript, or one that replaces several. */
export interface ExpectedEntry {
  readonly id: string;
  readonly origins: readonly TranscriptMessage[];
  /** The parts that it comes from; for a merged message none, unless its text was replaced later. */
  parts: readonly ExpectedPart[];
  /** The text of a merged message. */
  merged?: string;
}

export interface ExpectedView {
  readonly entries: readonly ExpectedEntry[];
  /** The dropped messages, each with the record that dropped it. */
  readonly dropped: ReadonlyMap<string, string>;
}

/**
 * Applies the records in force to a transcript. Shares no code with core, but follows what the documents say about edits.
 * @throws LawBroken `accounted` if a record names a message that is not there
 */
export function expectedView(
  transcript: readonly TranscriptMessage[],
  records: readonly Pick<CompressionRecord, 'id' | 'edits' | 'transcriptLength'>[],
): ExpectedView {
  const dropped = new Map<string, string>();
  let entries: ExpectedEntry[] = transcript.map(asSaid);
  for (const { id: record, edits, transcriptLength } of records) {
    if (transcriptLength > transcript.length)
      throw new LawBroken('rewind', `${record} was made when there were ${transcriptLength} messages`);
    edits.forEach((edit, index) => {
      const named = namedBy(edit, entries, record);
      const leave = (gone: readonly ExpectedEntry[]) => {
        for (const { origins } of gone) for (const { id } of origins) dropped.set(id, record);
        entries = entries.filter((entry) => !gone.includes(entry));
      };
      switch (edit.type) {
        case 'drop':
          leave(named);
          break;
        case 'merge': {
          const at = entries.indexOf(named.at(edit.placement === 'first' ? 0 : -1) as ExpectedEntry);
          const merged: ExpectedEntry = {
            id: `ctx:${record}.${index}`,
            origins: named.flatMap(({ origins }) => origins),
            parts: [{ said: { type: 'text', text: edit.text } }],
            merged: edit.text,
          };
          entries = entries.toSpliced(at, 0, merged).filter((entry) => !named.includes(entry));
          break;
        }
        case 'drop-calls':
          for (const entry of named)
            entry.parts = entry.parts.filter(
              ({ said }) => !('toolCallId' in said && edit.calls.includes(said.toolCallId)),
            );
          leave(named.filter(({ parts }) => parts.length === 0));
          break;
        case 'replace': {
          const [entry] = named;
          if (entry === undefined) break;
          entry.parts = entry.parts.map((part, at) =>
            at === edit.part ? { said: part.said, text: edit.text } : part,
          );
          if (entry.merged !== undefined) entry.merged = edit.text;
          break;
        }
        default:
          edit satisfies never;
      }
    });
  }
  return { entries, dropped };
}

function asSaid(entry: TranscriptMessage): ExpectedEntry {
  return { id: entry.id, origins: [entry], parts: partsIn(entry.message).map((said) => ({ said })) };
}

export function partsIn(message: Message): readonly Part[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

/** A part with the text that it has now. */
export function partNow({ said, text }: ExpectedPart): Part {
  if (text === undefined) return said;
  if (said.type === 'tool-call') return { ...said, input: JSON.parse(text) };
  return said.type === 'tool-result' ? { ...said, output: text } : { type: 'text', text };
}

type Resolved = Edit<'drop' | 'drop-calls' | 'replace' | 'merge'>;

/** The ids that an edit names. */
export const namedIn = (edit: Resolved): readonly string[] =>
  edit.type === 'replace' ? [edit.message] : edit.messages;

/** The entries that an edit names, in the order of the view. */
function namedBy(edit: Resolved, entries: readonly ExpectedEntry[], record: string): ExpectedEntry[] {
  const ids = namedIn(edit);
  const idsOf = ({ id, origins }: ExpectedEntry) => [id, ...origins.map((origin) => origin.id)];
  const found = entries.filter((entry) => {
    const own = entry.merged === undefined ? [entry.id] : idsOf(entry);
    return own.some((id) => ids.includes(id));
  });
  const known = new Set(found.flatMap(idsOf));
  const lost = ids.find((id) => !known.has(id));
  if (lost === undefined) return found;
  const said = JSON.stringify(edit).slice(0, 200);
  throw new LawBroken('accounted', `${record} names "${lost}", which is not there: ${said}`);
}
