import { Dialogue, textIn } from '../conversation/dialogue.js';
import type { Findings, Place } from '../conversation/findings.js';
import type { Conversation, FileContent, Placed } from '../conversation/session-of.js';
import { type Fields, isFields, listIn, nameIn, usageIn } from '../fields.js';
import type { SessionRecord } from '../files/records.js';
import { answersIn, callFrom, partsFrom, thoughtsFrom } from './parts.js';

/**
 * A chat of Gemini CLI: a document with its messages, or lines that change it. There a message replaces the one with the same id, and
 * `$set` replaces fields.
 */
export class Gemini {
  readonly #history = new GeminiHistory();
  #id: string | undefined;

  constructor(readonly findings: Findings) {}

  add({ line, value }: SessionRecord): void {
    const { findings } = this;
    const record = value as Fields;
    if (isFields(record.$set)) {
      this.#id ??= nameIn(record.$set, 'sessionId');
      if (Array.isArray(record.$set.messages)) this.#replace(line, '$set.messages', record.$set.messages);
      else findings.leaveOut('$set');
    } else if (typeof record.type === 'string') this.#history.add({ place: { line }, fields: record });
    else if (nameIn(record, 'sessionId') !== undefined) {
      this.#id ??= nameIn(record, 'sessionId');
      if (Array.isArray(record.messages)) this.#replace(line, 'messages', record.messages);
      else findings.leaveOut('head');
    } else if ('$rewindTo' in record) {
      findings.leaveOut('$rewindTo', 1 + this.#history.rewind(record.$rewindTo));
    } else findings.refuse({ line }, { problem: 'The record is neither a message nor a change', value });
  }

  content(): FileContent {
    const conversation = new GeminiConversation(this.findings);
    this.#history.settle();
    const { messages, compactions } = this.#history;
    let count = 0;
    for (const compaction of compactions) {
      for (const message of messages.slice(count, compaction.at)) conversation.add(message);
      count = Math.max(count, compaction.at);
      conversation.compact(compaction);
    }
    for (const message of messages.slice(count)) conversation.add(message);
    const { model } = conversation;
    return { id: this.#id, provider: 'google', model, ...conversation.content() };
  }

  #replace(line: number, path: string, messages: readonly unknown[]): void {
    this.#history.replace(
      { line },
      messages.map((message, index) => ({
        place: { line, path: `${path}[${index}]` },
        fields: isFields(message) ? message : { value: message },
      })),
    );
  }
}

/** Makes messages of Gemini CLI's. A result is at its call and often once more in a message of its own; it is taken once. */
class GeminiConversation {
  readonly #dialogue: Dialogue;
  readonly #answered = new Set<unknown>();
  /** The model that answered last. */
  model: string | undefined;

  constructor(readonly findings: Findings) {
    this.#dialogue = new Dialogue(findings);
  }

  content(): Conversation {
    return this.#dialogue.content();
  }

  add({ place, fields }: GeminiMessage): void {
    const { type, timestamp: time } = fields;
    if (type === 'user') this.#ask(place, fields, time);
    else if (type === 'gemini') this.#respond(place, fields, time);
    else if (typeof type === 'string') this.findings.leaveOut(type);
    else this.findings.refuse(place, { problem: 'The message has no type', value: type });
  }

  /** The list that replaces what was before begins with the CLI's own context and the summary. */
  compact({ place, list }: Replaced): void {
    const inner = new GeminiConversation(this.findings);
    for (const message of list) inner.add(message);
    const { placed } = inner.content();
    const isContext = (one: Placed) => textIn(one).startsWith('<session_context>');
    const summary = placed.find((one) => one.message.role === 'user' && !isContext(one));
    const replacement = placed.map((one) =>
      one === summary ? { ...one, message: { ...one.message, summary: true } } : one,
    );
    this.#dialogue.cut({ place, summary: summary && textIn(summary) }, replacement);
  }

