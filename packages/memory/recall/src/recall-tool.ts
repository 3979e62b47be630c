import { bpeCounter, type PassageSource } from '@ctx/core';
import { answers } from './answers.js';
import { readArguments, type Wish } from './arguments.js';
import { type RecallParameters, recallDescription, recallName, recallParameters } from './definition.js';
import { answerOf } from './recall-call.js';
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
        return await answerOf(found, wish, await roomFor(wish, options));
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

let counter: ReturnType<typeof bpeCounter> | undefined;

async function roomFor({ maxTokens }: Wish, { maxTokens: most = usualTokens, tokensOf }: RecallOptions) {
  const tokens = Math.max(leastTokens, Math.min(most, maxTokens ?? most));
  if (tokensOf !== undefined) return { tokens, tokensOf };
  counter ??= bpeCounter('o200k_base');
  await counter.load?.();
  const { count } = counter;
  return { tokens, tokensOf: (text: string) => count.call(counter, text) };
}
