import type { DependencyContainer } from '../base/di.js';
import { seededRandom } from '../base/random.js';
import { type SliceOptions, slicer } from '../base/slices.js';
import type { Wait } from '../base/wait.js';
import type { Meter } from '../budget/meter.js';
import type { Settings } from '../config/config.js';
import type { Conversation } from '../view/conversation.js';
import type { CompressionRequest } from './compression-request.js';
import type { SafeEmitter } from './events.js';
import type { ModelPause } from './model-pause.js';
import type { CompressionRecord } from './record.js';
import type { Run } from './run.js';

/** What all compressions of a manager share. */
export interface Surroundings {
  readonly conversation: Conversation<CompressionRecord>;
  readonly settings: Settings;
  readonly container: DependencyContainer;
  readonly events: SafeEmitter;
  readonly now: () => number;
  readonly slices: SliceOptions | undefined;
  readonly modelPause: ModelPause;
  readonly wait: Wait | undefined;
}

/** What is one compression's own. */
interface Begun {
  /** The id of its record. */
  readonly record: string;
  readonly now: number;
  readonly seed: number;
  /** The tokens of the view on which a strategy made no progress. */
  stalledAt(strategy: string): number | undefined;
}

/** The run of a request, on the conversation as it is now. */
export function runOf(
  request: CompressionRequest,
  meter: Meter,
  { settings, container, events, slices, wait, modelPause }: Surroundings,
  { record, now, seed, stalledAt }: Begun,
): Run {
  const { conversation } = meter;
  const { contextWindow, limit } = meter.budget;
  const limitTokens = request.limitTokens ?? limit;
  return {
    ...request,
    targetTokens: meter.viewTokensFor(request.targetTokens),
    enoughTokens: meter.viewTokensFor(request.enoughTokens ?? request.targetTokens),
    windowTokens: meter.viewTokensWithin(limitTokens),
    windowTokensFor: (view) => meter.viewTokensWithin(limitTokens, view),
    minMessagesToKeep: settings.minMessagesToKeep,
    contextWindow,
    automatic: request.automatic ?? true,
    view: conversation.view.still(),
    transcript: conversation.readable,
    level: meter.level,
    now,
    random: seededRandom(seed),
    priorities: settings.priorities,
    rules: conversation.gateRules,
    count: conversation.count,
    tokensOfText: (text) => conversation.counter.text(text),
    countInSteps: (text) => conversation.counter.textInSteps(text),
    record,
    container,
    timeoutMs: settings.timeoutMs,
    wait,
    recallTool: settings.recallTool,
    inSlices: slicer(slices),
    events,
    passOver: (strategy, view) => {
      if (request.skipStalled !== true) return undefined;
      const pause = modelPause.reasonFor(strategy, now);
      if (pause !== undefined) return pause;
      const stalled = stalledAt(strategy.name);
      if (stalled === undefined || view.tokens > stalled) return undefined;
      return 'it made no progress, and the view has not grown since';
    },
  };
}
