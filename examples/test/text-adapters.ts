import { contextMiddleware } from '@ctx/ai-sdk';
import { estimateTokens, isShownWhole, recall, shortened } from '@ctx/claude-code';
import { googleCodec } from '@ctx/codec-google';
import { openaiCodec, responsesCodec, storedConversation } from '@ctx/codec-openai';
import { Conversations, conversation, digest, reportedUsage } from '@ctx/conversation';
import type { Message } from '@ctx/core';
import { isMadeUpId } from '@ctx/core/codec';
import { mediaMark, mediaName } from '@ctx/core/kit';
import { contextFetch } from '@ctx/fetch';
import { contextMiddleware as langChainMiddleware } from '@ctx/langchain';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';

const silent = { onWarning: () => {}, config: { contextWindow: 4_000 } };
const sending = contextFetch({
  ...silent,
  send: async (_, init) => new Response(init?.body, { headers: { 'content-type': 'text/event-stream' } }),
});
const sent = async (path: string, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (await sending(`http://localhost${path}`, { method: 'POST', body: text })).text();
};

const prompt = (text: string) => [
  { role: 'system' as const, content: text },
  { role: 'user' as const, content: [{ type: 'text' as const, text }] },
];
const middleware = contextMiddleware(silent);
const streamed = async (text: string) => {
  const parts = [
    { type: text },
    { type: 'error', error: { message: text } },
    { type: 'finish', usage: text },
  ];
  const answer = () => ({
    stream: new ReadableStream<{ type: string }>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  });
  const { stream } = await middleware.wrapStream({
    params: { prompt: prompt(text) },
    model: { specificationVersion: 'v3', provider: text, modelId: text, doStream: async () => answer() },
  });
  const reader = stream.getReader();
  while (!(await reader.read()).done);
};

const { wrapModelCall } = langChainMiddleware(silent);
const asked = (text: string) =>
  wrapModelCall?.(
    {
      messages: [new HumanMessage(text)],
      systemMessage: new SystemMessage(text),
      model: { model: text, getLsParams: () => ({ ls_provider: text }) },
      runtime: { configurable: { thread_id: text } },
    } as never,
    async () => ({ usage_metadata: text }) as never,
  );

/** What the adapters do with a text. */
export function adapterFunctions(
  calling: (text: string) => Message[],
): Record<string, (text: string) => unknown> {
  const items = (text: string) => responsesCodec.fromMessages(calling(text));
  return {
    'ai-sdk contextMiddleware': streamed,
    'codec-openai storedConversation': (text) =>
      storedConversation({ input: items(text), conversation: text }),
    'claude-code estimateTokens': (text) => estimateTokens(text),
    'claude-code isShownWhole': (text) => isShownWhole(text, text),
    'claude-code shortened': (text) => shortened(text, text),
    'claude-code recall': (text) => recall([{ role: 'user', text, toolUses: [] }], 'one two'),
    'core isMadeUpId': (text) => isMadeUpId(text),
    'core mediaMark': (text) => mediaMark({ type: 'file', data: text, mediaType: text, filename: text }),
    'core mediaName': (text) => mediaName({ type: 'image', image: text }),
    'conversation conversation': (text) =>
      conversation(googleCodec, silent).sync(googleCodec.fromMessages(calling(text))),
    'conversation Conversations': async (text) => {
      const turn = await new Conversations(responsesCodec, silent).turn(items(text), { scope: text });
      return turn.prepare();
    },
    'conversation digest': digest,
    'conversation reportedUsage': (text) =>
      reportedUsage({ usage: text, model: text, message: { usage: text } }),
    'langchain contextMiddleware': asked,
    'fetch contextFetch of a chat': (text) =>
      sent('/chat/completions', { model: text, messages: openaiCodec.fromMessages(calling(text)) }),
    'fetch contextFetch of a text': (text) => sent('/messages', text),
    'fetch contextFetch of an unknown endpoint': (text) => sent(`/${text.slice(0, 2_000)}`, text),
  };
}
