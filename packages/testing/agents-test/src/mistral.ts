import { recallTool } from '@ctx/recall';
import { HTTPClient, Mistral } from '@mistralai/mistralai';
import type { ChatCompletionRequestMessage, ContentChunk } from '@mistralai/mistralai/models/components';
import { type Agent, runTasks, systemPrompt, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

/** Mistral's SDK, which takes a `fetch` as the fetcher of its HTTP client. */
export const mistral: Agent = (options) => {
  const { baseURL, fetch } = options;
  const client = new Mistral({
    apiKey: 'test',
    serverURL: `${baseURL}/mistral`,
    retryConfig: { strategy: 'none' },
    ...(fetch && { httpClient: new HTTPClient({ fetcher: fetch }) }),
  });
  const recall = options.recall && recallTool(options.recall as never);
  const offered = [
    ...tools.map(({ name, description, schema }) => ({ name, description, parameters: { ...schema } })),
    ...(recall === undefined ? [] : [{ ...recall, parameters: { ...recall.parameters } }]),
  ].map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));
  const messages: ChatCompletionRequestMessage[] = [{ role: 'system', content: systemPrompt }];
  return runTasks(options, async (task, run) => {
    run.history = messages;
    messages.push({ role: 'user', content: contentOf(task) });
    for (;;) {
      const { choices } = await client.chat.complete({
        model: 'mistral-large-latest',
        messages,
        tools: offered,
      });
      const message = choices?.[0]?.message;
      if (message == null) throw new Error('The model did not answer.');
      messages.push({ ...message, role: 'assistant' });
      if (!message.toolCalls?.length) return String(message.content ?? '');
      for (const { id = '', function: call } of message.toolCalls) {
        run.toolCalls += 1;
        const input = typeof call.arguments === 'string' ? JSON.parse(call.arguments) : call.arguments;
        const content =
          call.name === recall?.name
            ? await recall.run(input, undefined as never)
            : runTool(call.name, input);
        messages.push({ role: 'tool', toolCallId: id, name: call.name, content });
      }
    }
  });
};

function contentOf({ prompt, image }: Task): string | ContentChunk[] {
  if (image === undefined) return prompt;
  return [
    { type: 'text', text: prompt },
    { type: 'image_url', imageUrl: { url: `data:image/png;base64,${image}` } },
  ];
}
