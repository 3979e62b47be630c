import { recallTool } from '@ctx/recall';
import { type ChatRequest, type ChatResponse, type Message, Ollama } from 'ollama';
import { type Agent, type AgentOptions, runTasks, systemPrompt, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

const declared = tools.map(({ name, description, schema }) => ({
  type: 'function',
  function: { name, description, parameters: schema },
}));

/** Ollama's SDK with thinking, and a server that refuses what is too long. */
export const ollama: Agent = (options) =>
  ollamaLoop(options, (client, request) => client.chat({ ...request, stream: false }), { truncate: false });

/** The same, streamed. */
export const ollamaStreamed: Agent = (options) => ollamaLoop(options, streamed, { truncate: false });

/** An agent that sets the window of its requests; the server drops the oldest messages of what is longer, and says nothing of it. */
export const ollamaCut: Agent = (options) => ollamaLoop(options, streamed, { options: { num_ctx: 12_000 } });

type Ask = (client: Ollama, request: ChatRequest) => Promise<Pick<ChatResponse, 'message'>>;

const streamed: Ask = async (client, request) => {
  const message: Message = { role: 'assistant', content: '', thinking: '' };
  for await (const { message: piece } of await client.chat({ ...request, stream: true })) {
    message.content += piece.content;
    message.thinking += piece.thinking ?? '';
    if (piece.tool_calls) message.tool_calls = [...(message.tool_calls ?? []), ...piece.tool_calls];
  }
  return { message };
};

function ollamaLoop(options: AgentOptions, ask: Ask, more: object) {
  const { baseURL, fetch } = options;
  const client = new Ollama({ host: baseURL, ...(fetch && { fetch }) });
  const recall = options.recall && recallTool(options.recall as never);
  const offered =
    recall === undefined ? declared : [...declared, { type: 'function', function: functionOf(recall) }];
  const messages: Message[] = [{ role: 'system', content: systemPrompt }];
  return runTasks(options, async (task, run) => {
    run.history = messages;
    messages.push(messageOf(task));
    for (;;) {
      const { message } = await ask(client, {
        model: 'qwen3',
        think: true,
        messages,
        tools: offered as ChatRequest['tools'],
        ...more,
      } as ChatRequest);
      messages.push(message);
      if (!message.tool_calls?.length) return message.content;
      for (const { function: call } of message.tool_calls) {
        run.toolCalls += 1;
        const content =
          call.name === recall?.name
            ? await recall.run(call.arguments, undefined as never)
            : runTool(call.name, call.arguments);
        messages.push({ role: 'tool', tool_name: call.name, content });
      }
    }
  });
}

function functionOf({ name, description, parameters }: ReturnType<typeof recallTool>) {
  return { name, description, parameters };
}

function messageOf({ prompt, image }: Task): Message {
  return { role: 'user', content: prompt, ...(image !== undefined && { images: [image] }) };
}
