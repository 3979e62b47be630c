import { CompressionLevel } from '../base/compression-level.js';

/**
 * When to compress: the earliest of the keys that are given. `fraction` of the window (0–1), `tokens`, `messages` of the
 * view, `allowedTokens` (what the window holds without reserve and a margin of a tenth), `cost` (what the requests since the last
 * compression paid for reading more than the target has come to 1.6 times what writing the target anew costs), or nested triggers of
 * which one (`any`) or each (`all`) must fire.
 */
export interface Trigger {
  readonly fraction?: number | undefined;
  readonly tokens?: number | undefined;
  readonly messages?: number | undefined;
  readonly allowedTokens?: boolean | undefined;
  readonly cost?: boolean | undefined;
  readonly any?: readonly Trigger[] | undefined;
  readonly all?: readonly Trigger[] | undefined;
}

export interface Measure {
  /** Tokens of the next request: system prompt, messages, tool definitions; calibrated where possible. */
  readonly tokens: number;
  readonly messages: number;
  readonly contextWindow: number;
  /** What the window holds besides the reserve for the answer and a margin of a tenth. */
  readonly allowedTokens: number;
  /** What was paid since the last compression for reading beyond the target, relative to where `cost` fires: from 1 on. */
  readonly overpaid?: number;
}

export interface Decision {
  readonly compress: boolean;
  /** Which condition held, or why none did; for events and records. */
  readonly reason: string;
}

/**
 * What a request may hold: nine tenths of the window without what is reserved for the answer, and not below 0.
 * @param reserve tokens; default 4096
 */
export function allowedTokens(contextWindow: number, reserve = 4096): number {
  return Math.max(0, Math.floor(contextWindow * 0.9) - reserve);
}

/** The condition of a trigger that holds now, in words, or undefined. Where nothing is allowed, `allowedTokens` never fires. */
export function firedBy(trigger: Trigger, measure: Measure): string | undefined {
  const { tokens, contextWindow } = measure;
  if (trigger.fraction !== undefined && tokens >= trigger.fraction * contextWindow) {
    return `${tokens} tokens are at least ${trigger.fraction} of the window of ${contextWindow}`;
  }
  if (trigger.tokens !== undefined && tokens >= trigger.tokens)
    return `${tokens} tokens are at least ${trigger.tokens}`;
  if (trigger.messages !== undefined && measure.messages >= trigger.messages) {
    return `${measure.messages} messages are at least ${trigger.messages}`;
  }
  if (trigger.allowedTokens === true && measure.allowedTokens > 0 && tokens > measure.allowedTokens) {
    return `${tokens} tokens are more than the ${measure.allowedTokens} allowed`;
  }
  if (trigger.cost === true && (measure.overpaid ?? 0) >= 1) {
    return `reading ${tokens} tokens again and again has cost what a compression costs`;
  }
  for (const one of trigger.any ?? []) {
    const reason = firedBy(one, measure);
    if (reason !== undefined) return reason;
  }
  if (trigger.all !== undefined && trigger.all.length > 0) {
    const reasons = trigger.all.map((one) => firedBy(one, measure));
    if (reasons.every((reason) => reason !== undefined)) return reasons.join(' and ');
  }
  return undefined;
}

/** From how many messages on a trigger fires at this measure; undefined where it does not, or whatever their number. */
export function firingMessages(trigger: Trigger, measure: Measure): number | undefined {
  const fires = (messages: number) => firedBy(trigger, { ...measure, messages }) !== undefined;
  if (!fires(measure.messages) || fires(0)) return undefined;
  return messageCounts(trigger)
    .toSorted((a, b) => a - b)
    .find(fires);
}

function messageCounts({ messages, any = [], all = [] }: Trigger): number[] {
  return [...(messages === undefined ? [] : [messages]), ...[...any, ...all].flatMap(messageCounts)];
}

/** The trigger with another fraction in place of each it has, also within `any` and `all`; of one that has none, in addition. */
export function withFraction(trigger: Trigger, fraction: number): Trigger {
  return fractionOf(trigger) !== undefined ? replacedFraction(trigger, fraction) : { ...trigger, fraction };
}

function replacedFraction(trigger: Trigger, fraction: number): Trigger {
  const nested = (one: Trigger) => replacedFraction(one, fraction);
  return {
    ...trigger,
    ...(trigger.fraction !== undefined && { fraction }),
    ...(trigger.any !== undefined && { any: trigger.any.map(nested) }),
    ...(trigger.all !== undefined && { all: trigger.all.map(nested) }),
  };
}

/** The first fraction of a trigger, its own before those within `any` and `all`. */
export function fractionOf({ fraction, any = [], all = [] }: Trigger): number | undefined {
  return fraction ?? [...any, ...all].map(fractionOf).find((one) => one !== undefined);
}

/** The fewest tokens at which a trigger can fire by tokens alone; undefined where it depends on messages. */
export function triggerTokens(
  trigger: Trigger,
  measure: Pick<Measure, 'contextWindow' | 'allowedTokens'>,
): number | undefined {
  const { contextWindow, allowedTokens: allowed } = measure;
  const nested = (one: Trigger) => triggerTokens(one, measure);
  const all = trigger.all?.map(nested);
  const least = [
    trigger.fraction === undefined ? undefined : trigger.fraction * contextWindow,
    trigger.tokens,
    trigger.allowedTokens === true && allowed > 0 ? allowed + 1 : undefined,
    ...(trigger.any ?? []).map(nested),
    all?.every((tokens) => tokens !== undefined) ? Math.max(...all) : undefined,
  ].filter((tokens) => tokens !== undefined);
  return least.length === 0 ? undefined : Math.min(...least);
}

/**
 * Whether a check may be skipped because the last one was less than `throttleMs` ago. At HARD and above
 * it never may.
 */
export function isThrottled(
  check: { readonly now: number; readonly last: number | undefined; readonly throttleMs: number },
  level: CompressionLevel,
): boolean {
  return (
    level < CompressionLevel.HARD && check.last !== undefined && check.now - check.last < check.throttleMs
  );
}

/**
 * The threshold that holds for a profile, in percent of the window: its own if it is 5–100; the global one where it is -1,
 * missing or invalid, and in the last case a warning that says so.
 */
export function effectiveThreshold(
  globalPercent: number,
  profile: string | undefined,
  thresholds: Readonly<Record<string, number>> = {},
): { readonly percent: number; readonly warning?: string } {
  if (profile === undefined || !Object.hasOwn(thresholds, profile)) return { percent: globalPercent };
  const own = thresholds[profile] as number;
  if (own === -1) return { percent: globalPercent };
  if (own >= 5 && own <= 100) return { percent: own };
  return {
    percent: globalPercent,
    warning: `The threshold ${own} of profile "${profile}" is not between 5 and 100; ${globalPercent} is used instead.`,
  };
}
