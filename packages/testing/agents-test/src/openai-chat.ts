import { Groq } from 'groq-sdk';
import OpenAI, { AzureOpenAI } from 'openai';
import type { ChatCompletion, ChatCompletionMessageParam } from 'openai/resources';
import OpenAI7 from 'openai-7';
import { type Agent, type AgentOptions, connection, systemPrompt, urlOf } from './agent.js';
import { functionTool, toolLoop } from './tool-loop.js';

/** What these agents use of a client. Those of other providers, and newer ones, differ only in what is not used here. */
type Client = Pick<OpenAI, 'chat'>;

/** An agent on chat completions with a client of OpenAI's SDK, or one that is like it. */
const chatAgent =
  (clientFor: (options: AgentOptions) => unknown, model = 'gpt-5', streams = false): Agent =>
  (options) => {
    const { completions } = (clientFor(options) as Client).chat;
    return toolLoop<ChatCompletionMessageParam>(options, [{ role: 'system', content: systemPrompt }], {
      said: ({ prompt: text, image }) => ({
        role: 'user',
        content: image
          ? [
              { type: 'text', text },
              { type: 'image_url', image_url: { url: urlOf(image) } },
            ]
          : text,
      }),
      async ask(messages, offered) {
        const request = { model, messages, tools: offered.map(functionTool) };
        const stream_options = { include_usage: true };
        const { choices }: Pick<ChatCompletion, 'choices'> = streams
          ? await completions.stream({ ...request, stream_options }).finalChatCompletion()
          : await completions.create(request);
        const entry = choices[0]?.message;
        if (entry === undefined) throw new Error('The model did not answer.');
        const calls = (entry.tool_calls ?? []).flatMap((call) =>
          call.type === 'function'
            ? [{ id: call.id, name: call.function.name, input: call.function.arguments }]
            : [],
        );
        return { entry, calls, text: entry.content ?? '' };
      },
      results: (answered) =>
        answered.map(({ id = '', output }) => ({ role: 'tool', tool_call_id: id, content: output })),
    });
  };

const clientFor = (options: AgentOptions) => new OpenAI(connection(options));

/** The OpenAI SDK with chat completions. */
export const openAiChat = chatAgent(clientFor);

/** The same, streamed. */
export const openAiChatStreamed = chatAgent(clientFor, 'gpt-5', true);

/** OpenAI SDK 7. */
export const openAi7Chat = chatAgent((options) => new OpenAI7(connection(options)));

/** OpenAI's SDK at Azure. */
export const azure = chatAgent(
  ({ baseURL: endpoint, fetch }) =>
    new AzureOpenAI({
      apiKey: 'sk-test',
      maxRetries: 0,
      endpoint,
      apiVersion: '2025-04-01-preview',
      deployment: 'gpt-5',
      ...(fetch && { fetch }),
    }),
);

/** OpenAI's SDK at OpenRouter. */
export const openRouter = chatAgent(
  (options) => new OpenAI({ ...connection(options, '/api/v1'), maxRetries: 0 }),
  'openai/gpt-5',
);

/** Groq's SDK. */
export const groq = chatAgent(
  (options) => new Groq({ ...connection(options, ''), maxRetries: 0 }),
  'openai/gpt-oss-120b',
);
