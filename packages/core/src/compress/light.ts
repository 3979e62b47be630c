import { CompressionLevel } from '../base/compression-level.js';
import type { Limits } from '../base/deadline.js';
import { seededRandom } from '../base/random.js';
import { inSteps, type SliceOptions, slicer } from '../base/slices.js';
import { MessageCounter, type TokenCounter } from '../count/count.js';
import type { Message } from '../transcript/message.js';
import { Conversation, type ConversationRules } from '../view/conversation.js';
import { judgedIn } from '../view/judgement.js';
import type { CompressionStrategy } from '../view/strategy.js';
import { runPipeline } from './pipeline.js';
import type { StageReport } from './record.js';

export interface LightOptions
  extends Pick<Limits, 'timeoutMs' | 'wait'>,
    Pick<ConversationRules, 'withoutTask' | 'handles'> {
  /** They run in order until the target is met. */
  readonly strategies: readonly CompressionStrategy[];
  /** Tokens to get down to, as `counter` counts. */
  readonly targetTokens: number;
  /** The most tokens that the messages may have; above it, what must stay is cut as well. */
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  /** Ms since epoch. */
  readonly now: number;
  readonly slices?: SliceOptions | undefined;
  /** Text with `{count}` for the line in the place of dropped messages, or whether there is one. @default true */
  readonly marker?: boolean | string | undefined;
  readonly instructions?: string | undefined;
}

export interface LightOutcome {
  /** Messages that did not change are the objects that were given. */
  readonly messages: readonly Message[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly stages: readonly StageReport[];
  /** Why nothing was changed. */
  readonly reason?: string | undefined;
}

/** Compresses messages, which must have the form of messages: that is not checked. What they say is checked as everywhere. */
export async function compressLightly(
  messages: Iterable<Message>,
  options: LightOptions,
): Promise<LightOutcome> {
  const { strategies, targetTokens, maxTokens, now, marker = true, handles = false } = options;
  const inSlices = slicer(options.slices);
  const conversation = new Conversation(new MessageCounter(options.counter), {
    marker,
    handles,
    leadingUser: true,
    reasoning: 'kept',
    minMessagesToKeep: 1,
    historySize: 1,
    withoutTask: options.withoutTask,
  });
  await inSlices(inSteps(messages, (message) => conversation.append(message)));
  const { revision, view } = conversation;
  const room = conversation.markerAllowance;
  const result = await runPipeline({
    conversation,
    view: view.still(),
    transcript: conversation.transcript.messages,
    stages: strategies,
    targetTokens: targetTokens - room,
    enoughTokens: targetTokens - room,
    windowTokensFor: () => maxTokens - room,
    minMessagesToKeep: 1,
    level: CompressionLevel.HARD,
    now,
    random: seededRandom(0),
    priorities: 'default',
    rules: conversation.gateRules,
    record: 'compression-1',
    contextWindow: maxTokens,
    automatic: options.instructions === undefined,
    instructions: options.instructions,
    timeoutMs: options.timeoutMs,
    wait: options.wait,
    inSlices,
  });
  const applied = await inSlices(judgedIn(conversation, 'compression-1', { ...result, revision }));
  const [refused] = applied.rejected;
  return {
    messages: applied.view.messages(),
    tokensBefore: view.tokens,
    tokensAfter: applied.view.tokens,
    stages: result.stages,
    ...(applied.accepted.length === 0 && {
      reason: refused?.detail ?? result.stages.find(({ reason }) => reason !== undefined)?.reason,
    }),
  };
}
