import type { ChatModel } from '@ctx/core';

export type { ChatModel } from '@ctx/core';

/** A model as a function. It gets the whole prompt and resolves to the text of the answer. */
export type Ask = (
  prompt: string,
  options: { readonly maxTokens: number; readonly signal: AbortSignal },
) => Promise<string>;

/** Wraps a function as a model. Its cost, and whether its answer was cut off, are then unknown. */
export function chatModelOf(model: ChatModel | Ask): ChatModel {
  if (typeof model !== 'function') return model;
  return {
    name: model.name === '' ? 'model' : model.name,
    async complete({ system, user, maxTokens, signal }) {
      return { text: await model(`${system}\n\n${user}`, { maxTokens, signal }), stopReason: 'stop' };
    },
  };
}
