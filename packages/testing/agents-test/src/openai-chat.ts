import { recallTool } from '@ctx/recall';
import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources';
import { type Agent, type AgentOptions, type AgentRun, runTasks, systemPrompt, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

/** The tools as chat completions want them. */
export const chatTools = tools.map(({ name, description, schema }) => ({
  type: 'function' as const,
  function: { name, description, parameters: schema as unknown as Record<string, unknown> },
}));

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
    tools: typeof chatTools,
  ) => PromiseLike<Pick<ChatCompletion, 'choices'>>,
): Promise<AgentRun> {
  const recall = options.recall && recallTool(options.recall);
  const declared = recall === undefined ? chatTools : [...chatTools, chatTool(recall)];
  const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: systemPrompt }];
  return runTasks(options, async (task, run) => {
    run.history = messages;
    messages.push({ role: 'user', content: contentOf(task) });
    for (;;) {
      const answer = (await ask(messages, declared)).choices[0]?.message;
      if (answer === undefined) throw new Error('The model did not answer.');
      messages.push(answer);
      if (!answer.tool_calls?.length) return answer.content ?? '';
      for (const call of answer.tool_calls) {
        if (call.type !== 'function') continue;
        run.toolCalls += 1;
        const { name, arguments: json } = call.function;
        const content = name === recall?.name ? await recall.run(json) : runTool(name, JSON.parse(json));
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
    }
  });
}

/** The recall tool as chat completions want it. */
function chatTool({ name, description, parameters }: ReturnType<typeof recallTool>) {
  return { type: 'function' as const, function: { name, description, parameters: { ...parameters } } };
}

function contentOf({ prompt, image }: Task): string | ChatCompletionContentPart[] {
  if (image === undefined) return prompt;
  return [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
  ];
}
