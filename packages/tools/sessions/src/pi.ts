import { Dialogue, type Draft, placedOf } from './conversation/dialogue.js';
import type { Findings } from './conversation/findings.js';
import type { FileContent, Placed } from './conversation/session-of.js';
import {
  type Fields,
  isFields,
  known,
  listIn,
  type Names,
  nameIn,
  numberIn,
  stringsIn,
  usageIn,
} from './fields.js';
import type { SessionRecord } from './files/records.js';

/** pi's entries. If they form a tree, the conversation is the branch that ends with the last entry. */
export class Pi {
  readonly #entries: PiEntry[] = [];
  readonly #dialogue: Dialogue;
  readonly #placedBy = new Map<PiEntry, Placed>();
  #header: Fields = {};
  /** The model that was chosen last or answered last. */
  #model: Names = {};

  constructor(readonly findings: Findings) {
    this.#dialogue = new Dialogue(findings);
  }

  add({ line, value }: SessionRecord): void {
    const fields = value as Fields;
    const type = nameIn(fields, 'type');
    if (type === undefined) this.findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (type === 'session') this.#header = fields;
    else this.#entries.push({ line, fields });
  }

  content(): FileContent {
    const branch = branchOf(this.#entries);
    this.findings.leaveOut('other-branch', this.#entries.length - branch.length);
    this.#model = modelOf(this.#header, 'modelId');
    for (const entry of branch) {
      const { type, content, summary, timestamp: time } = entry.fields;
      if (type === 'compaction') this.#cut(entry, keptBy(entry, this.#entries, branch));
      else if (type === 'message') this.#message(entry);
      else if (type === 'custom_message')
        this.#say(entry, { role: 'user', content: partsFrom(content), time });
      else if (type === 'branch_summary')
        this.#say(entry, { role: 'user', content: summary, time, summary: true });
      else {
        if (type === 'model_change') this.#model = modelOf(entry.fields, 'modelId');
        this.findings.leaveOut(String(type));
      }
    }
    return { id: nameIn(this.#header, 'id'), ...this.#model, ...this.#dialogue.content() };
  }

  /** @param kept the entries that it kept besides the summary */
  #cut({ line, fields }: PiEntry, kept: readonly PiEntry[]): void {
    const { summary, timestamp: time } = fields;
    const place = { line };
    const said = placedOf(place, { role: 'user', content: summary, time, summary: true });
    this.#dialogue.cut(
      { place, summary: nameIn(fields, 'summary'), tokensBefore: numberIn(fields, 'tokensBefore') },
      [said, ...kept.flatMap((entry) => this.#placedBy.get(entry) ?? [])],
    );
  }

  #message(entry: PiEntry): void {
    const { line, fields } = entry;
    const native = isFields(fields.message) ? fields.message : {};
    const time = fields.timestamp ?? native.timestamp;
    const { role } = native;
    if (role === 'assistant') this.#respond(entry, time, native);
    else if (role === 'toolResult') this.#answer(entry, time, native);
    else if (role === 'system') this.#say(entry, { role, content: promptText(native), time });
    else if (role === 'user' || role === 'custom' || role === 'hookMessage')
      this.#say(entry, { role: 'user', content: partsFrom(native.content), time });
    else if (role !== 'bashExecution')
      this.findings.refuse({ line }, { problem: 'The role of the message is not known', value: role });
    else if (native.excludeFromContext === true) this.findings.leaveOut('bash-outside-context');
    else this.#say(entry, { role: 'user', content: bashText(native), time });
  }

  #say(entry: PiEntry, draft: Draft, usage?: Placed['usage']): void {
    this.#placedBy.set(entry, this.#dialogue.say({ line: entry.line }, draft, usage));
  }

  #respond(entry: PiEntry, time: unknown, native: Fields): void {
    const { stopReason } = native;
    const content = partsFrom(native.content);
    this.#model = { ...this.#model, ...modelOf(native, 'model') };
    if (Array.isArray(content) && content.length === 0) {
      this.findings.skip({ line: entry.line }, `The response has no content (${String(stopReason)})`);
      return;
    }
    const aborted = stopReason === 'aborted' || stopReason === 'error';
    const usage = usageIn(native.usage, usageFields, this.#model, aborted);
    this.#say(entry, { role: 'assistant', content, time }, usage);
  }

  #answer(entry: PiEntry, time: unknown, native: Fields): void {
    const { toolCallId: callId, toolName, content, isError } = native;
    const answer = { callId, toolName, output: outputFrom(content), isError, time };
    const placed = this.#dialogue.answer({ line: entry.line }, answer);
    if (placed !== undefined) this.#placedBy.set(entry, placed);
  }
}

/** Blocks as the parts of a message. If a block lacks fields, core reports what is wrong. */
function partsFrom(content: unknown): unknown {
  return Array.isArray(content) ? content.map(partFrom) : content;
}

/** What is no known block stays as it is, opaque. */
function partFrom(block: unknown): unknown {
  if (!isFields(block)) return block;
  const { type, text, thinking, thinkingSignature: encrypted } = block;
  switch (type) {
    case 'text':
      return { type, text };
    case 'thinking': {
      // If the text is empty, the model reads the signature.
      const isEncrypted = thinking === '' && typeof encrypted === 'string';
      return { type: 'reasoning', text: thinking, ...(isEncrypted && { encrypted }) };
    }
    case 'toolCall': {
      const { id: toolCallId, name: toolName, arguments: input = {} } = block;
      return { type: 'tool-call', toolCallId, toolName, input };
    }
    case 'image':
      return known({ type, image: block.data, mediaType: block.mimeType });
    default:
      return { type: 'opaque', value: block };
  }
}

/** A result: a text if its blocks are nothing else, otherwise the list of parts. */
function outputFrom(blocks: unknown): unknown {
  if (!Array.isArray(blocks)) return blocks;
  const texts = stringsIn(
    listIn(blocks).filter(({ type }) => type === 'text'),
    'text',
  );
  return texts.length === blocks.length ? texts.join('\n') : { type: 'content', value: blocks.map(partFrom) };
}

function modelOf(fields: Fields, key: string): Names {
  return known({ model: nameIn(fields, key), provider: nameIn(fields, 'provider') });
}

/** The system prompt, of which newer versions store the sections instead of the whole. */
function promptText({ content, sections }: Fields): unknown {
  if (content !== '' || !isFields(sections)) return partsFrom(content);
  return Object.values(sections)
    .filter((section) => typeof section === 'string')
    .join('\n\n');
}

/** A command that the user ran, as text for the model. */
function bashText({ command, output, exitCode }: Fields): string {
  const failed = typeof exitCode === 'number' && exitCode !== 0 ? `\nExit code: ${exitCode}` : '';
  return `$ ${String(command)}\n${typeof output === 'string' ? output : ''}${failed}`;
}

/** pi's `input` leaves out tokens that were read from the prompt cache or written to it. */
const usageFields = ['input cacheRead cacheWrite', 'output', 'cacheRead', 'cacheWrite'] as const;

/** A record after the header. */
interface PiEntry {
  readonly line: number;
  readonly fields: Fields;
}

/** The entries before a compaction that it kept, besides the summary. Old files count the header as entry 0. */
function keptBy(
  compaction: PiEntry,
  all: readonly PiEntry[],
  branch: readonly PiEntry[],
): readonly PiEntry[] {
  const { firstKeptEntryIndex: index, firstKeptEntryId: id } = compaction.fields;
  const first =
    typeof index === 'number'
      ? all[index - 1]
      : all.find(({ fields }) => fields.id !== undefined && fields.id === id);
  const start = first === undefined ? -1 : branch.indexOf(first);
  return start === -1 ? [] : branch.slice(start, branch.indexOf(compaction));
}

/** Goes from the last entry up through its parents. If a parent is not in the file, the entry before takes its place. */
function branchOf(all: readonly PiEntry[]): readonly PiEntry[] {
  const indexOf = new Map(all.map(({ fields }, index) => [nameIn(fields, 'id'), index]));
  indexOf.delete(undefined);
  if (indexOf.size === 0) return all;
  const branch: PiEntry[] = [];
  const seen = new Set<number>();
  let index = all.length - 1;
  for (let entry = all[index]; entry !== undefined && !seen.has(index); entry = all[index]) {
    seen.add(index);
    branch.push(entry);
    if (entry.fields.parentId === null) break;
    index = indexOf.get(nameIn(entry.fields, 'parentId')) ?? index - 1;
  }
  return branch.reverse();
}
