import { isPrompt } from './script.js';

/** A request, as far as a script and the check of results want to know it. */
export interface Reading {
  /** The names of the tools that it declares. */
  readonly tools: readonly string[];
  readonly spoken: readonly Spoken[];
}

export interface Spoken {
  readonly by: 'system' | 'user' | 'model' | 'tool';
  readonly texts: readonly string[];
  readonly calls?: readonly Call[];
  readonly results?: readonly Result[];
}

interface Call {
  /** What tells it from others; undefined if nothing does. */
  readonly key: string | undefined;
  readonly name: string;
  /** An object, or its JSON. */
  readonly input: unknown;
}

/** Of the first call that has no result yet, and that key and name, as far as these are given. */
interface Result {
  readonly key?: unknown;
  readonly name?: unknown;
  /** In the provider's form. */
  readonly result: unknown;
}

const hasCalls = ({ calls = [] }: Spoken) => calls.length > 0;
const hasResults = ({ results = [] }: Spoken) => results.length > 0;

/** What a request says of how far the agent is. */
export function seenIn({ tools, spoken }: Reading) {
  const all = spoken.filter(({ by }) => by !== 'system');
  const asks = (one: Spoken) => one.by === 'user' && !hasResults(one) && isPrompt(one.texts.join('\n'));
  const prompt = all.findLastIndex(asks);
  const last = all.at(-1);
  return {
    prompt: all[prompt]?.texts.join('\n') ?? '',
    said: all.filter(({ by }) => by === 'user').flatMap(({ texts }) => texts),
    /** Rounds of calls since the prompt that the request still shows. */
    shown: all.slice(prompt + 1).filter(hasCalls).length,
    tools,
    /** What tells the newest answered round of calls from others; undefined at a new prompt. */
    answered: last !== undefined && hasResults(last) ? all.findLast(hasCalls)?.calls?.[0]?.key : undefined,
  };
}

/** The calls of the model's newest message with their results. */
export function newestIn({ spoken }: Reading) {
  const last = spoken.findLastIndex(({ by }) => by === 'model');
  const open = [...(spoken[last]?.calls ?? [])];
  const given = spoken.slice(last + 1).flatMap(({ results = [] }) => results);
  return given.flatMap(({ key, name, result }) => {
    const at = open.findIndex((call) => (key ?? call.key) === call.key && (name ?? call.name) === call.name);
    const [made] = at < 0 ? [] : open.splice(at, 1);
    if (made === undefined) return [];
    const input: unknown = typeof made.input === 'string' ? JSON.parse(made.input) : made.input;
    return [{ name: made.name, input, result }];
  });
}
