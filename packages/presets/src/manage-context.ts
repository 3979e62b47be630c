import {
  allowedTokens,
  type CompressionOutcome,
  type Config,
  createContainer,
  effectiveThreshold,
  firedBy,
  type Message,
  type ModelId,
  messageText,
  summarizerToken,
  Transcript,
} from '@ctx/core';
import { type ChatModel, createSummarizer } from '@ctx/strategy-condense';
import { createContextManager, registerDefaults } from './defaults.js';
import { ladder } from './ladder.js';

/** When a context is to be managed; the terms of Roo Code. */
export interface ContextThreshold {
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens reserved for the answer. @default 4096 */
  readonly maxTokens?: number | null | undefined;
  /** Percent of the window. @default 75 */
  readonly autoCondenseContextPercent?: number | undefined;
  /** Percent by profile: 5–100, or -1 for the one above. */
  readonly profileThresholds?: Readonly<Record<string, number>> | undefined;
  readonly currentProfileId?: string | undefined;
  /** False: nothing is summed up, and only what is more than allowed is truncated. @default true */
  readonly autoCondenseContext?: boolean | undefined;
}

/** Whether `totalTokens` (system prompt, messages and tools) are so many that `manageContext` would compress. Pure. */
export function willManageContext({
  totalTokens,
  ...threshold
}: ContextThreshold & { readonly totalTokens: number }): boolean {
  const { contextWindow, maxTokens } = threshold;
  const measure = {
    tokens: totalTokens,
    messages: 0,
    contextWindow,
    allowedTokens: allowedTokens(contextWindow, maxTokens ?? undefined),
  };
  return firedBy(triggerOf(threshold), measure) !== undefined;
}

export interface ManageContextOptions extends ContextThreshold, ModelId {
  readonly messages: readonly Message[];
  readonly systemPrompt?: string | undefined;
  /** Tool definitions as the request carries them. */
  readonly tools?: unknown;
  /** Writes the summary. @default none: it is extracted */
  readonly chatModel?: ChatModel | undefined;
  /** In place of the built-in prompt. */
  readonly customCondensingPrompt?: string | undefined;
  /** Appended to the summary. */
  readonly environmentDetails?: string | undefined;
  /** Anything else of the configuration. */
  readonly config?: Config | undefined;
}

export interface ManagedContext extends CompressionOutcome {
  readonly messages: readonly Message[];
  /** Tokens of the request as it is now. */
  readonly totalTokens: number;
  /** The text that stands for what was summed up. */
  readonly summary?: string;
  /** Why there is none, where one was tried. The messages were truncated instead. */
  readonly condenseError?: string;
}

/**
 * One check of a conversation that is kept elsewhere: counts it, and where it is too large sums it up, or truncates it where
 * that fails. The messages that come back do not hold the system prompt.
 * @throws ValidationError, ConfigError, ContextOverflowError as a manager does
 */
export async function manageContext(options: ManageContextOptions): Promise<ManagedContext> {
  const { messages, systemPrompt, tools, contextWindow, maxTokens, provider, model, config } = options;
  const { autoCondenseContext = true, chatModel, customCondensingPrompt, environmentDetails } = options;
  const container = createContainer();
  container.register(summarizerToken, {
    useValue: createSummarizer({
      model: chatModel,
      prompt: customCondensingPrompt,
      environmentDetails: environmentDetails === undefined ? undefined : () => environmentDetails,
    }),
  });
  const manager = createContextManager({
    provider,
    model,
    tools,
    container: registerDefaults(container),
    config: {
      trigger: triggerOf(options),
      pipeline: autoCondenseContext ? [...ladder] : ladder.filter((name) => name !== 'condense'),
      ...(maxTokens == null ? {} : { reserve: maxTokens }),
      ...config,
      contextWindow,
    },
  });
  if (systemPrompt !== undefined && systemPrompt !== '')
    manager.append({ role: 'system', content: systemPrompt });
  const system = manager.view()[0];
  for (const message of messages) manager.append(message);
  const outcome = await manager.checkAndCompress({ beforeSend: true });
  const view = manager.view();
  const summary =
    outcome.record && view.find((message) => message.summary === true && !messages.includes(message));
  const condensing = outcome.record?.stages.find(({ strategy }) => strategy === 'condense');
  return {
    ...outcome,
    messages: system === undefined ? view : view.filter((message) => message !== system),
    totalTokens: manager.stats().currentTokens,
    ...(summary !== undefined && { summary: messageText(summary) }),
    ...(condensing?.error !== undefined && { condenseError: condensing.error }),
  };
}

function triggerOf(threshold: ContextThreshold) {
  if (threshold.autoCondenseContext === false) return { allowedTokens: true };
  return { fraction: percentOf(threshold) / 100, allowedTokens: true };
}

function percentOf({
  autoCondenseContextPercent = 75,
  currentProfileId,
  profileThresholds,
}: ContextThreshold): number {
  return effectiveThreshold(autoCondenseContextPercent, currentProfileId, profileThresholds).percent;
}

/**
 * Roo Code's sliding window: drops a share of the messages after the first, an even number of them, the oldest. System
 * messages stay, and so does an exchange that the window would cut in two.
 * @param fraction 0–1, default 0.5
 */
export function truncateConversation(messages: readonly Message[], fraction = 0.5): Message[] {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(message);
  const spoken = transcript.messages.filter(({ message }) => message.role !== 'system').slice(1);
  const share = Math.floor(spoken.length * fraction);
  const window = new Set(spoken.slice(0, share - (share % 2)));
  const cut = new Set(
    transcript.messages
      .filter((entry) => entry.message.role !== 'system' && !window.has(entry))
      .map(({ exchange }) => exchange),
  );
  return transcript.messages
    .filter((entry) => !window.has(entry) || cut.has(entry.exchange))
    .map(({ message }) => message);
}
