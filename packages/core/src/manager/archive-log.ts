import { within } from '../base/deadline.js';
import { CtxError } from '../base/errors.js';
import { nextTurn } from '../base/slices.js';
import type { SafeEmitter } from '../compress/events.js';
import type { CompressionRecord } from '../compress/record.js';
import type { Archive, ArchivedMessage, ArchivePassage, FindOptions } from '../transcript/archive.js';
import { messageText, toolCallsOf } from '../transcript/message.js';
import type { Transcript, TranscriptMessage } from '../transcript/transcript.js';
import type { Conversation } from '../view/conversation.js';
import type { Setup } from './setup.js';

/** Characters and messages of one call that writes: some milliseconds of work for an archive in memory. */
const batch = { characters: 20_000, messages: 20 };
/** Ms: twice what archives wait for their servers. */
const longestCallMs = 10_000;

/** How far a conversation is archived, as plain JSON, for a snapshot. */
export interface ArchiveState {
  readonly conversation: string;
  /** Messages up to this number are archived. The first message is number 1. */
  readonly written: number;
  /** After a rewind: messages behind this number are still to be forgotten. */
  readonly cut?: number | undefined;
}

/**
 * Writes the transcript into an archive, in order, up to the last message that the view does not show as it was said. A rewind makes the
 * archive forget from there. What fails is tried again when the view changes next; until then the transcript has it.
 */
export class ArchiveLog {
  #written = 0;
  #cut: number | undefined;
  /** Messages up to this number are about to leave the view. */
  #leaving = 0;
  /** True once the archive may hold something of this conversation. What else is under its name belongs to somebody else. */
  #owns = false;
  /** Messages in whose place the archive has other ones, with its errors. */
  readonly #refused = new Map<number, unknown>();
  #fault: unknown;
  #running: Promise<void> | undefined;

  constructor(
    readonly archive: Archive,
    readonly setup: Setup,
    readonly conversation: Conversation<CompressionRecord>,
    readonly events: SafeEmitter,
  ) {}

