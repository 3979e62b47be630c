import type { RequestOf } from './asked-request.js';
import { RecentMap } from './recent-map.js';

/** Tokens. A provider that names less has named something else. */
const smallestWindow = 1_000;
/** Servers, models and credentials of which something is remembered; of the others it is learned again. */
const mostServers = 1_000;

/** What providers have said of their windows by refusing a request, in tokens. */
export class LearnedWindows {
  readonly #known = new RecentMap<string, number>(mostServers);
  readonly #heard = new RecentMap<string, number>(mostServers);

  /** What holds for a request; `undefined` if nothing was learned. */
  of(request: RequestOf): number | undefined {
    return this.#known.get(idOf(request));
  }

  /**
   * Takes what a refusal says. It counts when it is said for the second time: what is said once may be about something else.
   * @param stated the tokens that fit, as the provider names them
   * @param refused the tokens of the request
   */
  refused(request: RequestOf, stated: number | undefined, refused: number): void {
    const id = idOf(request);
    const before = this.#heard.get(id);
    this.#heard.set(id, stated ?? refused);
    if (before === undefined || (stated ?? before) !== before) return;
    const tokens = stated ?? Math.min(before, refused);
    if (!Number.isSafeInteger(tokens) || tokens < smallestWindow) return;
    this.#known.set(id, Math.min(tokens, this.of(request) ?? tokens));
  }

  /** Notes that a request of so many tokens was answered: what was heard or learned is wrong if it is less. */
  answered(request: RequestOf, tokens: number): void {
    const id = idOf(request);
    for (const windows of [this.#heard, this.#known])
      if (tokens > (windows.get(id) ?? Infinity)) windows.delete(id);
  }
}

/** What a window is learned for. */
const idOf = ({ provider, model, server }: RequestOf) => JSON.stringify([provider, model, server]);
