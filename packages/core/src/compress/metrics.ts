import { scoreMessages } from '../kit/importance.js';
import { type Message, messageText } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { View } from '../view/view.js';
import type { CountMessage } from '../view/view-entry.js';
import type { CompressionRecord } from './record.js';

/** One compression in figures. Tokens of the request as counted here. */
export interface CompressionFigures {
  readonly compressionTimeMs: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Share of the tokens that was saved; negative where the request grew meanwhile. */
  readonly reduction: number;
  /** `tokensAfter / tokensBefore`. */
  readonly ratio: number;
  readonly messagesRemoved: number;
}

/** What a stage has done over all compressions. */
export interface StageFigures {
  readonly runs: number;
  readonly progress: number;
  readonly failed: number;
  /** Of the view's messages. */
  readonly tokensSaved: number;
}

/** How the messages of the transcript matter, and what of the user's instructions the view still holds. */
export interface InstructionFigures {
  /** Messages of the user that score 70 or more. */
  readonly instructions: number;
  /** Those that the view holds word for word, as they were said or in a summary. */
  readonly instructionsKept: number;
  /** `instructionsKept / instructions`, 0–1; 1 where there are none. */
  readonly instructionPreservationRate: number;
  /** Mean of the scores of all messages, 0–100. */
  readonly averageImportance: number;
  /** Messages that score over 70. */
  readonly highScoreMessages: number;
}

/** Counters of a conversation's compressions since it began; those of compressions that were undone count on. */
export interface CompressionMetrics {
  readonly last: CompressionFigures | undefined;
  readonly compressions: number;
  /** Compressions that the trigger or a refused request caused, and those somebody asked for. */
  readonly automatic: number;
  readonly byHand: number;
  /** Without a change: nothing could leave, or everything failed. */
  readonly withoutProgress: number;
  readonly compressionTimeMs: number;
  readonly tokensSaved: number;
  readonly messagesRemoved: number;
  /** Means of the tokens and of the share of the window before and after; 0 where there was none. */
  readonly averageRatio: number;
  readonly averageUsageBefore: number;
  readonly averageUsageAfter: number;
  readonly editsRejected: number;
  /**
   * Share of the compressions, those without progress among them, in which a stage ran because one before it failed or did not
   * reach the target, 0–1; see the event `fallback-use`.
   */
  readonly fallbackRate: number;
  /** Runs of stages that write summaries. */
  readonly summaryRuns: number;
  /** Share of the runs of a stage that asks a model or an extractor and used its answer, 0–1; 1 where there was none. */
  readonly summarySuccessRate: number;
  /** By strategy. */
  readonly stages: Readonly<Record<string, StageFigures>>;
}

/** What a manager counts, and how its conversation stands. */
export type Metrics = CompressionMetrics & InstructionFigures;

/** From this score on a message of the user is an instruction. */
const instructionScore = 70;

/** Scores the whole transcript, in time proportional to it. */
export function instructionFigures(
  transcript: readonly TranscriptMessage[],
  view: View,
  count: CountMessage,
): InstructionFigures {
  const scores = scoreMessages(
    transcript.map(({ message }) => ({ message, tokens: count(message).tokens })),
  ).map(({ score }) => score);
  const shown = new Set(view.entries.map(({ message }) => message));
  const summaries = view.entries
    .filter(({ message }) => message.summary === true)
    .map(({ message }) => normalized(messageText(message)));
  const survives = (message: Message) =>
    shown.has(message) || summaries.some((text) => text.includes(normalized(messageText(message))));
  const instructions = transcript.filter(
    ({ message }, index) =>
      message.role === 'user' && message.summary !== true && (scores[index] as number) >= instructionScore,
  );
  const kept = instructions.filter(({ message }) => survives(message)).length;
  return {
    instructions: instructions.length,
    instructionsKept: kept,
    instructionPreservationRate: instructions.length === 0 ? 1 : kept / instructions.length,
    averageImportance: scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length),
    highScoreMessages: scores.filter((score) => score > instructionScore).length,
  };
}

