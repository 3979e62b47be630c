/** The lines of our packages' sources on the stack, innermost first, those that wait for a promise among them: `core/src/view/gate.ts:12`. */
function sourceFrames(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const frames = stack.matchAll(
    /\/packages\/(?:[\w-]{1,60}\/)?([\w-]{1,60}\/src\/[^:()\s]{1,200}:\d{1,9}):\d/g,
  );
  return [...frames].map(([, frame]) => frame as string).filter((frame) => !frame.startsWith('testing/'));
}

/** What becomes of a call that somebody waits for. `late`: after every time limit; `nothing`: it resolves to undefined. */
export const faults = ['answers', 'throws', 'rejects', 'hangs', 'late', 'nothing'] as const;
export type Fault = (typeof faults)[number];

/** `call`: before the work is done; `answer`: when it is done and its answer is not known to anybody yet. */
export const moments = ['call', 'answer'] as const;
type Moment = (typeof moments)[number];

/** One call, by its kind and number, and what happens to it. */
export interface Strike {
  readonly at: string;
  readonly fault: Fault;
  readonly moment: Moment;
  /** What else happens at that moment. @default nothing */
  readonly happens?: (() => void) | undefined;
}

/** A call as it was seen in a run without faults. */
export interface SeenCall {
  /** `kind#number`, counted within the run. */
  readonly at: string;
  readonly kind: string;
  /** The lines of source that wait for it, innermost first: `core/src/compress/resolve.ts:59`. */
  readonly frames: readonly string[];
}

/** The error of a call that was made to fail. */
export class StruckError extends Error {
  override readonly name = 'StruckError';
}

/**
 * Numbers the calls that go through it, notes which lines wait for them, and strikes one of them. A run that is repeated with the same
 * answers makes the same calls in the same order, so a number names the same call again.
 */
export class Awaits {
  readonly seen: SeenCall[] = [];
  /** True once the call that was to be struck has been. */
  struck = false;
  readonly #numbers = new Map<string, number>();

  /**
   * @param strike what happens to one call; without it every call is recorded with the lines that wait for it
   * @param lateMs how long a late answer takes
   */
  constructor(
    readonly strike: Strike | undefined,
    readonly lateMs: number,
  ) {}

  /** The same function, of whose calls each may be struck. */
  wrap<Given extends unknown[], Answer>(
    kind: string,
    real: (...given: Given) => Answer | PromiseLike<Answer>,
  ) {
    return (...given: Given): Promise<Answer> => {
      const strike = this.#next(kind);
      if (strike === undefined) return (async () => real(...given))();
      this.struck = true;
      const { fault, moment, happens } = strike;
      if (moment === 'call') happens?.();
      if (fault === 'throws') throw new StruckError(`${strike.at} threw`);
      return this.#answer(strike, () => real(...given));
    };
  }

  /** The same for a function that answers at once, and so can only throw, give nothing, or see something happen meanwhile. */
  wrapSync<Given extends unknown[], Answer>(kind: string, real: (...given: Given) => Answer) {
    return (...given: Given): Answer => {
      const strike = this.#next(kind);
      if (strike === undefined) return real(...given);
      this.struck = true;
      if (strike.moment === 'call') strike.happens?.();
      const answer = strike.fault === 'throws' && strike.moment === 'call' ? undefined : real(...given);
      if (strike.moment === 'answer') strike.happens?.();
      if (strike.fault === 'throws' || strike.fault === 'rejects')
        throw new StruckError(`${strike.at} threw`);
      return strike.fault === 'nothing' ? (undefined as Answer) : (answer as Answer);
    };
  }

  #next(kind: string): Strike | undefined {
    const number = (this.#numbers.get(kind) ?? 0) + 1;
    this.#numbers.set(kind, number);
    const at = `${kind}#${number}`;
    if (this.strike === undefined) this.seen.push({ at, kind, frames: sourceFrames() });
    return this.strike?.at === at ? this.strike : undefined;
  }

  async #answer<Answer>(
    { at, fault, moment, happens }: Strike,
    real: () => Answer | PromiseLike<Answer>,
  ): Promise<Answer> {
    const worksFirst = moment === 'answer' || fault === 'answers' || fault === 'late';
    const answer = worksFirst ? await real() : undefined;
    if (fault === 'late') await new Promise((resolve) => setTimeout(resolve, this.lateMs));
    if (moment === 'answer') happens?.();
    if (fault === 'rejects') throw new StruckError(`${at} rejected`);
    if (fault === 'hangs') await new Promise(() => {});
    return fault === 'nothing' ? (undefined as Answer) : (answer as Answer);
  }
}
