import type { RequestOf } from './asked-request.js';
import { RecentMap } from './recent-map.js';

/** Tokens. A provider that names less has named something else. */
const smallestWindow = 1_000;
/** Servers, models and credentials of which something is remembered; of the others it is learned again. */
const mostServers = 1_000;

/** An answer to a request that fills this share of a window shows that more may fit. A window that is full, room for the answer apart, has some .75. */
const nearShare = 0.7;
/** Such answers after which a window rises; four times as many after each rise that was refused. */
const answersToRise = 3;
/** What it rises by, as a share of itself; half as much after each rise that was refused. */
const riseShare = 0.25;

interface Learned {
  /** Tokens. */
  readonly window: number;
  /** Rises that were refused; `undefined` for a window that the provider has named, which stays as it is. */
  readonly failures?: number;
  /** Answers to requests that nearly filled it. */
  readonly near?: number;
  /** What held before it rose. */
  readonly before?: number;
}

/** What providers have said of their windows by refusing a request, in tokens. */
export class LearnedWindows {
  readonly #known = new RecentMap<string, Learned>(mostServers);
  readonly #heard = new RecentMap<string, number>(mostServers);

  /** What holds for a request; `undefined` if nothing was learned. */
  of(request: RequestOf): number | undefined {
    return this.#known.get(idOf(request))?.window;
  }

  /**
   * Takes what a refusal says. It counts when it is said for the second time: what is said once may be about something else.
   * @param stated the tokens that fit, as the provider names them
   * @param refused the tokens of the request
   */
  refused(request: RequestOf, stated: number | undefined, refused: number): void {
    const id = idOf(request);
    const { before: risen, failures = 0, window: known = Infinity } = this.#known.get(id) ?? {};
    const before = this.#heard.get(id);
    this.#heard.set(id, stated ?? refused);
    if (stated === undefined && risen !== undefined && refused > risen * nearShare) {
      this.#known.set(id, { window: risen, failures: failures + 1 });
      return;
    }
    if (before === undefined || (stated ?? before) !== before) return;
    const tokens = stated ?? Math.min(before, refused);
    if (!Number.isSafeInteger(tokens) || tokens < smallestWindow) return;
    this.#known.set(id, {
      window: Math.min(tokens, known),
      ...(stated === undefined && { failures }),
    });
  }

  /** Notes that a request of so many tokens was answered: what was heard or learned is wrong if it is less. */
  answered(request: RequestOf, tokens: number): void {
    const id = idOf(request);
    if (tokens > (this.#heard.get(id) ?? Infinity)) this.#heard.delete(id);
    const { window, failures, near = 0, before } = this.#known.get(id) ?? {};
    if (window === undefined) return;
    if (tokens > window) this.#known.delete(id);
    else if (failures !== undefined && tokens >= window * nearShare)
      this.#known.set(
        id,
        near + 1 < answersToRise * 4 ** failures
          ? { window, failures, near: near + 1, ...(before !== undefined && { before }) }
          : { window: Math.floor(window * (1 + riseShare / 2 ** failures)), failures, before: window },
      );
  }
}

/** What a window is learned for. */
const idOf = ({ provider, model, server }: RequestOf) => JSON.stringify([provider, model, server]);
