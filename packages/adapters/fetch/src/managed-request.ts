import { codeOf, type RequestOf, type Turn, type Warnings } from '@ctx/conversation';
import type { Steps, slicer } from '@ctx/core';
import type { HiddenTurn } from './hidden/hidden-turns.js';
import type { JsonSource } from './json-source.js';
import type { ThreadRequest } from './message-threads.js';
import type { Errand } from './request-purpose.js';
import type { Sender } from './senders.js';
import { type Body, outputTokensOf, type Purpose, passedBy, type WireForm } from './wire-form.js';

/** What is known of a request whose conversation was found. */
export interface RequestFacts extends Errand {
  readonly form: WireForm;
  readonly model: string | undefined;
  /** The original body. */
  readonly source: JsonSource;
  readonly history: unknown;
  readonly turn: Turn<unknown>;
  /** How the conversation of the request is found. */
  readonly request: RequestOf;
  readonly sender: Sender;
  /** Missing where no hidden tool is offered. */
  readonly hidden: HiddenTurn | undefined;
  /** True where the hidden tool is offered no longer, although its calls are in the history. */
  readonly isWithoutTool?: boolean | undefined;
  readonly signal: AbortSignal | undefined;
  /** Missing where the request itself has everything that was said. */
  readonly thread: ThreadRequest | undefined;
}

/** What became of a request, in figures: nothing of what was said is in it. */
export interface RequestReport {
  readonly purpose: Purpose;
  /** The key of its conversation. */
  readonly conversation: string;
  readonly provider: string;
  readonly model: string | undefined;
  /** Tokens of the request as it is sent, in the provider's measure as far as that is known. */
  readonly tokens: number;
  /** Tokens that it would have had more, estimated by the length of both. */
  readonly savedTokens: number;
  /** The model's window, in tokens. */
  readonly windowTokens: number;
  /** Compressions of the conversation so far. */
  readonly compressions: number;
  /** How often it was sent again, smaller, after the provider had refused it as too large. */
  readonly retries: number;
  /** True if it was sent unchanged although ctx would have changed it, in a dry run. */
  readonly isDryRun: boolean;
}

/** Conversations that the provider refused because they begin with an answer. */
const needLeadingUser = new WeakSet<object>();

/** A request of a conversation, from what is sent in its place to its answer. Its functions don't throw, `prepare` apart. */
export class ManagedRequest {
  /** Missing once the provider has begun to answer, unless a hidden tool may be called: a long answer would hold the texts for minutes. */
  facts: RequestFacts | undefined;
  readonly turn: Turn<unknown>;
  readonly purpose: Purpose;
  readonly sender: Sender;
  #body: string | undefined;
  #isOnlyLeadingUser = false;
  #isTaken = false;
  #retries = 0;
  #figures: Omit<RequestReport, 'retries' | 'isDryRun'> | undefined;

  constructor(
    facts: RequestFacts,
    readonly inSlices: ReturnType<typeof slicer>,
    readonly warnings: Warnings,
  ) {
    this.facts = facts;
    this.turn = facts.turn;
    this.purpose = facts.purpose;
    this.sender = facts.sender;
  }

  /** What to send; `undefined` for the original body. One that begins with an answer is tried as it is: most providers accept that. */
  get body(): string | undefined {
    return this.#isOnlyLeadingUser && !needLeadingUser.has(this.turn.conversation) ? undefined : this.#body;
  }