  get state(): ArchiveState {
    const written = Math.min(this.#written, ...[...this.#refused.keys()].map((number) => number - 1));
    return { conversation: this.setup.archivedAs, written, cut: this.#cut };
  }

  /** The state of a snapshot counts only for the conversation that it was made for: a fork archives its own. */
  resume(state: ArchiveState | undefined): void {
    if (state?.conversation === this.setup.archivedAs) {
      this.#written = state.written;
      this.#cut = state.cut;
      this.#owns = state.written > 0 || state.cut !== undefined;
    }
    this.changed();
  }

  /** The view has changed. Returns at once. */
  changed(): void {
    void this.#start();
  }

  /** Archives messages up to a number before the view changes. */
  async before(number: number): Promise<void> {
    this.#leaving = Math.max(this.#leaving, number);
    await this.#running;
    await this.#start();
  }

  has(number: number): boolean {
    return number <= this.#written && !this.#refused.has(number);
  }

  /** The transcript was cut off after so many messages. Returns at once. */
  rewound(length = this.conversation.transcript.length): void {
    this.#cut = Math.min(this.#cut ?? length, length);
    this.#written = Math.min(this.#written, length);
    this.#leaving = Math.min(this.#leaving, length);
    for (const number of this.#refused.keys()) if (number > length) this.#refused.delete(number);
    void this.#start();
  }

  /** Tries once more what failed. True if then everything that left the view is archived. */
  async caughtUp(): Promise<boolean> {
    await this.#running;
    this.#written = this.state.written;
    this.#refused.clear();
    await this.#start();
    return this.#fault === undefined;
  }

  get warning(): string | undefined {
    if (this.#fault === undefined) return undefined;
    const why = this.#fault instanceof Error ? this.#fault.message : String(this.#fault);
    return `Removed messages are not archived yet; ctx will try again: ${why}`;
  }

  /** Waits for what is being written, then searches. Only what this manager has archived is found. */
  async find(query: string, options: FindOptions): Promise<readonly ArchivePassage[]> {
    await this.#call(async () => this.#running).catch(() => {});
    const shown = this.conversation.view.messages();
    const asked = { ...options, conversation: this.setup.archivedAs, shown };
    const passages = await this.#call(() => this.archive.search(query, asked));
    return passages.filter(({ message }) => this.has(message));
  }

  /** The transcript answers, so that a handle can be read before its message is archived, and when the archive is gone. */
  read(ref: string, maxTokens: number | undefined): Promise<readonly ArchivePassage[]> {
    const said = (number: number) => archivedMessage(this.conversation.transcript, number);
    const asked = { conversation: this.setup.archivedAs, maxTokens, said };
    return this.#call(() => this.archive.get(ref, asked));
  }

  get #due(): number {
    let due = this.conversation.transcript.length;
    for (const { id, version, origins } of this.conversation.view.entries.toReversed()) {
      if (version !== undefined || !origins.isOnly(id) || origins.lowest !== due - 1) break;
      due -= 1;
    }
    return Math.max(due, this.#leaving);
  }

  #start(): Promise<void> {
    this.#running ??= this.#catchUp();
    return this.#running;
  }

  async #catchUp(): Promise<void> {
    const { events, setup } = this;
    const { pause = nextTurn } = setup.slices ?? {};
    // Whoever changed the view finishes first.
    await undefined;
    const refused = this.#refused.size;
    try {
      while (this.#cut !== undefined || this.#written < this.#due) {
        await (this.#cut === undefined ? this.#write(this.#next()) : this.#forget(this.#cut));
        await pause();
      }
      this.#fault = this.#refused.values().next().value;
      if (this.#refused.size > refused) events.emit('archive-fail', { error: this.#fault });
    } catch (error) {
      this.#fault = error;
      events.emit('archive-fail', { error });
    } finally {
      this.#running = undefined;
    }
  }

  async #forget(cut: number): Promise<void> {
    const from = `#m${cut + 1}`;
    if (this.#owns)
      await this.#call(
        () => this.archive.forget(this.setup.archivedAs, { from }),
        () => this.rewound(cut),
      );
    if (this.#cut === cut) this.#cut = undefined;
  }

  #next(): ArchivedMessage[] {
    const messages: ArchivedMessage[] = [];
    const due = this.#due;
    for (let characters = 0; this.#written + messages.length < due; ) {
      const number = this.#written + messages.length + 1;
      const one = archivedMessage(this.conversation.transcript, number) as ArchivedMessage;
      messages.push(one);
      characters += messageText(one.message).length;
      if (messages.length >= batch.messages || characters >= batch.characters) break;
    }
    return messages;
  }

  /** Where the archive has another message in the place of one, only that one is left out. */
  async #write(messages: readonly ArchivedMessage[]): Promise<void> {
    const [first, last] = [messages[0] as ArchivedMessage, messages.at(-1) as ArchivedMessage];
    const { recallTool } = this.setup.settings;
    // System prompts stay in the view, and what a recall gave back is archived already.
    const kept = messages.filter(({ message: { role, content } }) => {
      if (role === 'system' || typeof content === 'string' || recallTool === undefined)
        return role !== 'system';
      return content.some((part) => !('toolName' in part) || part.toolName !== recallTool);
    });
    const keep = () => this.archive.keep(this.setup.archivedAs, kept);
    try {
      if (kept.length > 0) await this.#call(keep, () => this.#arrived(first.number, last));
      this.#owns ||= kept.length > 0;
    } catch (error) {
      const isConflict = hasCode(error, 'archive-conflict');
      // Nobody knows what of it is there.
      this.#owns ||= !isConflict;
      if (this.#cut !== undefined || !isConflict) throw error;
      if (messages.length > 1) {
        for (const one of messages) if (this.#cut === undefined) await this.#write([one]);
        return;
      }
      this.#refused.set(first.number, error);
    }
    if (this.#cut === undefined) this.#written = last.number;
  }

  /** Messages were written after the call was given up. After a rewind they are other ones than those that have their numbers. */
  #arrived(first: number, last: ArchivedMessage): void {
    if (this.conversation.transcript.at(last.number - 1)?.message !== last.message) this.rewound(first - 1);
    else if (this.#cut === undefined && this.#written === first - 1) this.#written = last.number;
    this.changed();
  }

  /** @param late called if the call succeeds after it was given up */
  async #call<T>(call: () => Promise<T>, late?: () => void): Promise<T> {
    const { settings, wait } = this.setup;
    const timeoutMs = Math.min(settings.timeoutMs, longestCallMs);
    let isGivenUp = false;
    try {
      return await within({ timeoutMs, wait }, async () => {
        const answer = await call();
        if (isGivenUp) late?.();
        return answer;
      });
    } catch (error) {
      // It may go on with nothing in it.
      if (hasCode(error, 'archive-corrupt')) this.rewound(0);
      throw error;
    } finally {
      isGivenUp = true;
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return CtxError.isInstance(error) && error.code === code;
}

/** @throws CtxError `port-missing` */
export function archiveOf(log: ArchiveLog | undefined): ArchiveLog {
  if (log !== undefined) return log;
  throw new CtxError({
    code: 'port-missing',
    problem: 'The manager has no archive',
    place: 'archive',
    remedy: "Pass one as the option archive: memoryArchive() from '@ctx/archive'.",
  });
}

export function archivedMessage(transcript: Transcript, number: number): ArchivedMessage | undefined {
  const said = transcript.at(number - 1);
  if (said === undefined) return undefined;
  const { message, createdAt = 0 } = said;
  let caller: TranscriptMessage | undefined = said;
  while (caller?.message.role === 'tool') caller = transcript.at(caller.index - 1);
  const results = message.role === 'tool' ? message.content : [];
  const answered = new Set(results.map(({ toolCallId }) => toolCallId));
  const calls = caller === undefined ? [] : toolCallsOf(caller.message);
  const own = calls.filter(({ toolCallId }) => answered.has(toolCallId));
  return { number, message, calls: own, time: createdAt };
}
