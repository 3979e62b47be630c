import { langchainRecall } from '@ctx/recall/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { type AgentMiddleware, type BaseMessage, createAgent, HumanMessage, tool } from 'langchain';
import { z } from 'zod';
import { type Agent, type AgentOptions, connection, runTasks, systemPrompt, urlOf } from './agent.js';
import { tools } from './tools.js';

/** LangChain's `createAgent` on OpenAI's chat completions. */
export const langChain: Agent = (options) => langChainAgent(options);

/** The same with middleware, for adapters that are one. */
export function langChainAgent(options: AgentOptions, middleware: readonly AgentMiddleware[] = []) {
  const { apiKey, ...configuration } = connection(options);
  const model = new ChatOpenAI({ apiKey, model: 'gpt-4.1', maxRetries: 0, configuration });
  const declared = tools.map(({ name, description, run: execute }) =>
    tool(execute, { name, description, schema: z.object({ path: z.string() }) }),
  );
  const recall = options.recall === undefined ? [] : [langchainRecall(options.recall)];
  const offered = [...declared, ...recall];
  const agent = createAgent({ model, tools: offered, systemPrompt, middleware: [...middleware] });
  let messages: BaseMessage[] = [];
  return runTasks(options, async ({ prompt: text, image }, run) => {
    const content = image
      ? [
          { type: 'text' as const, text },
          { type: 'image_url' as const, image_url: { url: urlOf(image) } },
        ]
      : text;
    const result = await agent.invoke({ messages: [...messages, new HumanMessage({ content })] });
    messages = result.messages;
    run.history = messages;
    return String(messages.at(-1)?.text ?? '');
  });
}
