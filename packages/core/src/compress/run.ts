import type { Limits } from '../base/deadline.js';
import type { DependencyContainer } from '../base/di.js';
import { seededRandom } from '../base/random.js';
import { type RunInSlices, slicer } from '../base/slices.js';
import type { Counted } from '../count/coefficients.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import type { Conversation } from '../view/conversation.js';
import type { GateRules } from '../view/gate.js';
import type { PriorityPreset } from '../view/priority.js';
import type { CompressionStrategy, PlanContext } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { Compressor } from './compressor.js';
import type { SafeEmitter } from './events.js';
import type { resolveEdits } from './resolve.js';

export interface CompressionRequest {
  readonly stages: readonly CompressionStrategy[];
  readonly targetTokens: number;
  /**
   * A stage that promises the target and gets the request down to this has done enough: those after it would take what it chose to keep.
   * @default the target
   */
  readonly enoughTokens?: number | undefined;
  /**
   * The most tokens of the request, in the provider's measure. What must stay is cut if it is larger by itself.
   * @default the window without a fifth of the reserve
   */
  readonly limitTokens?: number | undefined;
  /**
   * True: what must stay is cut only if the request is larger than `limitTokens` after every stage that spares it, and the rules of a project
   * that a program brings must stay too.
   */
  readonly spares?: boolean | undefined;
  readonly reason: string;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * False if someone asked for it by hand: then what was said before the first answer may leave, though the model has not read it.
   * @default true
   */
  readonly automatic?: boolean | undefined;
  /** Skips stages that made no progress on a view that has not grown since. */
  readonly skipStalled?: boolean;
  /** Goes as far as possible, whatever the target. The cost of reading more than the target continues to add up. */
  readonly upkeep?: true | undefined;
  /** Nothing changes unless it has paid for itself after so many requests. @default it need not */
  readonly paysWithin?: number | undefined;
}

/** Everything that a run of the stages works with. Token figures are as counted here, for the view's messages. */
export interface Run
  extends Pick<CompressionRequest, 'stages' | 'spares' | 'instructions'>,
    Pick<PlanContext, 'targetTokens' | 'minMessagesToKeep' | 'level' | 'now' | 'random' | 'contextWindow'>,
    Limits {
  readonly conversation: Pick<Conversation, 'copies' | 'count' | 'counter'>;
  readonly view: View;
  readonly transcript: readonly TranscriptMessage[];
  /** What later stages need not improve on. */
  readonly enoughTokens: number;
  /**
   * The most tokens a view may have to fit the window, with a last bit of room for the answer. It depends on the view's calls, because a
   * provider adds tokens for each call.
   */
  readonly windowTokensFor: (view: Counted) => number;
  readonly priorities: PriorityPreset;
  readonly rules: GateRules;
  readonly record: string;
  /** Provides the ports for unresolved edits, and loads what asks them. Without it they stay unresolved. */
  readonly ports?: Ports | undefined;
  /** False if someone asked for it by hand. */
  readonly automatic: boolean;
  /** The tool whose results are removed before all others. */
  readonly recallTool?: string | undefined;
  readonly inSlices: RunInSlices;
  passOver?(strategy: CompressionStrategy, view: View): string | undefined;
  readonly events?: SafeEmitter | undefined;
}

interface Ports {
  readonly container: DependencyContainer;
  load(): Promise<{ readonly resolveEdits: typeof resolveEdits }>;
}

/** The run of a request, on the conversation as it is now. */
export function runOf(request: CompressionRequest, compressor: Compressor, record: string): Run {
  const { meter, recordNumber } = compressor;
  const { settings, container, events, slices, wait, modelPause } = compressor.surroundings;
  const now = compressor.surroundings.now();
  const { conversation } = meter;
  const { contextWindow, limit } = meter.budget;
  const limitTokens = request.limitTokens ?? limit;
  return {
    ...request,
    targetTokens: meter.viewTokensFor(request.targetTokens),
    enoughTokens: meter.viewTokensFor(request.enoughTokens ?? request.targetTokens),
    windowTokensFor: (view) => meter.viewTokensWithin(limitTokens, view),
    minMessagesToKeep: settings.minMessagesToKeep,
    contextWindow,
    automatic: request.automatic ?? true,
    conversation,
    view: conversation.view.still(),
    transcript: conversation.transcript.messages,
    level: meter.level,
    now,
    random: seededRandom(recordNumber),
    priorities: settings.priorities,
    rules: {
      ...conversation.gateRules,
      keepsUnanswered: request.automatic !== false,
      keepsRules: request.spares === true,
    },
    record,
    ports: { container, load: () => import('./resolve.js') },
    timeoutMs: settings.timeoutMs,
    wait,
    recallTool: settings.recallTool,
    inSlices: slicer(slices),
    events,
    passOver: (strategy, view) => {
      if (request.skipStalled !== true) return undefined;
      const pause = modelPause.reasonFor(strategy, now);
      if (pause !== undefined) return pause;
      const stalled = compressor.stalled.get(strategy.name);
      if (stalled === undefined || view.tokens > stalled) return undefined;
      return 'it made no progress, and the view has not grown since';
    },
  };
}
