import { type Fields, isFields, known, type Names, nameIn, numberIn, usageIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import type { Reading, Recorder } from '../reader.js';
import type { Said } from '../telling/acceptance.js';
import { Dialogue, type Draft, saidOf } from '../telling/dialogue.js';
import type { Findings } from '../telling/findings.js';
import type { Told } from '../telling/told.js';
import { bashText, outputFrom, partsFrom, promptText, usageFields } from './parts.js';
import { branchOf, keptBy, type PiEntry } from './path.js';

/** pi's entries. If they form a tree, the conversation is the branch that ends with the last entry. */
export class Pi implements Recorder {
  readonly #entries: PiEntry[] = [];
  #header: Fields = {};

  constructor(readonly reading: Reading) {}

  add({ line, value }: SessionRecord): void {
    const fields = value as Fields;
    const type = nameIn(fields, 'type');
    if (type === undefined)
      this.reading.findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (type === 'session') this.#header = fields;
    else this.#entries.push({ line, fields: toldTypes.has(type) ? fields : outline(fields) });
  }

  told(): Told {
    const { findings, name } = this.reading;
    const branch = branchOf(this.#entries);
    findings.leaveOut('other-branch', this.#entries.length - branch.length);
    const conversation = new Conversation(findings, this.#header);
    for (const entry of branch) {
      if (entry.fields.type === 'compaction') conversation.cut(entry, keptBy(entry, this.#entries, branch));
      else conversation.add(entry);
    }
    const about = { id: nameIn(this.#header, 'id') ?? name, format: 'pi' as const, ...conversation.model };
    return { about, ...conversation.told };
  }
}

class Conversation {
  readonly #dialogue: Dialogue;
  readonly #saidBy = new Map<number, Said>();
  /** The model that was chosen last or answered last. */
  model: Names;

  constructor(
    readonly findings: Findings,
    header: Fields,
  ) {
    this.#dialogue = new Dialogue(findings);
    this.model = modelOf(header, 'modelId');
  }

  get told(): Pick<Told, 'said' | 'cuts'> {
    return this.#dialogue.told;
  }

  add({ line, fields }: PiEntry): void {
    const { type, timestamp: time } = fields;
    if (type === 'message') this.#message(line, fields);
    else if (type === 'custom_message')
      this.#say(line, { role: 'user', content: partsFrom(fields.content), time });
    else if (type === 'branch_summary')
      this.#say(line, { role: 'user', content: fields.summary, time, summary: true });
    else {
      if (type === 'model_change') this.model = modelOf(fields, 'modelId');
      this.findings.leaveOut(String(type));
    }
  }

  /** @param kept the entries that it kept besides the summary */
  cut({ line, fields }: PiEntry, kept: readonly PiEntry[]): void {
    const { summary, timestamp: time } = fields;
    const place = { line };
    this.#dialogue.cut(
      { place, summary: nameIn(fields, 'summary'), tokensBefore: numberIn(fields, 'tokensBefore') },
      [
        saidOf(place, { role: 'user', content: summary, time, summary: true }),
        ...kept.flatMap((entry) => this.#saidBy.get(entry.line) ?? []),
      ],
    );
  }

  #message(line: number, entry: Fields): void {
    const native = isFields(entry.message) ? entry.message : {};
    const time = entry.timestamp ?? native.timestamp;
    const { role } = native;
    if (role === 'assistant') this.#respond(line, time, native);
    else if (role === 'toolResult') this.#answer(line, time, native);
    else if (role === 'system') this.#say(line, { role, content: promptText(native), time });
    else if (role === 'user' || role === 'custom' || role === 'hookMessage')
      this.#say(line, { role: 'user', content: partsFrom(native.content), time });
    else if (role !== 'bashExecution')
      this.findings.refuse({ line }, { problem: 'The role of the message is not known', value: role });
    else if (native.excludeFromContext === true) this.findings.leaveOut('bash-outside-context');
    else this.#say(line, { role: 'user', content: bashText(native), time });
  }

  #say(line: number, draft: Draft, usage?: Said['usage']): void {
    this.#saidBy.set(line, this.#dialogue.say({ line }, draft, usage));
  }

  #respond(line: number, time: unknown, native: Fields): void {
    const { stopReason } = native;
    const content = partsFrom(native.content);
    this.model = { ...this.model, ...modelOf(native, 'model') };
    if (Array.isArray(content) && content.length === 0) {
      this.findings.skip({ line }, `The response has no content (${String(stopReason)})`);
      return;
    }
    const aborted = stopReason === 'aborted' || stopReason === 'error';
    const usage = usageIn(native.usage, usageFields, this.model, aborted);
    this.#say(line, { role: 'assistant', content, time }, usage);
  }

  #answer(line: number, time: unknown, native: Fields): void {
    const { toolCallId: callId, toolName, content, isError } = native;
    const output = outputFrom(content);
    const said = this.#dialogue.answer({ line }, { callId, toolName, output, isError, time });
    if (said !== undefined) this.#saidBy.set(line, said);
  }
}

/** Types of entries that are told. */
const toldTypes: ReadonlySet<string> = new Set(['message', 'custom_message', 'branch_summary', 'compaction']);

/** What an entry that is skipped needs to keep: extensions may store megabytes. */
function outline({ type, id, parentId, provider, modelId }: Fields): Fields {
  return { type, id, parentId, provider, modelId };
}

function modelOf(fields: Fields, key: string): Names {
  return known({ model: nameIn(fields, key), provider: nameIn(fields, 'provider') });
}
