import type { Message } from '@ctx/core';

/** The formats that can be read: those of agents, conversations in the form of the APIs `openai` and `anthropic`, and those that the `ai-sdk` and `langchain` store. */
export const sessionFormats = [
  'claude-code',
  'codex',
  'copilot',
  'gemini',
  'opencode',
  'pi',
  'openai',
  'anthropic',
  'ai-sdk',
  'langchain',
] as const;
export type SessionFormat = (typeof sessionFormats)[number];

export interface ReadOptions {
  /** Leaves out broken records and lists them in `skipped`, instead of throwing. @default false */
  readonly lenient?: boolean;
  /** The format, if it is known; otherwise it is detected from the first records. */
  readonly format?: SessionFormat;
}

/** A remark of the reader about a line. In a file that is one JSON document the line is 1. */
export interface Note {
  readonly line: number;
  readonly reason: string;
}

/** What a provider reported for the response that became an assistant message. */
export interface UsageReport {
  /** Position of the assistant message in `messages`. */
  readonly index: number;
  /** Tokens of the whole input, including those read from and written to the prompt cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Those of them that are kept for an hour, which costs more; missing if there are none. */
  readonly cacheHourTokens?: number | undefined;
  readonly provider: string;
  readonly model: string;
  /** True if the user or an error interrupted the response; its figures are those reported until then. */
  readonly aborted: boolean;
}

/** A place where the agent replaced what was said before by a summary of it. */
export interface Compaction {
  readonly line: number;
  /** Position in `messages` of the first message that the summary does not stand for. */
  readonly at: number;
  /** What the agent had in its context: everything since the compaction before, after what replaced the rest then. */
  readonly before: readonly Message[];
  /**
   * What the agent had in place of `before` from then on: the summary, marked `summary: true`, and what else it kept. It went on with
   * `replacement` and `messages` from `at`.
   */
  readonly replacement: readonly Message[];
  /** The text of the summary; missing if the file does not hold it in clear. */
  readonly summary?: string;
  /** What caused it, in the agent's own word, such as `auto` or `manual`. */
  readonly trigger?: string;
  /** Tokens of the whole context before, as the agent counted them. */
  readonly tokensBefore?: number;
}

/** One conversation of a session file. */
export interface Session {
  readonly id: string;
  readonly format: SessionFormat;
  /** In order; a `Transcript` accepts each of them after the one before. */
  readonly messages: readonly Message[];
  /** Missing if the format has none. */
  readonly usage?: readonly UsageReport[];
  /** Where the agent compacted the conversation, in order. Missing if it never did. */
  readonly compactions?: readonly Compaction[];
  /** The model and provider that answered last, if the file names them. */
  readonly model?: string;
  readonly provider?: string;
  /** Tokens of the model's window, as the agent noted it last, if it did: it may allow less than the model could take. */
  readonly contextWindow?: number;
  /** Where the conversation is from, such as a collection's name, if the record has a `source`. */
  readonly source?: string;
  /** Records of the conversation that are not in `messages`, and why. */
  readonly skipped: readonly Note[];
  /** Number of records of each kind that do not belong to the conversation: progress, snapshots, side chains. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** What an agent had in its context at one place of a session. */
export interface ContextAt {
  readonly messages: readonly Message[];
  /** The first of `messages.slice(firstSaid)` is `session.messages[from]`; those before it replace what was said earlier. */
  readonly firstSaid: number;
  readonly from: number;
  /** Number of compactions by the agent until then. */
  readonly compactions: number;
}

/**
 * The messages that the model saw, with the agent's own compactions in force: what the newest one put in place of everything before it,
 * and what was said since.
 * @param at number of messages of the session that had been said. @default all
 */
export function contextAt({ messages, compactions = [] }: Session, at = messages.length): ContextAt {
  const inForce = compactions.filter((one) => one.at <= at);
  const { at: from = 0, replacement = [] } = inForce.at(-1) ?? {};
  return {
    messages: [...replacement, ...messages.slice(from, at)],
    firstSaid: replacement.length,
    from,
    compactions: inForce.length,
  };
}
