/** Something that ctx could not do or did not understand, and what became of the request. It holds no text of a conversation. */
export interface Warning {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
}

export type OnWarning = (warning: Warning) => void;

/** Tells of each code once, and never throws. */
export class Warnings {
  readonly #told = new Set<string>();

  constructor(readonly onWarning: OnWarning = toConsole) {}

  /** @param about what else tells two warnings of one code apart, such as the path of an endpoint */
  once(code: string, message: string, about = ''): void {
    const key = `${code} ${about}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    try {
      this.onWarning({ code, message });
    } catch {
      // A listener's fault is no reason to lose a request.
    }
  }
}

function toConsole({ code, message }: Warning): void {
  // biome-ignore lint/suspicious/noConsole: where nobody listens, the console is the only place to tell it.
  console.warn(`[ctx] ${message} (${code})`);
}