  /** After an answer of this status, which is no overflow: true if it is to be sent again, with a first user message. */
  needsLeadingUser(status: number): boolean {
    if (status !== 400 || this.body === this.#body) return false;
    needLeadingUser.add(this.turn.conversation);
    return true;
  }

  /** Finds what to send. If the agent asks for a summary, it is written from the whole conversation, if that fits. */
  async prepare(): Promise<this> {
    const { turn } = this;
    const { purpose, isWhole, history, signal } = this.facts as RequestFacts;
    const isUncut = isWhole || (purpose === 'compaction' && turn.conversation.fits);
    const native = isUncut ? turn.conversation.request(history) : await turn.prepare({ signal });
    await this.#write(isWhole ? history : native);
    return this;
  }

  /**
   * Makes it smaller after an overflow; false if that can't be. Once the provider has begun to answer it can't, but the next request of the
   * conversation will be smaller.
   */
  async recovered(overflow: unknown): Promise<boolean> {
    const { turn, facts } = this;
    try {
      if (this.#isTaken) await turn.refusedLate(overflow);
      if (this.#isTaken || facts === undefined) return false;
      const { signal, source, isWhole } = facts;
      if (turn.blamesOutput(overflow, outputTokensOf(source.value as Body))) return false;
      const isUncut = isWhole && !turn.conversation.fits;
      const smaller = await (isUncut ? turn.prepare({ signal }) : turn.recovered(overflow, { signal }));
      if (smaller === undefined) return false;
      this.#retries += 1;
      await this.#write(smaller);
      return true;
    } catch (error) {
      this.warnings.once('recover-failed', `An overflow was not recovered: ${codeOf(error)}`);
      return false;
    }
  }

  async #write(native: unknown): Promise<void> {
    const { turn, purpose } = this;
    const { form, model, source, thread } = this.facts as RequestFacts;
    const { body, isOnlyLeadingUser } = await this.inSlices(bodyOf(this.facts as RequestFacts, native));
    const [before, after] = [source.text.length, body?.length ?? source.text.length];
    const { currentTokens, maxTokens, compressions } = turn.conversation.manager.stats();
    this.#body = thread === undefined ? body : thread.body(body);
    this.#isOnlyLeadingUser = isOnlyLeadingUser && thread === undefined && this.#retries === 0;
    this.#figures = {
      purpose,
      conversation: turn.key,
      provider: form.provider,
      model,
      tokens: currentTokens,
      savedTokens: Math.max(0, Math.round((currentTokens * (before - after)) / Math.max(1, after))),
      windowTokens: maxTokens,
      compressions,
    };
  }

  /** What is sent now, in figures. */
  report(isDryRun: boolean): RequestReport {
    return { ...(this.#figures as RequestReport), retries: this.#retries, isDryRun };
  }

  /** The provider has begun to answer. */
  taken(): void {
    this.#isTaken = true;
    this.turn.taken();
    if (this.facts?.hidden === undefined) this.facts = undefined;
  }
}

/** Characters; writing a longer body takes some ms. */
const longBody = 256 * 1024;

/**
 * The body with another history; none if nothing differs. A long body gets a slice of its own. If a first user message is all that was added,
 * it may not be needed: some providers refuse a history that begins with an answer.
 */
function* bodyOf(facts: RequestFacts, native: unknown): Steps<{ body?: string; isOnlyLeadingUser: boolean }> {
  const { form, source, hidden, isWithoutTool = false } = facts;
  if (source.text.length > longBody) yield;
  const original = source.value as Body;
  const [before, after] = [form.write(form.read(original)), form.write(native)];
  const changed = form.members.filter((key) => !isSame(before[key], after[key]));
  if (changed.length === 0 && hidden === undefined) return { isOnlyLeadingUser: false };
  const isLonger = (key: string) => Array.isArray(after[key]) && isSame(before[key], after[key].slice(1));
  const written = (key: string) =>
    key === form.list ? [...passedBy(form, original), ...(after[key] as readonly unknown[])] : after[key];
  const body = source.withMembers({
    ...Object.fromEntries(changed.map((key) => [key, written(key)])),
    ...(hidden !== undefined && !isWithoutTool && { tools: hidden.tools }),
  });
  return { body, isOnlyLeadingUser: hidden === undefined && changed.every(isLonger) };
}

/** True for the same value, and for a list of the same objects. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return before.length === after.length && before.every((one, index) => one === after[index]);
}
