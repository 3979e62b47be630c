import type { Findings } from '../conversation/findings.js';
import type { FileContent } from '../conversation/session-of.js';
import { type Fields, isFields, nameIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import { blocksOf, ClaudeConversation, callIdsOf, isResult } from './conversation.js';

interface Line {
  readonly line: number;
  readonly record: Fields;
  /** False for a line that says nothing; it can still be a parent. */
  readonly isSaid: boolean;
}

/**
 * Claude Code's lines. If they form a tree, the conversation is the branch that ends with the newest. Side chains are skipped, unless the
 * file belongs to a sub-agent and holds nothing else.
 */
export class ClaudeCode {
  readonly #main: Line[] = [];
  #sidechain: Line[] = [];
  #first: Fields | undefined;
  readonly #uuids = new Set<unknown>();

  constructor(readonly findings: Findings) {}

  add({ line, value }: SessionRecord): void {
    const { findings } = this;
    const record = value as Fields;
    const kind = kindOf(record);
    if (kind === undefined) findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (this.#isCopy(record)) findings.leaveOut('copy');
    else if (kind !== 'said') {
      this.#main.push({ line, record, isSaid: false });
      findings.leaveOut(kind);
    } else if (record.isSidechain !== true) {
      this.#first ??= record;
      this.#main.push({ line, record, isSaid: true });
      findings.leaveOut('sidechain', this.#sidechain.length);
      this.#sidechain = [];
    } else if (this.#first !== undefined) findings.leaveOut('sidechain');
    else this.#sidechain.push({ line, record, isSaid: true });
  }

  /** `/branch` writes lines twice, the second time without their parents. */
  #isCopy({ uuid }: Fields): boolean {
    if (uuid === undefined) return false;
    const { size } = this.#uuids;
    return this.#uuids.add(uuid).size === size;
  }

  content(): FileContent {
    const { findings } = this;
    const agent = this.#sidechain[0]?.record;
    const conversation = new ClaudeConversation(findings);
    const branch = agent === undefined ? branchOf(this.#main) : this.#sidechain;
    if (agent === undefined) findings.leaveOut('taken-back', saidIn(this.#main) - saidIn(branch));
    for (const { line, record, isSaid } of branch) {
      if (isSaid) conversation.add(line, record);
      else if (record.subtype === 'compact_boundary') conversation.announce(record.compactMetadata);
    }
    const id = agent === undefined ? nameIn(this.#first ?? {}, 'sessionId') : nameIn(agent, 'agentId');
    return { id, provider: 'anthropic', model: conversation.model, ...conversation.content() };
  }
}

const saidIn = (lines: readonly Line[]) => lines.filter(({ isSaid }) => isSaid).length;

/** `said` for a record of the conversation, otherwise the kind under which it is counted; undefined if the record has no kind. */
function kindOf(record: Fields): string | undefined {
  const type = nameIn(record, 'type');
  if (type !== 'user' && type !== 'assistant') return type;
  if (record.isMeta === true) return 'meta';
  return record.isApiErrorMessage === true ? 'api-error' : 'said';
}

/**
 * The lines without those that were taken back. After `/rewind`, or an edited prompt, the next line names an earlier one as its parent, and
 * nothing marks what came in between: the conversation is the newest line with its parents. The calls of one response, and their results,
 * form branches as well, and belong to it.
 */
function branchOf(lines: readonly Line[]): readonly Line[] {
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
