import type { RequestOf } from './asked-request.js';
import { RecentMap } from './recent-map.js';
import { digest } from './seal.js';
import type { StateStore } from './store.js';

/** Tokens. A provider that names less has named something else. */
const smallestWindow = 1_000;
/** Servers, models and credentials of which something is remembered; of the others it is learned again, or read from the store. */
const mostServers = 1_000;
/** Processes that learn at once agree soon: each attempt fails only if another one has learned something. */
const mostAttempts = 5;

/**
 * What providers have said of their windows by refusing a request, in tokens. It is kept in the store of states, if there is one; where that
 * fails, in memory only.
 */
export class LearnedWindows {
  readonly #known = new RecentMap<string, Promise<number | undefined>>(mostServers);
  readonly #heard = new RecentMap<string, number>(mostServers);

  /** @param failed is told that the store could not be read or written */
  constructor(
    readonly states: StateStore | undefined,
    readonly failed: (verb: string) => void,
  ) {}

  /** What holds for a request; `undefined` if nothing was learned. */
  async of(request: RequestOf): Promise<number | undefined> {
    const id = idOf(request);
    const known = this.#known.get(id) ?? this.#read(id);
    this.#known.set(id, known);
    try {
      return await known;
    } catch {
      this.#known.delete(id);
      this.failed('read from');
      return undefined;
    }
  }

  /**
   * Takes what a refusal says. It counts when it is said for the second time: what is said once may be about something else.
   * @param stated the tokens that fit, as the provider names them
   * @param refused the tokens of the request
   */
  async refused(request: RequestOf, stated: number | undefined, refused: number): Promise<void> {
    const id = idOf(request);
    const before = this.#heard.get(id);
    this.#heard.set(id, stated ?? refused);
    if (before === undefined) return;
    if (stated === undefined) await this.learn(request, Math.min(before, refused));
    else if (before === stated) await this.learn(request, stated);
  }

  /** Notes that no more than so many tokens fit. What was learned before counts if it is less. */
  async learn(request: RequestOf, tokens: number): Promise<void> {
    if (!Number.isSafeInteger(tokens) || tokens < smallestWindow) return;
    const before = await this.of(request);
    if (before !== undefined && before <= tokens) return;
    await this.#set(idOf(request), tokens, (stored = tokens) => Math.min(stored, tokens));
  }

  /** Notes that a request of so many tokens was answered: what was heard or learned is wrong if it is less. */
  async answered(request: RequestOf, tokens: number): Promise<void> {
    const id = idOf(request);
    if (tokens > (this.#heard.get(id) ?? Infinity)) this.#heard.delete(id);
    const before = await this.#known.get(id)?.catch(() => undefined);
    if (before === undefined || tokens <= before) return;
    await this.#set(id, undefined, (stored = 0) => (stored < tokens ? 0 : stored));
  }

  async #read(id: string): Promise<number | undefined> {
    const stored = await this.states?.get(await keyOf(id));
    return stored === undefined ? undefined : tokensIn(stored.value);
  }

  /** @param change what is to be stored after what is stored; 0 for none */
  async #set(
    id: string,
    tokens: number | undefined,
    change: (stored: number | undefined) => number,
  ): Promise<void> {
    this.#known.set(id, Promise.resolve(tokens));
    if (this.states === undefined) return;
    const key = await keyOf(id);
    try {
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        const stored = await this.states.get(key);
        const value = String(change(stored && tokensIn(stored.value)));
        if (value === stored?.value) return;
        if (await this.states.put(key, value, (stored?.version ?? 0) + 1)) return;
      }
    } catch {
      this.failed('written to');
    }
  }
}

/** What a window is learned for. */
const idOf = ({ provider, model, server }: RequestOf) => JSON.stringify([provider, model, server]);
const keyOf = async (id: string) => `window-${(await digest(id)).slice(0, 32)}`;

function tokensIn(value: string): number | undefined {
  const tokens = Number(value);
  return Number.isSafeInteger(tokens) && tokens >= smallestWindow ? tokens : undefined;
}
