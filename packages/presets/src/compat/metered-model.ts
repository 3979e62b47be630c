import type { ChatModel } from '@ctx/strategy-condense';

/** What the calls of a model used, including calls with a useless answer. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the model's prices; 0 if it has none. */
  readonly cost: number;
}

/** Returns the same model, and a function that says what its calls have used so far. */
export function metered(model: ChatModel): { readonly model: ChatModel; used(): ModelUsage } {
  let [calls, inputTokens, outputTokens, cost] = [0, 0, 0, 0];
  return {
    model: {
      ...model,
      async complete(request) {
        calls += 1;
        const completion = await model.complete(request);
        inputTokens += completion.usage?.inputTokens ?? 0;
        outputTokens += completion.usage?.outputTokens ?? 0;
        cost += completion.cost ?? 0;
        return completion;
      },
    },
    used: () => ({ calls, inputTokens, outputTokens, cost }),
  };
}
