import { type Fields, known, nameIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import type { Told } from '../telling/told.js';
import { ClaudeConversation } from './conversation.js';

interface SideLine {
  readonly line: number;
  readonly record: Fields;
}

/** Claude Code's lines in file order. Side chains are skipped, unless the file belongs to a sub-agent and holds nothing else. */
export class ClaudeCode implements Recorder {
  readonly #main: ClaudeConversation;
  #sidechain: SideLine[] = [];
  #first: Fields | undefined;

  constructor(readonly reading: Reading) {
    this.#main = new ClaudeConversation(reading.findings);
  }

  add({ line, value }: SessionRecord): void {
    const { findings } = this.reading;
    const record = value as Fields;
    const kind = kindOf(record);
    if (kind === undefined) findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (kind !== 'said') {
      if (record.subtype === 'compact_boundary') this.#main.announce(record.compactMetadata);
      findings.leaveOut(kind);
    } else if (record.isSidechain !== true) {
      this.#first ??= record;
      this.#main.add(line, record);
      findings.leaveOut('sidechain', this.#sidechain.length);
      this.#sidechain = [];
    } else if (this.#first !== undefined) findings.leaveOut('sidechain');
    else this.#sidechain.push({ line, record });
  }

  told(): Told {
    const agent = this.#sidechain[0]?.record;
    const conversation = agent === undefined ? this.#main : this.#side();
    const id = agent === undefined ? nameIn(this.#first ?? {}, 'sessionId') : nameIn(agent, 'agentId');
    const { model } = conversation;
    return {
      about: known({
        id: id ?? this.reading.name,
        format: 'claude-code' as const,
        provider: 'anthropic',
        model,
      }),
      ...conversation.told,
    };
  }

  #side(): ClaudeConversation {
    const conversation = new ClaudeConversation(this.reading.findings);
    for (const { line, record } of this.#sidechain) conversation.add(line, record);
    return conversation;
  }
}

/** `said` for a record of the conversation, otherwise the kind under which it is counted; undefined if the record has no kind. */
function kindOf(record: Fields): string | undefined {
  const type = nameIn(record, 'type');
  if (type !== 'user' && type !== 'assistant') return type;
  if (record.isMeta === true) return 'meta';
  return record.isApiErrorMessage === true ? 'api-error' : 'said';
}
