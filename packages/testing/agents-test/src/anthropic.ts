import Anthropic from '@anthropic-ai/sdk';
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { recallTool } from '@ctx/recall';
import { type Agent, runTasks, systemPrompt, type Task } from './agent.js';
import { runTool, tools } from './tools.js';

const declared = tools.map(({ name, description, schema }) => ({
  name,
  description,
  input_schema: { ...schema },
}));
const mark = { cache_control: { type: 'ephemeral' as const } };

/** Anthropic's SDK with thinking, and breakpoints of the prompt cache on the system prompt and the newest message. */
export const anthropic: Agent = (options) => anthropicAgent(options, false);

/** The same, streamed. */
export const anthropicStreamed: Agent = (options) => anthropicAgent(options, true);

function anthropicAgent(options: Parameters<Agent>[0], streams: boolean) {
  const { baseURL, fetch } = options;
  const client = new Anthropic({ apiKey: 'sk-test', baseURL, ...(fetch && { fetch }) });
  const messages: MessageParam[] = [];
  const recall = options.recall && recallTool(options.recall);
  const offered = recall === undefined ? declared : [...declared, messagesTool(recall)];
  const ask = () => {
    const request = {
      model: 'claude-sonnet-5-5',
      max_tokens: 4096,
      thinking: { type: 'adaptive' as const },
      system: [{ type: 'text' as const, text: systemPrompt, ...mark }],
      tools: offered,
      messages: withMark(messages),
    };
    return streams ? client.messages.stream(request).finalMessage() : client.messages.create(request);
  };
  return runTasks(options, async (task, run) => {
    run.history = messages;
    messages.push({ role: 'user', content: contentOf(task) });
    for (;;) {
      const { content } = await ask();
      messages.push({ role: 'assistant', content });
      const calls = content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0)
        return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      run.toolCalls += calls.length;
      const results: ContentBlockParam[] = [];
      for (const call of calls) {
        const { id, name, input } = call;
        const content = name === recall?.name ? await recall.run(input) : runTool(name, input);
        results.push({ type: 'tool_result', tool_use_id: id, content });
      }
      messages.push({ role: 'user', content: results });
    }
  });
}

/** The recall tool as the Messages API wants it. */
function messagesTool({ name, description, parameters }: ReturnType<typeof recallTool>) {
  return { name, description, input_schema: { ...parameters } };
}

/** The newest message with a breakpoint on its last block; the others as they are. */
function withMark(messages: readonly MessageParam[]): MessageParam[] {
  return messages.map((message, index) => {
    if (index < messages.length - 1 || typeof message.content === 'string') return message;
    const content = message.content.map((block, at, { length }) =>
      at < length - 1 ? block : ({ ...block, ...mark } as ContentBlockParam),
    );
    return { ...message, content } as MessageParam;
  });
}

function contentOf({ prompt, image }: Task): ContentBlockParam[] {
  const text = { type: 'text' as const, text: prompt };
  if (image === undefined) return [text];
  return [text, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }];
}
