import { repaired } from '@ctx/bench/measure';
import { bpeCounter, type CompressionRecord, type ContextManager, type Message } from '@ctx/core';
import { createContextManager, presetFor } from '@ctx/presets';
import { contextAt, type Session } from '@ctx/sessions';
import { refusePlace } from '../session/choose.js';
import { type AskedWindow, windowOf } from '../session/window.js';
import type { Target } from '../values.js';
import { type Staying, stayingIn } from './staying-messages.js';

export interface CompressRequest extends AskedWindow {
  /** Number of messages that had been said. @default all */
  readonly at?: number | undefined;
  /** @default half of the tokens */
  readonly to?: Target | undefined;
  /** A strategy's name. @default the pipeline of the model */
  readonly strategy?: string | undefined;
  /** Notes which lines an excerpt kept, and why, in the record. It takes most of the time of a long session. @default false */
  readonly explain?: boolean | undefined;
}

/** A session before and after a compression. Tokens are those of the request as the model's provider counts them, as far as that is known. */
export interface CompressedSession {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  /** Tokens over the target; 0 if it was reached. */
  readonly missedTokens: number;
  /** What had to stay; undefined if the target was reached. */
  readonly staying: Staying | undefined;
  /** What ran and changed something. */
  readonly strategies: readonly string[];
  readonly record: CompressionRecord | undefined;
  /** Why nothing changed; undefined if something did. */
  readonly reason: string | undefined;
}

/** Share of the tokens, 0–1: what core goes down to by hand as well. */
const defaultShare = 0.5;

/**
 * Compresses what the model saw at one place of a session. What has to stay does so whatever the target: only the window forces more.
 * @throws CtxError `option-invalid` for a place that the session does not have, `strategy-unknown`, and `context-overflow` if what has to stay
 * is larger than the window
 */
export async function compressSession(
  session: Session,
  request: CompressRequest,
): Promise<CompressedSession> {
  const { at = session.messages.length, to = { share: defaultShare }, strategy } = request;
  refusePlace(session, at);
  const before = repaired(contextAt(session, at).messages);
  const manager = await managerOf(session, before, request);
  const { currentTokens: tokensBefore } = manager.stats();
  const targetTokens = 'share' in to ? Math.max(1, Math.floor(tokensBefore * to.share)) : to.tokens;
  const outcome =
    targetTokens >= tokensBefore
      ? { record: undefined, reason: 'the session is not larger than that', error: undefined }
      : await manager.compress({ targetTokens, ...(strategy !== undefined && { strategy }) });
  if (outcome.error !== undefined) throw outcome.error;
  const { currentTokens: tokensAfter } = manager.stats();
  const missedTokens = Math.max(0, tokensAfter - targetTokens);
  return {
    before,
    after: manager.view(),
    tokensBefore,
    tokensAfter,
    targetTokens,
    missedTokens,
    staying: missedTokens === 0 ? undefined : await stayingIn(manager),
    strategies: (outcome.record?.stages ?? [])
      .filter(({ edits }) => edits > 0)
      .map((stage) => stage.strategy),
    record: outcome.record,
    reason: outcome.record === undefined ? outcome.reason : undefined,
  };
}

async function managerOf(
  session: Session,
  messages: readonly Message[],
  { explain = false, ...asked }: CompressRequest,
): Promise<ContextManager> {
  const { model, provider, window, isWindowAssumed } = windowOf(session, asked);
  const counter = bpeCounter(presetFor({ model, provider }).encoding);
  await counter.load?.();
  const now = messages.findLast(({ createdAt }) => createdAt !== undefined)?.createdAt ?? 0;
  const managerIn = (contextWindow: number) => {
    const config = { contextWindow, reserve: 0, throttleMs: 0, options: { relevance: { explain } } };
    const manager = createContextManager({ model, provider, config, counter, now: () => now });
    for (const message of messages) manager.append(message);
    return manager;
  };
  const manager = managerIn(window);
  const { currentTokens } = manager.stats();
  // A guess forces nothing on a session that was larger.
  return isWindowAssumed && currentTokens > window ? managerIn(currentTokens) : manager;
}
