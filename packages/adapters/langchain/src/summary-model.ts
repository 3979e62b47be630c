import { langchainCodec } from '@ctx/codec-langchain';
import { type ChatModel, messageText } from '@ctx/core';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { describedModel } from './model-call.js';

/** What keeps the words of a model that is asked besides out of what an agent streams. */
const tags = ['nostream', 'langsmith:nostream'];

/** A chat model of LangChain as one that summarises. */
export function summaryModel(model: BaseChatModel): ChatModel {
  const { model: name = 'model', window } = describedModel(model);
  return {
    name,
    contextWindow: window,
    async complete({ system, user, signal }) {
      const asked = [
        ['system', system],
        ['user', user],
      ] satisfies [string, string][];
      const answer = await model.invoke(asked, { signal, tags });
      const { finish_reason: reason, stop_reason: other = reason } = answer.response_metadata ?? {};
      const text = langchainCodec.toMessages([answer]).map(messageText).join('').trim();
      return { text, stopReason: /length|max_tokens/i.test(String(other)) ? 'length' : 'stop' };
    },
  };
}
