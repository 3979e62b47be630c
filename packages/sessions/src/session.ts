import type { Message } from '@ctx/core';

/** The formats that can be read. `openai` and `anthropic` are conversations as their APIs take them. */
export const sessionFormats = ['claude-code', 'pi', 'openai', 'anthropic'] as const;
export type SessionFormat = (typeof sessionFormats)[number];

export interface ReadOptions {
  /** Leave records out that are broken and list them in `skipped`, instead of throwing. @default false */
  readonly lenient?: boolean;
  /** The format, where it is known; else it is detected from the first records. */
  readonly format?: SessionFormat;
  /**
   * Where to begin in a session that the agent has compacted: `start` gives everything that was said and leaves the
   * agent's summaries out; `last-compaction` gives what the model still sees: the newest summary, marked
   * `summary: true`, and what follows it. @default 'start'
   */
  readonly from?: 'start' | 'last-compaction';
}

/** Something the reader has to say about a line. In a file that is one JSON document the line is 1. */
export interface Note {
  readonly line: number;
  readonly reason: string;
}

/** What a provider reported for the response that became an assistant message. */
export interface UsageReport {
  /** Position of the assistant message in `messages`. */
  readonly index: number;
  /** Tokens of the whole input, those read from and written to the prompt cache among them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly provider: string;
  readonly model: string;
  /** True when the response broke off, by the user or an error; its figures are those reported until then. */
  readonly aborted: boolean;
}

/** One conversation of a session file. */
export interface Session {
  readonly id: string;
  readonly format: SessionFormat;
  /** In order; a `Transcript` accepts each of them after the one before. */
  readonly messages: readonly Message[];
  /** Missing where the format holds none. */
  readonly usage?: readonly UsageReport[];
  /** The model and provider that answered last, where the file says so. */
  readonly model?: string;
  readonly provider?: string;
  /** Where the conversation is from, such as a collection's name, where the record says so in a `source`. */
  readonly source?: string;
  /** Records of the conversation that are not in `messages`, and why. */
  readonly skipped: readonly Note[];
  /** What is in `messages`, but not as it stands in the file. */
  readonly warnings: readonly Note[];
  /** How many records of each kind are no part of the conversation: progress, snapshots, side chains. */
  readonly leftOut: Readonly<Record<string, number>>;
}