  #ask(place: Place, { content }: Fields, time: unknown): void {
    for (const answer of answersIn(content, time)) {
      if (this.#answered.has(answer.callId)) {
        this.findings.leaveOut('repeated-result');
        this.#dialogue.repeat(place, answer);
      } else {
        this.#answered.add(answer.callId);
        this.#dialogue.answer(place, answer);
      }
    }
    const parts = partsFrom(content);
    if (!Array.isArray(parts) || parts.length > 0 || (content as unknown[]).length === 0)
      this.#dialogue.say(place, { role: 'user', content: parts, time });
  }

  #respond(place: Place, fields: Fields, time: unknown): void {
    const { content, thoughts, toolCalls, tokens } = fields;
    const calls = listIn(toolCalls);
    const parts = partsFrom(content);
    const texts = Array.isArray(parts) ? parts : parts === '' ? [] : [{ type: 'text', text: parts }];
    const all = [...thoughtsFrom(thoughts), ...texts, ...calls.map(callFrom)];
    this.model = nameIn(fields, 'model') ?? this.model;
    if (all.length === 0) {
      this.findings.skip(place, 'The response has no content');
      return;
    }
    const usage = usageIn(tokens, usageFields, { provider: 'google', model: this.model });
    this.#dialogue.say(place, { role: 'assistant', content: all, time }, usage);
    for (const { id } of calls) this.#answered.delete(id);
    for (const call of calls) {
      for (const answer of answersIn(call.result, call.timestamp ?? time)) {
        this.#answered.add(answer.callId);
        this.#dialogue.answer(place, answer);
      }
    }
  }
}

const usageFields = ['input tool', 'output thoughts', 'cached'] as const;

interface GeminiMessage {
  readonly place: Place;
  readonly fields: Fields;
}

interface Replaced {
  readonly place: Place;
  /** Position among the messages. */
  readonly at: number;
  readonly list: readonly GeminiMessage[];
}

/**
 * The messages after all changes. The CLI writes the whole list again when a chat is resumed and when it was compressed, and does not say
 * which: after a compression messages are missing, and others have come.
 */
class GeminiHistory {
  readonly messages: GeminiMessage[] = [];
  readonly compactions: Replaced[] = [];
  readonly #indexOf = new Map<string, number>();
  /** The ids in the CLI's list. */
  #current = new Set<string>();
  /** The last list, of which the next line shows whether it stays: a resumed chat is emptied first. */
  #pending: Omit<Replaced, 'at'> | undefined;

  add(message: GeminiMessage): void {
    this.settle();
    this.#put(message);
  }

  replace(place: Place, list: readonly GeminiMessage[]): void {
    this.#pending = { place, list };
  }

  /** Forgets a message and what came after it, and returns how many those were. A message that is not known stands for all, as in the CLI. */
  rewind(id: unknown): number {
    this.settle();
    const index = this.#indexOf.get(String(id));
    if (index === undefined && this.#current.has(String(id))) return 0;
    const gone = this.messages.splice(index ?? 0);
    for (const message of gone) {
      this.#indexOf.delete(idOf(message));
      this.#current.delete(idOf(message));
    }
    return gone.length;
  }

  /** Takes the last list as it is, because nothing follows that empties it. */
  settle(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const ids = new Set(pending.list.map(idOf));
    const gone = [...this.#current].some((id) => !ids.has(id));
    const fresh = pending.list.filter((message) => !this.#indexOf.has(idOf(message)) && !isCopy(message));
    if (!gone) for (const message of pending.list) if (fresh.includes(message)) this.#put(message);
    if (!gone || fresh.length === 0) return;
    this.compactions.push({ ...pending, at: this.messages.length });
    this.#current = ids;
  }

  #put(message: GeminiMessage): void {
    const id = idOf(message);
    const index = this.#indexOf.get(id);
    if (index !== undefined) this.messages[index] = message;
    else {
      if (id !== '') this.#indexOf.set(id, this.messages.length);
      this.messages.push(message);
    }
    this.#current.add(id);
  }
}

function idOf({ fields }: GeminiMessage): string {
  return nameIn(fields, 'id') ?? '';
}

/** True for the results of a message as a list repeats them. */
function isCopy({ fields }: GeminiMessage): boolean {
  const { content } = fields;
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((part) => isFields(part) && isFields(part.functionResponse))
  );
}
