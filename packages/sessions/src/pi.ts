import type { Message } from '@ctx/core';
import { createdAt } from '@ctx/core/codec';
import type { Said } from './accept.js';
import { type Fields, isFields, nameIn } from './fields.js';
import { bashText, callIdsOf, partsFrom, resultFrom, tokensOf } from './pi-parts.js';
import { type PiEntry, pathOf } from './pi-path.js';
import { onlySession, type Reading, type SessionReader } from './reader.js';
import { Timeline } from './timeline.js';

/** Reads pi's entries. If they form a tree, the conversation is the branch that ends with the last entry. */
export const readPi: SessionReader = async function* (records, reading) {
  const { findings } = reading;
  const entries: PiEntry[] = [];
  let header: Fields = {};
  for await (const { line, value } of records) {
    const fields = value as Fields;
    const type = nameIn(fields, 'type');
    if (type === undefined) findings.refuse({ line }, { problem: 'The record has no type', value });
    else if (type === 'session') header = fields;
    else entries.push({ line, fields });
  }
  const path = pathOf(entries, reading.from);
  findings.leaveOut('other-branch', entries.length - path.branch.length);
  findings.leaveOut('before-compaction', path.before);
  const conversation = new Conversation(reading, header);
  for (const { line, fields } of path.entries) conversation.add(line, fields);
  const about = { id: nameIn(header, 'id') ?? reading.name, format: 'pi' as const };
  yield onlySession({ ...about, ...conversation.model }, conversation.said, reading);
};

class Conversation {
  readonly #timeline = new Timeline<Said>();
  /** The model that was chosen last or answered last. */
  model: { model?: string; provider?: string };

  constructor(
    readonly reading: Reading,
    header: Fields,
  ) {
    this.model = modelOf(header, 'modelId');
  }

  get said(): Said[] {
    return this.#timeline.from();
  }

  add(line: number, entry: Fields): void {
    const { findings, from } = this.reading;
    if (entry.type === 'message') this.#message(line, entry);
    else if (entry.type === 'custom_message') this.#say(line, entry.timestamp, partsFrom(entry.content));
    else if (entry.type === 'branch_summary') this.#say(line, entry.timestamp, entry.summary, true);
    else if (entry.type === 'compaction' && from === 'last-compaction') {
      this.#say(line, entry.timestamp, entry.summary, true);
    } else if (entry.type === 'compaction') {
      findings.leaveOut('compaction-summary');
      findings.warn({ line }, 'The session was compacted here; what it stands for is kept instead');
    } else {
      if (entry.type === 'model_change') this.model = modelOf(entry, 'modelId');
      findings.leaveOut(String(entry.type));
    }
  }

  #message(line: number, entry: Fields): void {
    const { findings } = this.reading;
    const native = isFields(entry.message) ? entry.message : {};
    const time = entry.timestamp ?? native.timestamp;
    switch (native.role) {
      case 'assistant':
        this.#respond(line, time, native);
        break;
      case 'toolResult':
        this.#answer(line, time, native);
        break;
      case 'user':
      case 'custom':
      case 'hookMessage':
        this.#say(line, time, partsFrom(native.content));
        break;
      case 'bashExecution':
        if (native.excludeFromContext === true) findings.leaveOut('bash-outside-context');
        else this.#say(line, time, bashText(native));
        break;
      default:
        findings.refuse({ line }, { problem: 'The role of the message is not known', value: native.role });
    }
  }

  #say(line: number, time: unknown, content: unknown, isSummary = false): void {
    const message = { role: 'user', content, ...createdAt(time), ...(isSummary && { summary: true }) };
    this.#timeline.say({ message: message as Message, place: { line } });
  }

  #respond(line: number, time: unknown, native: Fields): void {
    const { stopReason } = native;
    const content = partsFrom(native.content);
    this.model = { ...this.model, ...modelOf(native, 'model') };
    if (Array.isArray(content) && content.length === 0) {
      this.reading.findings.skip({ line }, `The response has no content (${String(stopReason)})`);
      return;
    }
    const message = { role: 'assistant', content, ...createdAt(time) } as Message;
    const { model = 'unknown', provider = 'unknown' } = this.model;
    const aborted = stopReason === 'aborted' || stopReason === 'error';
    const usage = isFields(native.usage)
      ? { usage: { ...tokensOf(native.usage), provider, model, aborted } }
      : {};
    this.#timeline.say({ message, place: { line }, ...usage }, callIdsOf(native.content));
  }

  #answer(line: number, time: unknown, native: Fields): void {
    const { findings } = this.reading;
    const callId = String(native.toolCallId);
    const message = { role: 'tool', content: [resultFrom(native)], ...createdAt(time) } as Message;
    const arrival = this.#timeline.answer(callId, { message, place: { line } });
    if (arrival === 'late') findings.warn({ line }, 'The tool result was moved up behind its call');
    else if (arrival === 'twice') findings.skip({ line }, `The call ${callId} is answered already`);
    else if (arrival === 'without-call') {
      findings.refuse({ line }, { problem: 'The tool result answers no call', value: native.toolCallId });
    }
  }
}

function modelOf(fields: Fields, key: string): Conversation['model'] {
  const model = nameIn(fields, key);
  const provider = nameIn(fields, 'provider');
  return { ...(model !== undefined && { model }), ...(provider !== undefined && { provider }) };
}
