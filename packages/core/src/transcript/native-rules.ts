import { CtxError } from '../base/errors.js';
import type { NativeViolation } from './codec.js';

/** The position of a native message that breaks a rule, and how it does. */
export type Finding = Omit<NativeViolation, 'rule'>;

/** Rules of a provider by their names, for what they look at: most often a list of native messages. */
export type Rules<Native> = Readonly<Record<string, (native: Native) => readonly Finding[]>>;

/** The violation of what can't be read: `read` throws for it. */
export function malformed(index: number, read: () => unknown): NativeViolation[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return [{ index, rule: 'form', detail: error.message }];
  }
}

/** What breaks the rules, in the order of the messages. */
export function violationsOf<Native>(rules: Rules<Native>, native: Native): NativeViolation[] {
  return Object.entries(rules)
    .flatMap(([rule, check]) => check(native).map(({ index, detail }) => ({ index, rule, detail })))
    .sort((a, b) => a.index - b.index);
}

/** The items with a key that an earlier item has. */
export function repeated<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  const seen = new Set<unknown>();
  return items.filter((item) => seen.size === seen.add(keyOf(item)).size);
}

interface Pairing<Native> {
  /** The ids of the calls that a message makes. */
  callsOf(native: Native): readonly unknown[];
  /** The ids that the results after a message may name. @default those of its calls */
  answerableOf?(native: Native): readonly unknown[];
  /** The ids that the results in a message name; undefined for one that is no message of results. */
  resultsOf(native: Native): readonly unknown[] | undefined;
}

/** A message with the results right after it. */
interface Turn {
  readonly index: number;
  readonly calls: readonly unknown[];
  readonly answerable: readonly unknown[];
  readonly results: { readonly index: number; readonly id: unknown }[];
}

/** The rules of a form in which results have messages of their own, right after that with their calls. */
export function pairRules<Native>({
  callsOf,
  answerableOf = callsOf,
  resultsOf,
}: Pairing<Native>): Rules<readonly Native[]> {
  const each = (find: (turn: Turn) => Finding[]) => (natives: readonly Native[]) => {
    const turns: Turn[] = [{ index: -1, calls: [], answerable: [], results: [] }];
    for (const [index, native] of natives.entries()) {
      const ids = resultsOf(native);
      if (ids !== undefined) turns.at(-1)?.results.push(...ids.map((id) => ({ index, id })));
      else turns.push({ index, calls: callsOf(native), answerable: answerableOf(native), results: [] });
    }
    return turns.flatMap(find);
  };
  return {
    'tool-calls-answered': each(({ index, calls, results }) =>
      calls
        .filter((call) => !results.some(({ id }) => id === call))
        .map((call) => ({ index, detail: `The call "${call}" has no result right after it.` })),
    ),
    'tool-result-has-call': each(({ answerable, results }) =>
      results
        .filter(({ id }) => !answerable.includes(id))
        .map(({ index, id }) => ({ index, detail: `The message before it makes no call "${id}".` })),
    ),
    'tool-result-once': each(({ answerable, results }) => {
      const answers = results.filter(({ id }) => answerable.includes(id));
      const again = repeated(answers, ({ id }) => id);
      return again.map(({ index, id }) => ({ index, detail: `The call "${id}" is answered twice.` }));
    }),
    /** A result finds its call by the id. A later message may use it again. */
    'tool-call-id-unique': each(({ index, calls }) =>
      repeated(calls, (id) => id).map((id) => ({ index, detail: `Two calls have the id "${id}".` })),
    ),
  };
}
