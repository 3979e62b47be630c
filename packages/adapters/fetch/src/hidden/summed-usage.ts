import { type Fields, isFields } from '@ctx/core/codec';

/** What a provider says of the tokens that the model wrote; the parts of it are in `details`. */
const written = ['output_tokens', 'completion_tokens', 'candidatesTokenCount', 'thoughtsTokenCount'];
const details = ['output_tokens_details', 'completion_tokens_details'];
const totals = ['total_tokens', 'totalTokenCount'];

type Counts = Readonly<Record<string, number>>;

/**
 * The usage of several answers that an agent takes for one: what the model wrote in all of them. The input is that of the last one, which has
 * those before it in its history: from it agents see how full the window is.
 */
export class SummedUsage {
  #before: Counts = {};
  #now: Counts = {};

  /** Notes what an answer, or an event of it, reports. The newest report counts. */
  seen(data: Fields): void {
    const usage = usageIn(data);
    if (usage !== undefined) this.#now = { ...this.#now, ...countsIn(usage) };
  }

  /** Another answer follows. */
  next(): void {
    this.#before = added(this.#before, this.#now);
    this.#now = {};
  }

  /** The same with what was written in the answers before. */
  in(data: Fields): Fields {
    const usage = usageIn(data);
    if (usage === undefined || Object.keys(this.#before).length === 0) return data;
    const summed = summedWith(usage, this.#before);
    if (isFields(data.response)) return { ...data, response: { ...data.response, usage: summed } };
    return { ...data, [isFields(data.usage) ? 'usage' : 'usageMetadata']: summed };
  }
}

function usageIn({ usage, usageMetadata, response }: Fields): Fields | undefined {
  return [usage, usageMetadata, isFields(response) ? response.usage : undefined].find(isFields);
}

/** The figures by name, those of details after the name of these. */
function countsIn(usage: Fields): Counts {
  const own = Object.entries(usage).filter(([key]) => written.includes(key));
  const parts = details.flatMap((name) =>
    Object.entries(isFields(usage[name]) ? usage[name] : {}).map(
      ([key, value]) => [`${name}.${key}`, value] as const,
    ),
  );
  const counts = [...own, ...parts].filter((one): one is [string, number] => typeof one[1] === 'number');
  return Object.fromEntries(counts);
}

function added(one: Counts, other: Counts): Counts {
  const sums = Object.entries(other).map(([key, value]) => [key, (one[key] ?? 0) + value]);
  return { ...one, ...Object.fromEntries(sums) };
}

function summedWith(usage: Fields, before: Counts): Fields {
  const all = added(countsIn(usage), before);
  const more = written.reduce((sum, key) => sum + (before[key] ?? 0), 0);
  const countAt = (key: string, value: unknown): unknown => {
    if (totals.includes(key)) return Number(value) + more;
    if (!details.includes(key) || !isFields(value)) return all[key] ?? value;
    return Object.fromEntries(
      Object.entries(value).map(([part, count]) => [part, all[`${key}.${part}`] ?? count]),
    );
  };
  return Object.fromEntries(Object.entries(usage).map(([key, value]) => [key, countAt(key, value)]));
}
