import {
  allowedTokens,
  type CompressionOutcome,
  type Config,
  effectiveThreshold,
  firedBy,
  type Message,
  type ModelId,
  Transcript,
} from '@ctx/core';
import { createContextManager } from './defaults.js';

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
}

/** Whether `totalTokens` (system prompt, messages and tools) are so many that `manageContext` would compress. Pure. */
export function willManageContext({
  totalTokens,
  ...threshold
}: ContextThreshold & { readonly totalTokens: number }): boolean {
  const { contextWindow, maxTokens } = threshold;
  const fraction = percentOf(threshold) / 100;
  const measure = {
    tokens: totalTokens,
    messages: 0,
    contextWindow,
    allowedTokens: allowedTokens(contextWindow, maxTokens ?? undefined),
  };
  return firedBy({ fraction, allowedTokens: true }, measure) !== undefined;
}

export interface ManageContextOptions extends ContextThreshold, ModelId {
  readonly messages: readonly Message[];
  readonly systemPrompt?: string | undefined;
  /** Tool definitions as the request carries them. */
  readonly tools?: unknown;
  /** Anything else of the configuration. */
  readonly config?: Config | undefined;
}

/**
 * One check of a conversation that is kept elsewhere: counts it, and compresses it where it is too large. The messages that
 * come back do not hold the system prompt.
 * @throws ValidationError, ConfigError, ContextOverflowError as a manager does
 */
export async function manageContext(
  options: ManageContextOptions,
): Promise<CompressionOutcome & { readonly messages: readonly Message[]; readonly totalTokens: number }> {
  const { messages, systemPrompt, tools, contextWindow, maxTokens, provider, model, config } = options;
  const manager = createContextManager({
    provider,
    model,
    tools,
    config: {
      trigger: { fraction: percentOf(options) / 100, allowedTokens: true },
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
  return {
    ...outcome,
    messages: system === undefined ? view : view.filter((message) => message !== system),
    totalTokens: manager.stats().currentTokens,
  };
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
