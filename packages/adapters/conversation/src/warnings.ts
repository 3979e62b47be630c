/** Something that ctx could not do or did not understand, and what became of the request. It holds no text of a conversation. */
export interface Warning {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
}

export type OnWarning = (warning: Warning) => void;

/** Warnings that are told: who asks forever new paths gets no end of them. */
const mostWarnings = 500;

/** Tells of each code once, and never throws. */
export class Warnings {
  readonly #told = new Set<string>();

  constructor(readonly onWarning: OnWarning = toConsole) {}

  /** @param about what else tells two warnings of one code apart, such as the path of an endpoint */
  once(code: string, message: string, about = ''): void {
    const key = `${code} ${about}`;
    if (this.#told.has(key) || this.#told.size >= mostWarnings) return;
    this.#told.add(key);
    try {
      this.onWarning({ code, message });
    } catch {
      // A listener's fault is no reason to lose a request.
    }
  }

  /** Does what ctx does beside a request. A failure of it is told once and loses nothing: the result is `undefined` then. */
  async attempt<Result>(task: () => PromiseLike<Result>): Promise<Result | undefined> {
    try {
      return await task();
    } catch (error) {
      this.once('request-unmanaged', `A request was sent unchanged: ${codeOf(error)}`);
      return undefined;
    }
  }
}

/** What may be said of an error without saying anything of the conversation. */
export function codeOf(error: unknown): string {
  const { code, name } =
    typeof error === 'object' && error !== null ? (error as { code?: unknown; name?: unknown }) : {};
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown error';
}

function toConsole({ code, message }: Warning): void {
  // biome-ignore lint/suspicious/noConsole: where nobody listens, the console is the only place to tell it.
  console.warn(`[ctx] ${message} (${code})`);
}
