import { scoreMessages } from '../kit/importance.js';
import { type Message, messageText } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { CompressionStrategy } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { CountMessage } from '../view/view-entry.js';
import type { CompressionRecord } from './record.js';

/** The figures of one compression. Tokens are those of the request, as counted here. */
export interface CompressionFigures {
  readonly compressionTimeMs: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Share of the tokens that was saved. Negative if the request grew meanwhile. */
  readonly reduction: number;
  /** `tokensAfter / tokensBefore`. */
  readonly ratio: number;
  readonly messagesRemoved: number;
}

/** What a stage has done in all compressions. */
export interface StageFigures {
  readonly runs: number;
  readonly progress: number;
  readonly failed: number;
  /** Tokens of the view's messages. */
  readonly tokensSaved: number;
}

/** How important the messages of the transcript are, and how many of the user's instructions the view still holds. */
export interface InstructionFigures {
  /** Messages of the user that score 70 or more. */
  readonly instructions: number;
  /** Those that the view holds word for word, as originals or in a summary. */
  readonly instructionsKept: number;
  /** `instructionsKept / instructions`, 0–1. It is 1 if there are no instructions. */
  readonly instructionPreservationRate: number;
  /** Mean of the scores of all messages, 0–100. */
  readonly averageImportance: number;
  /** Messages that score more than 70. */
  readonly highScoreMessages: number;
}

/** Counters of all compressions of a conversation. Undone compressions still count; what was made before a send does not. */
export interface CompressionMetrics {
  readonly last: CompressionFigures | undefined;
  readonly compressions: number;
  /**
   * Compressions caused by the trigger or a refused request (`automatic`), and those that someone asked for (`byHand`).
   */
  readonly automatic: number;
  readonly byHand: number;
  /** Compressions that changed nothing, because nothing could be removed or everything failed. */
  readonly withoutProgress: number;
  readonly compressionTimeMs: number;
  readonly tokensSaved: number;
  readonly messagesRemoved: number;
  /**
   * Means of the ratio and of the used share of the window before and after. Without compressions, the ratio is 1 and
   * the shares are 0.
   */
  readonly averageRatio: number;
  readonly averageUsageBefore: number;
  readonly averageUsageAfter: number;
  readonly editsRejected: number;
  /**
   * Share of all compressions, including those without progress, in which a stage ran because an earlier one failed or
   * did not reach the target, 0–1; see the event `fallback-use`.
   */
  readonly fallbackRate: number;
  /** Runs of stages that write summaries. */
  readonly summaryRuns: number;
  /**
   * Share of runs of summarising stages that used a summary, from a model or an extractor, 0–1. Undefined if there were
   * none.
   */
  readonly summarySuccessRate: number | undefined;
  /** Figures by strategy. */
  readonly stages: Readonly<Record<string, StageFigures>>;
}

/** The counters of a manager and figures about its conversation. */
export type Metrics = CompressionMetrics & InstructionFigures;

/** A user's message is an instruction from this score on. */
const instructionScore = 70;

/** Scores the whole transcript, in linear time. */
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

/** A quotation may have other line breaks. */
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

/** What the counters need to know about a compression. */
export interface CountedCompression {
  readonly record: CompressionRecord | undefined;
  readonly stages: CompressionRecord['stages'];
  readonly automatic: boolean;
  /** Tokens of the view's messages before the first stage. */
  readonly viewTokensBefore: number;
  /** Shares of the window, 0–1. */
  readonly usageBefore: number;
  readonly usageAfter: number;
  readonly strategies: readonly CompressionStrategy[];
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

/** The counters as plain JSON, for a snapshot. */
export interface MetricsState {
  readonly last?: CompressionFigures | undefined;
  readonly sums: Readonly<typeof noSums>;
  readonly stages: readonly (readonly [strategy: string, figures: StageFigures])[];
}

/** Adds up the figures of compressions. */
export class MetricsCounter {
  #last: CompressionFigures | undefined;
  readonly #sums = { ...noSums };
  readonly #stages = new Map<string, StageFigures>();

  add(counted: CountedCompression): void {
    const { record, stages, strategies, automatic } = counted;
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
    const summarizing = new Set(
      strategies.filter(({ emits }) => emits.includes('summarize')).map(({ name }) => name),
    );
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
      if (!summarizing.has(strategy)) continue;
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
      summarySuccessRate: summaries === 0 ? undefined : summariesUsed / summaries,
      stages: Object.fromEntries(this.#stages),
    };
  }
}
