import type { Ask, ChatModel } from '@ctx/strategy-condense';
import { checkedModel } from '../checked-model.js';

/** What the calls of a model used, including calls with a useless answer. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the model's prices; 0 if it has none. */
  readonly cost: number;
}

/**
 * Returns the same model, and a function that returns the usage of its calls so far. The usage of a model that is a plain function is unknown.
 * @throws ConfigError `config-invalid` for what is not a model
 */
export function metered(given: ChatModel | Ask): { readonly model: ChatModel; used(): ModelUsage } {
  const model = checkedModel(given, 'chatModel');
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
