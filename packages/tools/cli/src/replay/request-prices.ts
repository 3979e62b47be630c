import { presetFor } from '@ctx/presets';
import type { Session } from '@ctx/sessions';

/** What writing a cache of an hour costs, as a multiple of the price of an input token. */
export const hourPrice = 2;

export type SessionPrices = ReturnType<typeof sessionPrices>;

/** The prices of a session's requests. One that has no report is priced like the one before. */
export function sessionPrices(session: Session) {
  const { messages, usage = [] } = session;
  const reported = new Map(usage.map((report) => [report.index, report]));
  let last: Pick<Session, 'provider' | 'model'> = usage[0] ?? session;
  const asked = messages.flatMap(({ role }, index) => {
    last = reported.get(index) ?? last;
    return role === 'assistant' ? [last] : [];
  });
  const prices = asked.map(({ provider, model }) => presetFor({ provider, model }).prices ?? {});
  const isPriced = prices.every(({ perMillion }) => perMillion !== undefined);
  const requests = prices.map(({ cacheRead = 0.1, cacheWrite = 1.25, perMillion = 0 }, at) => {
    const model = asked[at]?.model;
    const write = isKeptForHour(usage.filter((one) => one.model === model)) ? hourPrice : cacheWrite;
    return { model, cacheRead, cacheWrite: write, each: isPriced ? perMillion / 1_000_000 : 1 };
  });
  return {
    /** Of each, in order: those of the model that answered it, by the reports in the file. */
    requests,
    /** In the order in which they answered first. */
    models: [...new Set(requests.flatMap(({ model }) => model ?? []))],
    /** Dollars if the prices of all are known. */
    unit: isPriced ? ('dollars' as const) : ('input tokens' as const),
  };
}

/** True if a cache was asked for an hour, as most of what was written says. */
function isKeptForHour(usage: NonNullable<Session['usage']>): boolean {
  const sum = (of: (report: (typeof usage)[number]) => number) =>
    usage.reduce((all, one) => all + of(one), 0);
  return (
    sum(({ cacheHourTokens = 0 }) => cacheHourTokens) > sum(({ cacheWriteTokens }) => cacheWriteTokens) / 2
  );
}
