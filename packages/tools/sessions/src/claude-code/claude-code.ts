import { type Fields, known, nameIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import type { Told } from '../telling/told.js';
import { branchOf, type Line } from './branch.js';
import { ClaudeConversation } from './conversation.js';

/**
 * Claude Code's lines. If they form a tree, the conversation is the branch that ends with the newest. Side chains are skipped, unless the
 * file belongs to a sub-agent and holds nothing else.
 */
export class ClaudeCode implements Recorder {
  readonly #main: Line[] = [];
  #sidechain: Line[] = [];
  #first: Fields | undefined;
  readonly #uuids = new Set<unknown>();

  constructor(readonly reading: Reading) {}

  add({ line, value }: SessionRecord): void {
    const { findings } = this.reading;
    const record = value as Fields;
    const kind = kindOf(record);
    if (kind === undefined) findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (this.#isCopy(record)) findings.leaveOut('copy');
    else if (kind !== 'said') {
      this.#main.push({ line, record: outline(record), isSaid: false });
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

  told(): Told {
    const { findings, name } = this.reading;
    const agent = this.#sidechain[0]?.record;
    const conversation = new ClaudeConversation(findings);
    const branch = agent === undefined ? branchOf(this.#main) : this.#sidechain;
    if (agent === undefined) findings.leaveOut('taken-back', saidIn(this.#main) - saidIn(branch));
    for (const { line, record, isSaid } of branch) {
      if (isSaid) conversation.add(line, record);
      else if (record.subtype === 'compact_boundary') conversation.announce(record.compactMetadata);
    }
    const id = agent === undefined ? nameIn(this.#first ?? {}, 'sessionId') : nameIn(agent, 'agentId');
    const { model } = conversation;
    return {
      about: known({ id: id ?? name, format: 'claude-code' as const, provider: 'anthropic', model }),
      ...conversation.told,
    };
  }
}

const saidIn = (lines: readonly Line[]) => lines.filter(({ isSaid }) => isSaid).length;

/** What a line that says nothing needs to keep: its place in the tree, and what it says of a compaction. */
function outline({ uuid, parentUuid, logicalParentUuid, subtype, compactMetadata }: Fields): Fields {
  return known({ uuid, parentUuid, logicalParentUuid, subtype, compactMetadata });
}

/** `said` for a record of the conversation, otherwise the kind under which it is counted; undefined if the record has no kind. */
function kindOf(record: Fields): string | undefined {
  const type = nameIn(record, 'type');
  if (type !== 'user' && type !== 'assistant') return type;
  if (record.isMeta === true) return 'meta';
  return record.isApiErrorMessage === true ? 'api-error' : 'said';
}
