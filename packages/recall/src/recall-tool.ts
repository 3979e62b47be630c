import { type ArchivePassage, bpeCounter, CtxError } from '@ctx/core';
import { answers } from './answers.js';
import { readArguments, type Wish } from './arguments.js';
import { type RecallParameters, recallDescription, recallName, recallParameters } from './definition.js';
import { bestThatFit, type Fitted, fromTheStart } from './fit.js';
import { blockOf, framed } from './frame.js';
import type { PassageSource } from './passage-source.js';
import { checkOptions, leastTokens, type RecallOptions, usualTokens } from './recall-options.js';

/**
 * Where recall reads: a source, such as a manager with an archive, or a function that finds the one of the conversation a call belongs to. While
 * it finds none, the model is told that nothing has left its view.
 */
export type RecallSource<Context = unknown> =
  | PassageSource
  | ((context: Context) => PassageSource | undefined | Promise<PassageSource | undefined>);

/** A tool with which a model reads what left its view. Offer it from the first request on: tools that come later cost the prompt cache. */
export interface RecallTool<Context = unknown> {
  readonly name: string;
  /** What it is for, as the model reads it. */
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: RecallParameters;
  /**
   * Answers a call. Never rejects: whatever a model sends gets an answer with which it can go on.
   * @param args what the model sent, parsed or as JSON text
   * @param context is given to the function that finds the source
   */
  run(args: unknown, context?: Context): Promise<string>;
}

/**
 * Makes the recall tool in a form of its own, for any SDK.
 * @throws ConfigError `config-invalid`
 */
export function recallTool<Context = unknown>(
  source: RecallSource<Context>,
  options: RecallOptions = {},
): RecallTool<Context> {
  checkOptions(options);
  const { onError } = options;
  return {
    name: recallName,
    description: recallDescription,
    parameters: recallParameters,
    async run(args, context) {
      try {
        const wish = readArguments(args);
        const found = typeof source === 'function' ? await source(context as Context) : source;
        if (found === undefined) return answers.nothingYet;
        return await new Recall(found, wish, await roomFor(wish, options)).answer();
      } catch (error) {
        tell(onError, error);
        return answers.unavailable;
      }
    },
  };
}

/** A listener that fails takes no answer away. */
function tell(listener: RecallOptions['onError'], error: unknown): void {
  try {
    listener?.(error);
  } catch {
    // Its own matter.
  }
}

interface Room {
  /** Tokens. */
  readonly tokens: number;
  tokensOf(text: string): number;
}

let counter: ReturnType<typeof bpeCounter> | undefined;

async function roomFor({ maxTokens }: Wish, { maxTokens: most = usualTokens, tokensOf }: RecallOptions) {
  const tokens = Math.max(leastTokens, Math.min(most, maxTokens ?? most));
  if (tokensOf !== undefined) return { tokens, tokensOf };
  counter ??= bpeCounter('o200k_base');
  await counter.load?.();
  const { count } = counter;
  return { tokens, tokensOf: (text: string) => count.call(counter, text) };
}

/** One call. */
class Recall {
  constructor(
    readonly source: PassageSource,
    readonly wish: Wish,
    readonly room: Room,
  ) {}

  async answer(): Promise<string> {
    const { query, refs, path } = this.wish;
    if (refs.length > 0) return query === '' ? this.#read() : this.#searchWithin();
    if (query === '' && path === undefined) return this.#told(answers.nothingAsked);
    const { kind } = this.wish;
    const maxTokens = this.#roomForPassages();
    return this.#found(
      await this.source.find(query === '' ? (path as string) : query, { path, kind, maxTokens }),
    );
  }

  async #searchWithin(): Promise<string> {
    const { query, refs, path, kind } = this.wish;
    const found: ArchivePassage[] = [];
    for (const within of refs) {
      const maxTokens = this.#roomForPassages();
      const results = await this.#unlessUnknown(() =>
        this.source.find(query, { within, path, kind, maxTokens }),
      );
      if (results === undefined) return this.#told(await this.#unknown([within]));
      found.push(...results);
    }
    return this.#found(found);
  }

  async #read(): Promise<string> {
    const { refs } = this.wish;
    const passages: ArchivePassage[] = [];
    const unknown: string[] = [];
    for (const ref of refs) {
      const read = await this.#unlessUnknown(() => this.source.read(ref));
      if (read === undefined) unknown.push(ref);
      else passages.push(...read);
    }
    if (passages.length === 0) return this.#told(await this.#unknown(unknown));
    const missing = unknown.length === 0 ? [] : [answers.unknownRefs(unknown)];
    const notes = ({ left, cutLine }: Omit<Fitted, 'shown'>) => [
      ...missing,
      ...(cutLine === undefined ? [] : [answers.lineCut(cutLine)]),
      ...(left.length === 0 ? [] : [answers.left(left)]),
    ];
    if (this.#fits(passages, missing)) return this.#text(passages, missing);
    // There is room for every note that may become necessary.
    const last = passages.at(-1)?.ref as string;
    const longest = notes({ left: [last, ...refs], cutLine: last });
    const { shown, ...cut } = fromTheStart(passages, (some) => this.#fits(some, longest));
    return shown.length === 0 ? this.#told(...notes(cut)) : this.#text(shown, notes(cut));
  }

  #found(passages: readonly ArchivePassage[]): string {
    const shown = bestThatFit(passages, (some) => this.#fits(some, []), {
      tokensOf: (passage) => this.room.tokensOf(blockOf(passage)),
      room: this.#roomForPassages(),
    });
    return shown.length === 0 ? this.#told(answers.nothingFound(this.wish)) : this.#text(shown, []);
  }

  /** Tokens for passages with their heads, as sources count them: what stands around them is ours. */
  #roomForPassages(): number {
    return Math.max(1, this.room.tokens - this.room.tokensOf(this.#text([], [])));
  }

  #fits(shown: readonly ArchivePassage[], notes: readonly string[]): boolean {
    return this.room.tokensOf(this.#text(shown, notes)) <= this.room.tokens;
  }

  #text(shown: readonly ArchivePassage[], notes: readonly string[]): string {
    return framed(shown, [...notes, ...this.wish.notes]);
  }

  /** An answer without passages. What was understood differently is said if there is room. */
  #told(...sentences: readonly string[]): string {
    const all = [...sentences, ...this.wish.notes].join('\n');
    return this.room.tokensOf(all) <= this.room.tokens ? all : sentences.join('\n');
  }

  async #unlessUnknown<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (CtxError.isInstance(error) && unknownCodes.includes(error.code)) return undefined;
      throw error;
    }
  }

  /** If only the lines of a handle are wrong, it is said how many there are. */
  async #unknown(refs: readonly string[]): Promise<string> {
    const [ref = '', ...others] = refs;
    const message = ref.split(':', 1)[0] as string;
    if (message === ref || others.length > 0) return answers.unknownRefs(refs);
    const passages = await this.#unlessUnknown(() => this.source.read(message));
    const last = passages?.at(-1)?.ref.match(/\d+$/)?.[0];
    return last === undefined ? answers.unknownRefs(refs) : answers.unknownLines(ref, message, last);
  }
}

const unknownCodes: readonly string[] = ['archive-ref-unknown', 'archive-ref-invalid'];
