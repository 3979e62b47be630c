import { repaired } from '@ctx/bench/measure';
import { bpeCounter, type CompressionRecord, type Message } from '@ctx/core';
import { createContextManager, presetFor } from '@ctx/presets';
import { contextAt, type Session } from '@ctx/sessions';
import { refusePlace } from '../session/place.js';
import type { Target } from '../values.js';

export interface CompressRequest {
  /** Number of messages that had been said. @default all */
  readonly at?: number | undefined;
  /** @default half of the tokens */
  readonly to?: Target | undefined;
  /** A strategy's name. @default the pipeline of the model */
  readonly strategy?: string | undefined;
  readonly model?: string | undefined;
}

/** A session before and after a compression. Tokens are those of the request as the model's provider counts them, as far as that is known. */
export interface CompressedSession {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  readonly isShort: boolean;
  /** What ran and changed something. */
  readonly strategies: readonly string[];
  readonly record: CompressionRecord | undefined;
  /** Why nothing changed; undefined if something did. */
  readonly reason: string | undefined;
}

/** Tokens; no session is larger. A strategy that is asked for alone is not helped by the last resort. */
const noLimit = 1_000_000_000;
const defaultShare = 0.5;

/**
 * Compresses what the model saw at one place of a session.
 * @throws CtxError `option-invalid` for a place that the session does not have, `strategy-unknown`, and `context-overflow` if what has to stay
 * is larger than the target
 */
export async function compressSession(
  session: Session,
  request: CompressRequest,
): Promise<CompressedSession> {
  const {
    at = session.messages.length,
    to = { share: defaultShare },
    strategy,
    model = session.model,
  } = request;
  refusePlace(session, at);
  const provider = request.model === undefined ? session.provider : undefined;
  const before = repaired(contextAt(session, at).messages);
  const counter = bpeCounter(presetFor({ model, provider }).encoding);
  await counter.load?.();
  const now = before.findLast(({ createdAt }) => createdAt !== undefined)?.createdAt ?? 0;
  const managerWith = (contextWindow: number) => {
    const config = {
      contextWindow,
      reserve: 0,
      throttleMs: 0,
      options: { relevance: { explain: true } },
    };
    const manager = createContextManager({ model, provider, config, counter, now: () => now });
    for (const message of before) manager.append(message);
    return manager;
  };
  const whole = managerWith(noLimit);
  const { currentTokens: tokensBefore } = whole.stats();
  const targetTokens = 'share' in to ? Math.max(1, Math.floor(tokensBefore * to.share)) : to.tokens;
  const isSmaller = targetTokens >= tokensBefore;
  // In a window of that size the last resort makes sure that the default reaches its target.
  const manager = strategy === undefined && !isSmaller ? managerWith(targetTokens) : whole;
  const outcome = isSmaller
    ? { record: undefined, reason: 'the session is not larger than that', error: undefined }
    : await manager.compress({ targetTokens, ...(strategy !== undefined && { strategy }) });
  if (outcome.error !== undefined) throw outcome.error;
  const { currentTokens: tokensAfter } = manager.stats();
  return {
    before,
    after: manager.view(),
    tokensBefore,
    tokensAfter,
    targetTokens,
    isShort: tokensAfter > targetTokens,
    strategies: (outcome.record?.stages ?? [])
      .filter(({ edits }) => edits > 0)
      .map((stage) => stage.strategy),
    record: outcome.record,
    reason: outcome.record === undefined ? outcome.reason : undefined,
  };
}
