import { ConfigError } from '@ctx/core';
import { type Ask, type ChatModel, chatModelOf } from '@ctx/strategy-condense';

/** What the calls of a model used, including calls with a useless answer. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the model's prices; 0 if it has none. */
  readonly cost: number;
}

/**
 * Returns the same model, and a function that says what its calls have used so far. What a model that is a function used, nobody knows.
 * @throws ConfigError `config-invalid` for what is not a model
 */
export function metered(given: ChatModel | Ask): { readonly model: ChatModel; used(): ModelUsage } {
  const model = checked(given);
  let [calls, inputTokens, outputTokens, cost] = [0, 0, 0, 0];
  return {
    model: {
      name: model.name,
      contextWindow: model.contextWindow,
      async complete(request) {
        calls += 1;
        const completion = await model.complete(request);
        inputTokens += completion?.usage?.inputTokens ?? 0;
        outputTokens += completion?.usage?.outputTokens ?? 0;
        cost += completion?.cost ?? 0;
        return completion;
      },
    },
    used: () => ({ calls, inputTokens, outputTokens, cost }),
  };
}

function checked(given: ChatModel | Ask): ChatModel {
  const isModel = typeof given === 'function' || typeof given?.complete === 'function';
  if (isModel) return chatModelOf(given);
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'The model has no function that completes',
    place: 'chatModel',
    value: typeof given,
    remedy: 'Give a model with complete(request), or a function (prompt) => Promise<string>.',
  });
}
