import { HTTPClient, Mistral } from '@mistralai/mistralai';
import type { ChatCompletionRequestMessage } from '@mistralai/mistralai/models/components';
import { type Agent, systemPrompt, urlOf } from './agent.js';
import { functionTool, toolLoop } from './tool-loop.js';

/** Mistral's SDK, which takes a `fetch` as the fetcher of its HTTP client. */
export const mistral: Agent = (options) => {
  const { baseURL, fetch } = options;
  const client = new Mistral({
    apiKey: 'test',
    serverURL: `${baseURL}/mistral`,
    retryConfig: { strategy: 'none' },
    ...(fetch && { httpClient: new HTTPClient({ fetcher: fetch }) }),
  });
  return toolLoop<ChatCompletionRequestMessage>(options, [{ role: 'system', content: systemPrompt }], {
    said: ({ prompt: text, image }) => ({
      role: 'user',
      content: image
        ? [
            { type: 'text', text },
            { type: 'image_url', imageUrl: { url: urlOf(image) } },
          ]
        : text,
    }),
    async ask(messages, offered) {
      const tools = offered.map(functionTool);
      const { choices } = await client.chat.complete({ model: 'mistral-large-latest', messages, tools });
      const message = choices?.[0]?.message;
      if (message == null) throw new Error('The model did not answer.');
      const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: input } }) => ({
        id,
        name,
        input,
      }));
      return { entry: { ...message, role: 'assistant' }, calls, text: String(message.content ?? '') };
    },
    results: (answered) =>
      answered.map(({ id, name, output }) => ({ role: 'tool', toolCallId: id, name, content: output })),
  });
};
