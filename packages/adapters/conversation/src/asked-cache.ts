import { isFields } from '@ctx/core/codec';

/** How long a request asks its provider to keep its cache. */
export interface AskedCache {
  readonly minutes: number;
  /** What writing it then costs, if more than usual, as a multiple of the price of an input token. */
  readonly write?: number;
}

/** Breakpoints of Anthropic's API, the AI SDK and Bedrock. */
const breakpoints = new Set(['cache_control', 'cacheControl', 'cachePoint']);
const names = new Set([
  ...breakpoints,
  ...['retention', 'options', 'breakpoint'].map((one) => `prompt_cache_${one}`),
  ...['Retention', 'Options', 'Breakpoint'].map((one) => `promptCache${one}`),
]);
/** What a call is given: data, whatever it is named. */
const data = new Set(['input', 'args', 'arguments']);
/** Levels of a request at which breakpoints are; deeper ones are data. A limit. */
const deepest = 10;

/** The longest time for which a part of a request, such as its history, asks somewhere; undefined if it asks for none. */
export function askedCacheIn(part: unknown, depth = 0): AskedCache | undefined {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || depth > deepest)
    return undefined;
  let longest: AskedCache | undefined;
  for (const key of Object.keys(part)) {
    const value = (part as Readonly<Record<string, unknown>>)[key];
    if (names.has(key)) longest = longer(longest, askedBy(key, value));
    else if (typeof value === 'object' && !data.has(key))
      longest = longer(longest, askedCacheIn(value, depth + 1));
  }
  return longest;
}

export function longer(one: AskedCache | undefined, other: AskedCache | undefined): AskedCache | undefined {
  return (other?.minutes ?? 0) > (one?.minutes ?? 0) ? other : one;
}

function askedBy(name: string, value: unknown): AskedCache | undefined {
  const { ttl = value } = Object(value) as { ttl?: unknown };
  const minutes = ttl === 'in_memory' ? 60 : minutesOf(ttl);
  if (minutes === undefined) return undefined;
  return breakpoints.has(name) && minutes > 5 ? { minutes, write: 2 } : { minutes };
}

/** `5m`, `1h`. */
function minutesOf(text: unknown): number | undefined {
  const [, count, unit] = (typeof text === 'string' && /^(\d{1,4})([mh])$/.exec(text)) || [];
  return count === undefined ? undefined : Number(count) * (unit === 'h' ? 60 : 1);
}

/**
 * The tools as the provider reads them before everything else: without breakpoints, which move, and without those that are loaded when the model
 * asks for them.
 */
export function offered(tools: unknown, depth = 0): unknown {
  if (Array.isArray(tools)) return tools.filter((tool) => !isLater(tool)).map((tool) => offered(tool, depth));
  const isPlain = isFields(tools) && Object.getPrototypeOf(tools) === Object.prototype;
  if (!isPlain || depth > deepestMark) return tools;
  const kept = Object.entries(tools).filter(([key]) => !breakpoints.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isFields(value) ? offered(value, depth + 1) : value]),
  );
}

/** Fields around a tool's breakpoint: `providerOptions.anthropic.cacheControl`. */
const deepestMark = 2;

const isLater = (tool: unknown) => isFields(tool) && (tool.defer_loading === true || 'cachePoint' in tool);
