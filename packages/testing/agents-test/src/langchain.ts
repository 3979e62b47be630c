import { langchainRecall } from '@ctx/recall/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { type AgentMiddleware, type BaseMessage, createAgent, HumanMessage, tool } from 'langchain';
import { z } from 'zod';
import { type Agent, type AgentOptions, runTasks, systemPrompt, type Task } from './agent.js';
import { tools } from './tools.js';

/** LangChain's `createAgent` on OpenAI's chat completions. */
export const langChain: Agent = (options) => langChainAgent(options);

/** The same with middleware, for adapters that are one. */
export function langChainAgent(options: AgentOptions, middleware: readonly AgentMiddleware[] = []) {
  const { baseURL, fetch } = options;
  const model = new ChatOpenAI({
    apiKey: 'sk-test',
    model: 'gpt-4.1',
    maxRetries: 0,
    configuration: { baseURL: `${baseURL}/v1`, ...(fetch && { fetch }) },
  });
  let messages: BaseMessage[] = [];
  return runTasks(options, async (task, run) => {
    const declared = tools.map(({ name, description, run: execute }) =>
      tool(
        (input: { path: string }) => {
          run.toolCalls += 1;
          return execute(input);
        },
        { name, description, schema: z.object({ path: z.string() }) },
      ),
    );
    const recall = options.recall === undefined ? [] : [langchainRecall(options.recall)];
    const agent = createAgent({
      model,
      tools: [...declared, ...recall],
      systemPrompt,
      middleware: [...middleware],
    });
    const result = await agent.invoke({
      messages: [...messages, new HumanMessage({ content: contentOf(task) })],
    });
    messages = result.messages;
    run.history = messages;
    return String(messages.at(-1)?.text ?? '');
  });
}

function contentOf({ prompt, image }: Task) {
  if (image === undefined) return prompt;
  return [
    { type: 'text' as const, text: prompt },
    { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${image}` } },
  ];
}
