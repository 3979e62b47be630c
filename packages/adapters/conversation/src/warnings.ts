/** Something that ctx could not do or did not understand, and what became of the request. It holds no text of a conversation. */
export interface Warning {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
}

export type OnWarning = (warning: Warning) => void;

/** Most warnings in all, because a client may request new paths forever. */
const mostWarnings = 500;

/** Tells of each code once, and never throws. */
export class Warnings {
  readonly #told = new Set<string>();

  constructor(readonly onWarning: OnWarning = toConsole) {}

  /** @param about what else tells two warnings of one code apart, such as the path of an endpoint; figures don't */
  once(code: string, message: string, about = ''): void {
    const key = `${code} ${about.replace(/ [\d,]+ /g, ' ')}`;
    if (this.#told.has(key) || this.#told.size >= mostWarnings) return;
    this.#told.add(key);
    try {
      this.onWarning({ code, message });
    } catch {
      // A listener that throws must not lose a request.
    }
  }

  /** Runs a task of ctx. If it fails, a warning says so once and the result is `undefined`: the request is sent unchanged. */
  async attempt<Result>(task: () => PromiseLike<Result>): Promise<Result | undefined> {
    try {
      return await task();
    } catch (error) {
      this.once('request-unmanaged', `A request was sent unchanged: ${codeOf(error)}`);
      return undefined;
    }
  }
}

/** The code or name of an error, and the place of what a codec does not understand. Its message may quote the conversation. */
export function codeOf(error: unknown): string {
  const { code, name, place }: Partial<Record<'code' | 'name' | 'place', unknown>> =
    typeof error === 'object' && error !== null ? error : {};
  if (code === 'native-invalid') return `${code} at ${place}`;
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown error';
}

function toConsole({ code, message }: Warning): void {
  // biome-ignore lint/suspicious/noConsole: where nobody listens, the console is the only place to tell it.
  console.warn(`[ctx] ${message} (${code})`);
}
