import { repaired } from '@ctx/bench/measure';
import {
  bpeCounter,
  type ContextManager,
  type invariantNames,
  type Message,
  type Plan,
  type PlanContext,
} from '@ctx/core';
import { createContextManager, presetFor } from '@ctx/presets';
import { contextAt, type Session } from '@ctx/sessions';
import { refusePlace } from '../session/open.js';
import { type AskedWindow, windowOf } from '../session/window.js';
import type { Target } from '../values.js';

export interface CompressRequest extends AskedWindow {
  /** Number of messages that had been said. @default all */
  readonly at?: number | undefined;
  /** @default half of the tokens */
  readonly to?: Target | undefined;
  /** A strategy's name. @default the pipeline of the model */
  readonly strategy?: string | undefined;
}

/** Tokens of what no compression may take away, by the reason. */
export interface Staying {
  readonly system: number;
  readonly pinned: number;
  /** The task, and the newest message of the user. */
  readonly user: number;
  readonly unread: number;
}

export type CompressedSession = Awaited<ReturnType<typeof compressSession>>;

/** Share of the tokens, 0–1: what core goes down to by hand as well. */
const defaultShare = 0.5;

/**
 * Compresses what the model saw at one place of a session. What has to stay does so whatever the target: only the window forces more. Tokens
 * are those of the request as the model's provider counts them, as far as that is known.
 * @throws CtxError `option-invalid` for a place that the session does not have, `strategy-unknown`, and `context-overflow` if what has to stay
 * is larger than the window
 */
export async function compressSession(session: Session, request: CompressRequest) {
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
  const stages = outcome.record?.stages ?? [];
  return {
    before,
    after: manager.view(),
    tokensBefore,
    tokensAfter,
    targetTokens,
    /** Over the target; 0 if it was reached. */
    missedTokens,
    /** What had to stay; undefined if the target was reached. */
    staying: missedTokens === 0 ? undefined : await stayingIn(manager),
    /** What ran and changed something. */
    strategies: stages.filter(({ edits }) => edits > 0).map((stage) => stage.strategy),
    /** Why nothing changed; undefined if something did. */
    reason: outcome.record === undefined ? outcome.reason : undefined,
  };
}

async function managerOf(
  session: Session,
  messages: readonly Message[],
  asked: AskedWindow,
): Promise<ContextManager> {
  const { model, provider, window, isWindowAssumed } = windowOf(session, asked);
  const counter = bpeCounter(presetFor({ model, provider }).encoding);
  await counter.load?.();
  const now = messages.findLast(({ createdAt }) => createdAt !== undefined)?.createdAt ?? 0;
  const managerIn = (contextWindow: number) => {
    const config = { contextWindow, reserve: 0, throttleMs: 0 };
    const manager = createContextManager({ model, provider, config, counter, now: () => now });
    for (const message of messages) manager.append(message);
    return manager;
  };
  const manager = managerIn(window);
  const { currentTokens } = manager.stats();
  // A guess forces nothing on a session that was larger.
  return isWindowAssumed && currentTokens > window ? managerIn(currentTokens) : manager;
}

const kindOf: Partial<Record<(typeof invariantNames)[number], keyof Staying>> = {
  'system-stays': 'system',
  'pinned-stays': 'pinned',
  'newest-user-stays': 'user',
  'task-stays': 'user',
  'tool-pairs': 'unread',
  'unread-stays': 'unread',
};

/** What has to stay of the view as it is now: a strategy that changes nothing notes what it sees. */
async function stayingIn(manager: ContextManager): Promise<Staying> {
  const staying = { system: 0, pinned: 0, user: 0, unread: 0 };
  const plan = ({ view }: PlanContext): Plan => {
    for (const { protectedBy, tokens } of view) {
      const kind = protectedBy === undefined ? undefined : kindOf[protectedBy];
      if (kind !== undefined) staying[kind] += tokens;
    }
    return { edits: [] };
  };
  await manager.simulate({ strategy: { name: 'looking', emits: [], plan } });
  return staying;
}
