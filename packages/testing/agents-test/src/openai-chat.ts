import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources';
import { type Agent, type AgentOptions, type AgentRun, systemPrompt, type Task } from './agent.js';
import { functionTool, toolLoop } from './tool-loop.js';

/** An agent on chat completions with a client of OpenAI's SDK. */
export const chatOf =
  (clientFor: (options: AgentOptions) => OpenAI, model = 'gpt-5'): Agent =>
  (options) => {
    const { completions } = clientFor(options).chat;
    return openAiChatLoop(options, (messages, tools) => completions.create({ model, messages, tools }));
  };

const clientFor = ({ baseURL, fetch }: AgentOptions) =>
  new OpenAI({ apiKey: 'sk-test', baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) });

/** The OpenAI SDK with chat completions. */
export const openAiChat = chatOf(clientFor);

/** The same, streamed. */
export const openAiChatStreamed: Agent = (options) => {
  const { completions } = clientFor(options).chat;
  const stream_options = { include_usage: true };
  return openAiChatLoop(options, (messages, tools) =>
    completions.stream({ model: 'gpt-5', messages, tools, stream_options }).finalChatCompletion(),
  );
};

/** The loop of an agent on chat completions, whatever asks the model. */
export function openAiChatLoop(
  options: AgentOptions,
  ask: (
    messages: ChatCompletionMessageParam[],
    tools: ReturnType<typeof functionTool>[],
  ) => PromiseLike<Pick<ChatCompletion, 'choices'>>,
): Promise<AgentRun> {
  return toolLoop<ChatCompletionMessageParam>(options, [{ role: 'system', content: systemPrompt }], {
    said: (task) => ({ role: 'user', content: contentOf(task) }),
    async ask(messages, offered) {
      const entry = (await ask(messages, offered.map(functionTool))).choices[0]?.message;
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
}

function contentOf({ prompt, image }: Task): string | ChatCompletionContentPart[] {
  if (image === undefined) return prompt;
  return [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
  ];
}
