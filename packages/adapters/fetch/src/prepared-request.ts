import type { ReportedUsage, RequestOf, Turn } from '@ctx/conversation';
import type { Steps } from '@ctx/core';
import type { HiddenTurn } from './hidden/hidden-turns.js';
import type { JsonSource } from './json-source.js';
import type { ThreadRequest } from './message-threads.js';
import type { Errand, Purpose } from './request-purpose.js';
import type { Sender } from './senders.js';
import { type Body, passedBy, type WireForm } from './wire-form.js';

/** A request whose conversation is known. */
export interface Managed extends BodySource, Errand {
  readonly model: string | undefined;
  readonly history: unknown;
  readonly turn: Turn<unknown>;
  /** How the conversation of the request is found. */
  readonly request: RequestOf;
  readonly sender: Sender;
  readonly signal: AbortSignal | undefined;
  /** Missing where the request itself has everything that was said. */
  readonly thread: ThreadRequest | undefined;
}

/** Conversations that the provider refused because they begin with an answer. */
const needLeadingUser = new WeakSet<object>();

/** A request of a conversation as it is to be sent. */
export class PreparedRequest {
  readonly purpose: Purpose;
  /** `undefined` for the original body. */
  readonly body: string | undefined;
  /** True if a first user message is all that was added: some providers refuse a history that begins with an answer. */
  readonly isOnlyLeadingUser: boolean;
  readonly report: PreparedReport;
  readonly turn: Turn<unknown>;
  readonly #sender: Sender;
  /** What another request of the same turn is made of. Missing after `taken`, unless a hidden tool may be called. */
  managed: Managed | undefined;
  /** True once the provider has begun to answer: it is asked for nothing smaller. */
  isTaken = false;

  constructor(managed: Managed, { body, isOnlyLeadingUser }: WrittenBody) {
    const { purpose, turn, source, sender, thread } = managed;
    this.purpose = purpose;
    this.body = thread === undefined ? body : thread.body(body);
    this.isOnlyLeadingUser = isOnlyLeadingUser && thread === undefined;
    this.report = reportOf(managed, source.text.length, body?.length ?? source.text.length);
    this.turn = turn;
    this.#sender = sender;
    this.managed = managed;
  }

  /** True if the provider refused this conversation without a first user message. */
  get needsLeadingUser(): boolean {
    return needLeadingUser.has(this.turn.conversation);
  }

  refusedWithoutLeadingUser(): void {
    needLeadingUser.add(this.turn.conversation);
  }

  /**
   * The provider has accepted the credentials.
   * @param organization whose they are, as the answer says it
   */
  accepted(organization: string | undefined): void {
    void this.#sender.accepted(organization);
  }

  /** The provider has begun to answer. Frees the texts, which a long answer would hold for minutes. */
  taken(): void {
    this.isTaken = true;
    this.turn.taken();
    if (this.managed?.hidden === undefined) this.managed = undefined;
  }

  answered(usage: ReportedUsage): void {
    void this.turn.answered(usage);
  }
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

/** What is known of a request before it is sent. */
export type PreparedReport = Omit<RequestReport, 'retries' | 'isDryRun'>;

/**
 * @param before characters of the original body
 * @param after characters of it as it is to be sent
 */
function reportOf(
  {
    purpose,
    turn,
    form,
    model,
  }: Pick<RequestReport, 'purpose' | 'model'> & {
    readonly turn: Turn<unknown>;
    readonly form: Pick<RequestReport, 'provider'>;
  },
  before: number,
  after: number,
): PreparedReport {
  const { currentTokens, maxTokens, compressions } = turn.conversation.manager.stats();
  const saved = after === 0 ? 0 : Math.round((currentTokens * (before - after)) / after);
  return {
    purpose,
    conversation: turn.key,
    provider: form.provider,
    model,
    tokens: currentTokens,
    savedTokens: Math.max(0, saved),
    windowTokens: maxTokens,
    compressions,
  };
}

/** Characters; writing a longer body takes some ms. */
const longBody = 256 * 1024;

/** The original body, and what is known of it. */
export interface BodySource {
  readonly form: WireForm;
  readonly source: JsonSource;
  /** Missing where no hidden tool is offered. */
  readonly hidden: HiddenTurn | undefined;
  /** True where the hidden tool is offered no longer, although its calls are in the history. */
  readonly isWithoutTool?: boolean | undefined;
}

/** What is to be sent in the place of a body. */
export interface WrittenBody {
  /** `undefined` for the original body. */
  readonly body: string | undefined;
  /** True if a first user message is all that was added: some providers refuse a history that begins with an answer. */
  readonly isOnlyLeadingUser: boolean;
}

/** The body with another history; the original body if nothing differs. A long body gets a slice of its own. */
export function* writtenBody(from: BodySource, native: unknown): Steps<WrittenBody> {
  const { form, source, hidden, isWithoutTool = false } = from;
  if (source.text.length > longBody) yield;
  const [before, after] = [form.write(form.read(source.value as Body)), form.write(native)];
  const changed = form.members.filter((key) => !isSame(before[key], after[key]));
  if (changed.length === 0 && hidden === undefined) return { body: undefined, isOnlyLeadingUser: false };
  const isOnlyLeadingUser =
    hidden === undefined && changed.every((key) => isOnlyLonger(before[key], after[key]));
  const passed = passedBy(form, source.value as Body);
  const written = (key: string) =>
    key === form.list ? [...passed, ...(after[key] as readonly unknown[])] : after[key];
  const members = Object.fromEntries(changed.map((key) => [key, written(key)]));
  const body = source.withMembers({
    ...members,
    ...(hidden !== undefined && !isWithoutTool && { tools: hidden.tools }),
  });
  return { body, isOnlyLeadingUser };
}

/** True for a list that begins with one entry more. */
function isOnlyLonger(before: unknown, after: unknown): boolean {
  return Array.isArray(after) && isSame(before, after.slice(1));
}

/** True for the same value, and for a list of the same objects. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return before.length === after.length && before.every((one, index) => one === after[index]);
}
