import { type ChatRequest, type ChatResponse, type Message, Ollama } from 'ollama';
import { type Agent, type AgentOptions, systemPrompt } from './agent.js';
import { functionTool, toolLoop } from './tool-loop.js';

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
  return toolLoop<Message>(options, [{ role: 'system', content: systemPrompt }], {
    said: ({ prompt, image }) => ({ role: 'user', content: prompt, ...(image && { images: [image] }) }),
    async ask(messages, offered) {
      const tools = offered.map(functionTool);
      const { message } = await ask(client, { model: 'qwen3', think: true, messages, tools, ...more });
      const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: input } }) => ({
        name,
        input,
      }));
      return { entry: message, calls, text: message.content };
    },
    results: (answered) =>
      answered.map(({ name, output }) => ({ role: 'tool', tool_name: name, content: output })),
  });
}
