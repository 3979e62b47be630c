import { type Archive, bpeCounter, ConfigError, type PassageSource } from '@ctx/core';
import { faultsIn } from '@ctx/core/kit';
import * as z from '@ctx/core/zod';
import { askedKinds, readArguments, type Wish } from './arguments.js';
import { answers, Recall } from './recall-call.js';

/** The tool's name. Models know the word, and it is the same in every form. */
const recallName = 'recall';

/** What the tool is for, as the model reads it. It is sent with each request. */
const recallDescription = `Reads what you no longer see of this conversation: earlier messages, calls and results, word for word. \
Use it when you need an exact name, value, path, error text or decision from before; do not guess it. \
Look for it with query, best by the names as they were written, or read a handle that you see with ref: #m41, or lines of it, #m41:120-180. \
With both, that message is searched.`;

/** The tool's arguments, as JSON schema. */
const recallParameters = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for.' },
    ref: { type: 'string', description: '#m41 or #m41:120-180' },
    path: { type: 'string', description: 'Only what is about this file or folder.' },
    kind: { type: 'string', enum: askedKinds, description: 'Only texts of this kind.' },
    maxTokens: { type: 'integer', description: 'Largest answer.' },
  },
} as const;

export interface RecallOptions {
  /** Tokens that an answer may have, with all that stands around the passages. A model may ask for less. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** Counts the tokens of a text. @default exact BPE with the encoding o200k_base */
  readonly tokensOf?: ((text: string) => number) | undefined;
  /** Is told what went wrong when the source could not be read; the model is told only that it could not. @default nobody is told */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Tokens. With them recall finds nine tenths of what a step names; twice as much finds little more (docs/results.md). */
const usualTokens = 2_000;
/** Tokens. The longest answer without passages fits into them. */
const leastTokens = 200;

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
  readonly parameters: typeof recallParameters;
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
  return {
    name: recallName,
    description: recallDescription,
    parameters: structuredClone(recallParameters),
    async run(args, context) {
      try {
        const wish = readArguments(args);
        const found = typeof source === 'function' ? await source(context as Context) : source;
        if (found === undefined) return answers.nothingYet;
        return await new Recall(found, wish, await roomFor(wish, options)).answer();
      } catch (error) {
        try {
          options.onError?.(error);
        } catch {
          // A listener that fails takes no answer away.
        }
        return answers.unavailable;
      }
    },
  };
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

const callable = z.custom((value) => typeof value === 'function', 'it must be a function').optional();
const schema = z.strictObject({
  maxTokens: z.number().min(leastTokens).optional(),
  tokensOf: callable,
  onError: callable,
});

/** @throws ConfigError `config-invalid` */
function checkOptions(options: unknown): void {
  const [first, ...others] = faultsIn(schema, options, {
    subject: 'The options of recall are',
    unknown: 'Unknown option',
    keys: 'The options',
    whole: 'recall',
    within: ['recall'],
    remedyFor: ({ guess }) => (guess === undefined ? 'Correct it, or leave it out.' : undefined),
  });
  if (first !== undefined) throw new ConfigError(first, others);
}

/** One conversation of an archive, to be read without a manager. */
export function passagesOf(archive: Archive, conversation: string): PassageSource {
  return {
    find: (query, options) => archive.search(query, { ...options, conversation }),
    read: (ref, options) => archive.get(ref, { ...options, conversation }),
  };
}
