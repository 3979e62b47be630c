import type { Message } from '@ctx/core';
import { contextAt, type Session } from '@ctx/sessions';

/** How the provider's tokens follow from those counted here: `hidden + factor × counted`. */
export interface ProviderMeasure {
  readonly factor: number;
  /** Tokens of what every request contains and the file does not hold: most of it the system prompt and the tools. */
  readonly hidden: number;
  /** What the provider reported for the newest request, and the message of the assistant that answered it. */
  readonly reported: { readonly tokens: number; readonly index: number };
}

/** No tokenizer in use makes half or twice the tokens of another from the same text. */
const [leastFactor, mostFactor] = [0.5, 2];
/** Reports; a line through fewer points says little about its slope. */
const fewestReports = 3;

/**
 * Learns from the usage that the provider reported since the agent's last compaction. A straight line through the reports gives the factor,
 * and the newest report its height.
 * @returns undefined if nothing was reported since then
 */
export function providerMeasure(
  session: Session,
  at: number,
  tokensOf: (message: Message) => number,
): ProviderMeasure | undefined {
  const { from, firstSaid, messages } = contextAt(session, at);
  const sums = [0];
  for (const message of messages) sums.push((sums.at(-1) as number) + tokensOf(message));
  const points = (session.usage ?? [])
    .filter(({ index, aborted, inputTokens }) => !aborted && inputTokens > 0 && index >= from && index < at)
    .map(({ index, inputTokens }) => ({
      index,
      counted: sums[firstSaid + index - from] as number,
      reported: inputTokens,
    }));
  const newest = points.at(-1);
  if (newest === undefined) return undefined;
  const slope = points.length < fewestReports ? 1 : slopeOf(points);
  const isPlausible = slope >= leastFactor && slope <= mostFactor;
  const most = newest.counted === 0 ? 1 : newest.reported / newest.counted;
  const factor = Math.min(isPlausible ? slope : 1, most);
  return {
    factor,
    hidden: Math.round(newest.reported - factor * newest.counted),
    reported: { tokens: newest.reported, index: newest.index },
  };
}

/** The slope of the line with the least squares. */
function slopeOf(points: readonly { readonly counted: number; readonly reported: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [x, y] = [mean(points.map(({ counted }) => counted)), mean(points.map(({ reported }) => reported))];
  const spread = points.reduce((sum, { counted }) => sum + (counted - x) ** 2, 0);
  if (spread === 0) return 1;
  return points.reduce((sum, { counted, reported }) => sum + (counted - x) * (reported - y), 0) / spread;
}
