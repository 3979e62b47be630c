import type { ReportedUsage, Warning } from '@ctx/conversation';
import type { RequestReport } from '@ctx/fetch';

/** What is known of a conversation: figures only. */
export interface ConversationStatus {
  /** The beginning of its key; nothing of what was said can be read from it. */
  readonly id: string;
  readonly provider: string;
  readonly model: string | undefined;
  /** Requests for a turn. */
  readonly requests: number;
  /** Tokens of the newest request as it was sent, in the provider's measure as far as it is known. */
  readonly tokens: number;
  /** Tokens of the model's window. */
  readonly windowTokens: number;
  /** Tokens that were not sent in the newest request, estimated; in a dry run those that would not have been. */
  readonly savedTokens: number;
  /** The same of all requests. */
  readonly savedTokensOfAll: number;
  readonly compressions: number;
  /** Requests that the provider refused as too large and that were sent again, smaller. */
  readonly recovered: number;
  /** What the provider reported of all requests. */
  readonly inputTokens: number;
  /** The part of it that it read from its cache. */
  readonly cachedTokens: number;
  /** Ms since epoch. */
  readonly lastRequestAt: number;
}

export interface ProxyStatus {
  readonly isDryRun: boolean;
  /** Ms since epoch. */
  readonly startedAt: number;
  /** All requests, also those that were sent unchanged. */
  readonly requests: number;
  /** Those that passed because they are none of a conversation, or could not be managed. */
  readonly passed: number;
  /** Problems that were worked around, each once: code and message. */
  readonly warnings: readonly Warning[];
  /** By use, the newest first. */
  readonly conversations: readonly ConversationStatus[];
}

type Entry = { -readonly [Key in keyof ConversationStatus]: ConversationStatus[Key] };

/** Conversations of which figures are kept; more would make the status page long. */
const mostConversations = 500;
/** Warnings that are kept: their codes are few, but some name a path. */
const mostWarnings = 50;
/** Characters of a key that tell conversations apart on a page. */
const idLength = 12;

/** Keeps the figures of the conversations that pass. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #warnings: ProxyStatus['warnings'][number][] = [];
  readonly #startedAt: number;
  #requests = 0;
  #reported = 0;

  constructor(
    readonly isDryRun: boolean,
    readonly now: () => number,
  ) {
    this.#startedAt = now();
  }

  requestReceived(): void {
    this.#requests += 1;
  }

  warned(warning: Warning): void {
    if (this.#warnings.length < mostWarnings) this.#warnings.push(warning);
  }

  sent(report: RequestReport): void {
    this.#reported += 1;
    if (report.purpose !== 'turn') return;
    const entry = this.#entryOf(report);
    entry.requests += 1;
    entry.tokens = report.tokens;
    entry.windowTokens = report.windowTokens;
    entry.savedTokens = report.savedTokens;
    entry.savedTokensOfAll += report.savedTokens;
    entry.compressions = report.compressions;
    entry.recovered += report.retries > 0 ? 1 : 0;
    entry.lastRequestAt = this.now();
  }

  used(report: RequestReport, { inputTokens, cachedTokens }: ReportedUsage): void {
    if (report.purpose !== 'turn') return;
    const entry = this.#entryOf(report);
    entry.inputTokens += inputTokens;
    entry.cachedTokens += cachedTokens;
  }

  #entryOf({ conversation, provider, model }: RequestReport): Entry {
    const known = this.#entries.get(conversation);
    const entry = known ?? {
      id: shortId(conversation),
      provider,
      model,
      requests: 0,
      tokens: 0,
      windowTokens: 0,
      savedTokens: 0,
      savedTokensOfAll: 0,
      compressions: 0,
      recovered: 0,
      inputTokens: 0,
      cachedTokens: 0,
      lastRequestAt: this.now(),
    };
    this.#entries.delete(conversation);
    this.#entries.set(conversation, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= mostConversations) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }

  status(): ProxyStatus {
    return {
      isDryRun: this.isDryRun,
      startedAt: this.#startedAt,
      requests: this.#requests,
      passed: this.#requests - this.#reported,
      warnings: [...this.#warnings],
      conversations: [...this.#entries.values()].reverse().map((entry) => ({ ...entry })),
    };
  }
}

/** A key begins with what all conversations of one sender share, so its end counts as well. */
export function shortId(key: string): string {
  const [scope = '', ...rest] = key.split('-');
  return `${scope.slice(0, 4)}-${rest.join('-').slice(-idLength)}`;
}
