import { presetFor } from '@ctx/presets';
import type { Session } from '@ctx/sessions';

/** Tokens that core assumes for a model that nobody knows. */
const unknownWindow = 128_000;

/** What a user says about the model and its window. */
export interface AskedWindow {
  /** Instead of the session's. */
  readonly model?: string | undefined;
  /** Tokens; instead of what the session or the table of models says. */
  readonly window?: number | undefined;
}

/** The model of a session with its window in tokens: what the user says, or the agent noted, or the table of models has. */
export function windowOf(session: Session, { model: asked, window: given }: AskedWindow) {
  const model = asked ?? session.model;
  // Another model may be another provider's.
  const provider = asked === undefined ? session.provider : undefined;
  // The agent knows what it sends; the table only knows what the model could take.
  const told = given ?? (asked === undefined ? session.contextWindow : undefined);
  const rule = presetFor({ model, provider }, { contextWindow: told });
  const window = told ?? rule.contextWindow ?? unknownWindow;
  const isWindowAssumed = told === undefined && (presetFor({ model }).warnings?.length ?? 0) > 0;
  return {
    model,
    provider,
    window,
    isWindowAssumed,
    /** Tokens kept free for the answer. */
    reserve: Math.min(rule.reserve ?? 0, window),
  };
}
