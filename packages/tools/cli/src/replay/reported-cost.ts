import { presetFor } from '@ctx/presets';
import type { Session } from '@ctx/sessions';
import { hourPrice } from './request-prices.js';

export type ReportedCost = ReturnType<typeof reportedCost>;

/**
 * What the input of a session has cost by the reports of its providers, each at the prices of its model; in tokens at the full input price
 * unless all of these are known. Undefined without reports.
 */
export function reportedCost({ usage = [] }: Pick<Session, 'usage'>) {
  if (usage.length === 0) return undefined;
  const priced = usage.map((report) => {
    const { cacheRead = 0.1, cacheWrite = 1.25, perMillion } = presetFor(report).prices ?? {};
    const { inputTokens, cacheReadTokens: read, cacheWriteTokens: written } = report;
    const { cacheHourTokens: hour = 0 } = report;
    const fresh = inputTokens - read - written;
    const tokens = fresh + read * cacheRead + (written - hour) * cacheWrite + hour * hourPrice;
    return { tokens, perMillion };
  });
  const isPriced = priced.every(({ perMillion }) => perMillion !== undefined);
  const each = (perMillion: number | undefined) => (isPriced ? (perMillion as number) / 1_000_000 : 1);
  return {
    amount: priced.reduce((sum, { tokens, perMillion }) => sum + tokens * each(perMillion), 0),
    unit: isPriced ? ('dollars' as const) : ('input tokens' as const),
  };
}
