import { type Fields, isFields, nameIn } from '../fields.js';
import { blocksOf, callIdsOf, isResult } from './blocks.js';

export interface Line {
  readonly line: number;
  readonly record: Fields;
  /** False for a line that says nothing; it can still be a parent. */
  readonly isSaid: boolean;
}

/**
 * The lines without those that were taken back. After `/rewind`, or an edited prompt, the next line names an earlier one as its parent, and
 * nothing marks what came in between: the conversation is the newest line with its parents. The calls of one response, and their results,
 * form branches as well, and belong to it.
 */
export function branchOf(lines: readonly Line[]): readonly Line[] {
  const said = lines.filter(({ isSaid }) => isSaid);
  const kept = withParents(said.findLast(({ record }) => !isOnlyResults(record)) ?? said.at(-1), lines);
  const responses = new Set([...kept].map(responseOf));
  responses.delete(undefined);
  const isKept = (record: Fields) => kept.has(record) || responses.has(responseOf(record));
  const calls = new Set<unknown>();
  for (const { record } of said)
    if (isKept(record)) for (const id of callIdsOf(contentOf(record))) calls.add(id);
  const answers = (block: unknown) => isResult(block) && calls.has(block.tool_use_id);
  return lines.filter(
    ({ record }) => isKept(record) || (isOnlyResults(record) && contentOf(record).some(answers)),
  );
}

/** A record with its parents, up to the root. The line before stands in for a parent that is not in the file. */
function withParents(newest: Line | undefined, lines: readonly Line[]): ReadonlySet<Fields> {
  const byUuid = new Map(lines.map(({ record }) => [record.uuid, record]));
  byUuid.delete(undefined);
  const parents = new Map<Fields, Fields | undefined>();
  for (const [index, { record }] of lines.entries()) {
    const { parentUuid, logicalParentUuid, subtype } = record;
    const named = byUuid.get(parentUuid ?? logicalParentUuid);
    const isRoot = parentUuid === null && subtype !== 'compact_boundary';
    parents.set(record, isRoot ? undefined : (named ?? lines[index - 1]?.record));
  }
  const found = new Set<Fields>();
  for (let at = newest?.record; at !== undefined && !found.has(at); at = parents.get(at)) found.add(at);
  return found;
}

/** The id that all lines of a response have. */
function responseOf({ message }: Fields): string | undefined {
  return isFields(message) ? nameIn(message, 'id') : undefined;
}

function contentOf({ message }: Fields): readonly unknown[] {
  const content = isFields(message) ? message.content : undefined;
  return typeof content === 'string' || Array.isArray(content) ? blocksOf(content) : [];
}

function isOnlyResults(record: Fields): boolean {
  const blocks = contentOf(record);
  return blocks.length > 0 && blocks.every(isResult);
}
