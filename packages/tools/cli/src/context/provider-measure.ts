import type { Message } from '@ctx/core';
import { contextAt, type Session } from '@ctx/sessions';

/** How the provider's tokens follow from those counted here: `hidden + factor × counted`. */
export interface ProviderMeasure {
  readonly factor: number;
  /** Tokens of what every request contains and the file does not hold: most of it the system prompt and the tools. */
  readonly hidden: number;
  /** What the provider reported for the newest request, and the message of the assistant that answered it. */
  readonly reported: { readonly tokens: number; readonly index: number };
  /** Reports that it was learned from. */
  readonly reports: number;
  /** False if the newest request was smaller than what the file holds, as behind a proxy that compresses. */
  readonly isExplained: boolean;
}

interface Point {
  readonly index: number;
  readonly counted: number;
  readonly reported: number;
  readonly model: string;
}

/** No tokenizer in use makes half or twice the tokens of another from the same text. */
const [leastFactor, mostFactor] = [0.5, 2];
/** Reports; a line through fewer points says little about its slope. */
const fewestReports = 3;
/** Part of the report before. No session recorded without a proxy has a smaller one before the agent compacts. */
const leastOfBefore = 0.85;

/**
 * Learns from the usage that the provider reported since the agent's last compaction. A straight line through the reports gives the factor,
 * and the newest report its height. Reports of requests that something made smaller on their way say nothing of the file.
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
    .map(({ index, inputTokens, model }) => ({
      index,
      counted: sums[firstSaid + index - from] as number,
      reported: inputTokens,
      model,
    }));
  const newest = points.at(-1);
  if (newest === undefined) return undefined;
  const reported = { tokens: newest.reported, index: newest.index };
  const whole = points.slice(0, firstSmaller(points));
  const isExplained = whole.length === points.length;
  const last = whole.at(-1);
  if (last === undefined || (!isExplained && whole.length < fewestReports))
    return { factor: 1, hidden: 0, reported, reports: 0, isExplained };
  const slope = whole.length < fewestReports ? 1 : slopeOf(whole);
  const isPlausible = slope >= leastFactor && slope <= mostFactor;
  const most = last.counted === 0 ? 1 : last.reported / last.counted;
  const factor = Math.min(isPlausible ? slope : 1, most);
  const hidden = Math.round(last.reported - factor * last.counted);
  return { factor, hidden, reported, reports: whole.length, isExplained };
}

/** The position of the first report that is smaller than the file explains; undefined if there is none. */
function firstSmaller(points: readonly Point[]): number | undefined {
  const at = points.findIndex(({ reported, counted, model }, index) => {
    const before = points[index - 1];
    const isLess = before?.model === model && reported < leastOfBefore * before.reported;
    const first = points.find((one) => one.model === model) as Point;
    // Where what passes is made smaller again and again, reports stay as they are while the file grows.
    const grown = first.reported + leastFactor * (counted - first.counted);
    return isLess || reported < leastOfBefore * grown || reported < leastFactor * counted;
  });
  return at < 0 ? undefined : at;
}

/** The slope of the line with the least squares. */
function slopeOf(points: readonly Point[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [x, y] = [mean(points.map(({ counted }) => counted)), mean(points.map(({ reported }) => reported))];
  const spread = points.reduce((sum, { counted }) => sum + (counted - x) ** 2, 0);
  if (spread === 0) return 1;
  return points.reduce((sum, { counted, reported }) => sum + (counted - x) * (reported - y), 0) / spread;
}
