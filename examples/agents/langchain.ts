// An agent on LangChain. `contextFetch` keeps its conversation inside the window; the state keeps every message.
// Run: npm run build && OPENAI_API_KEY=… node --import tsx examples/agents/langchain.ts "What does README.md say?"

import { readFile } from 'node:fs/promises';
import { contextFetch } from '@ctx/fetch';
import { ChatOpenAI } from '@langchain/openai';
import { type BaseMessage, createAgent, HumanMessage, tool } from 'langchain';
import { z } from 'zod';

/** Tokens. Default: the window of the model. */
const contextWindow = Number(process.env.CONTEXT_WINDOW) || undefined;
const fetch = contextFetch({ config: { contextWindow } });

const readTool = tool(({ path }: { path: string }) => readFile(path, 'utf8').catch(String), {
  name: 'read_file',
  description: 'Reads a text file.',
  schema: z.object({ path: z.string() }),
});
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-4.1', configuration: { fetch } }),
  tools: [readTool],
  systemPrompt: 'You answer questions about the files of this folder.',
});
let messages: BaseMessage[] = [];

for (const task of process.argv.slice(2)) {
  const state = await agent.invoke({ messages: [...messages, new HumanMessage(task)] });
  messages = state.messages;
  console.log(messages.at(-1)?.text);
}
