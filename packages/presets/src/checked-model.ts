import { ConfigError } from '@ctx/core';
import { type Ask, type ChatModel, chatModelOf } from '@ctx/strategy-condense';

/**
 * A model, or a function as one.
 * @param place the option that it is given in
 * @throws ConfigError `config-invalid` for what is not a model
 */
export function checkedModel(given: ChatModel | Ask, place: string): ChatModel {
  const isModel = typeof given === 'function' || typeof given?.complete === 'function';
  if (isModel) return chatModelOf(given);
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'The model has no function that completes',
    place,
    value: typeof given,
    remedy: 'Give a model with complete(request), or a function (prompt) => Promise<string>.',
  });
}