/** A quotation may be wrapped otherwise. */
function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function figuresOf(record: CompressionRecord): CompressionFigures {
  return {
    compressionTimeMs: record.durationMs,
    tokensBefore: record.tokensBefore,
    tokensAfter: record.tokensAfter,
    reduction: record.reduction,
    ratio: record.ratio,
    messagesRemoved: record.messagesBefore - record.messagesAfter,
  };
}

/** What a compression is counted by. */
export interface Counted {
  readonly record: CompressionRecord | undefined;
  readonly stages: CompressionRecord['stages'];
  readonly automatic: boolean;
  /** Tokens of the view's messages before the first stage. */
  readonly viewTokensBefore: number;
  /** Shares of the window, 0–1. */
  readonly usageBefore: number;
  readonly usageAfter: number;
  /** Names of the stages that ask for summaries. */
  readonly summarizing: ReadonlySet<string>;
}

const noSums = {
  compressions: 0,
  automatic: 0,
  byHand: 0,
  withoutProgress: 0,
  compressionTimeMs: 0,
  tokensSaved: 0,
  messagesRemoved: 0,
  ratio: 0,
  usageBefore: 0,
  usageAfter: 0,
  editsRejected: 0,
  fallbacks: 0,
  summaries: 0,
  summariesUsed: 0,
};

/** Plain JSON, for a snapshot. */
export interface MetricsState {
  readonly last?: CompressionFigures | undefined;
  readonly sums: Readonly<typeof noSums>;
  readonly stages: readonly (readonly [strategy: string, figures: StageFigures])[];
}

/** Adds up what compressions did. */
export class MetricsCounter {
  #last: CompressionFigures | undefined;
  readonly #sums = { ...noSums };
  readonly #stages = new Map<string, StageFigures>();

  add(counted: Counted): void {
    const { record, stages, automatic } = counted;
    const sums = this.#sums;
    sums[automatic ? 'automatic' : 'byHand'] += 1;
    if (stages.some(({ fallback }) => fallback)) sums.fallbacks += 1;
    if (record === undefined) sums.withoutProgress += 1;
    else {
      const figures = figuresOf(record);
      this.#last = figures;
      sums.compressions += 1;
      sums.compressionTimeMs += figures.compressionTimeMs;
      sums.tokensSaved += figures.tokensBefore - figures.tokensAfter;
      sums.messagesRemoved += figures.messagesRemoved;
      sums.ratio += figures.ratio;
      sums.usageBefore += counted.usageBefore;
      sums.usageAfter += counted.usageAfter;
      sums.editsRejected += record.rejected.length;
    }
    let tokens = counted.viewTokensBefore;
    for (const { strategy, status, tokensAfter } of stages) {
      const before = this.#stages.get(strategy) ?? { runs: 0, progress: 0, failed: 0, tokensSaved: 0 };
      this.#stages.set(strategy, {
        runs: before.runs + 1,
        progress: before.progress + Number(status === 'progress'),
        failed: before.failed + Number(status === 'failed'),
        tokensSaved: before.tokensSaved + tokens - tokensAfter,
      });
      tokens = tokensAfter;
      if (!counted.summarizing.has(strategy)) continue;
      sums.summaries += 1;
      sums.summariesUsed += Number(status === 'progress');
    }
  }

  get state(): MetricsState {
    return { last: this.#last, sums: { ...this.#sums }, stages: [...this.#stages] };
  }

  resume({ last, sums, stages }: MetricsState): void {
    this.#last = last;
    Object.assign(this.#sums, sums);
    for (const [strategy, figures] of stages) this.#stages.set(strategy, figures);
  }

  get metrics(): CompressionMetrics {
    const { ratio, usageBefore, usageAfter, fallbacks, summaries, summariesUsed, ...sums } = this.#sums;
    const mean = (sum: number, of: number, none = 0) => (of === 0 ? none : sum / of);
    const runs = sums.compressions + sums.withoutProgress;
    return {
      last: this.#last,
      ...sums,
      averageRatio: mean(ratio, sums.compressions, 1),
      averageUsageBefore: mean(usageBefore, sums.compressions),
      averageUsageAfter: mean(usageAfter, sums.compressions),
      fallbackRate: mean(fallbacks, runs),
      summaryRuns: summaries,
      summarySuccessRate: mean(summariesUsed, summaries, 1),
      stages: Object.fromEntries(this.#stages),
    };
  }
}
