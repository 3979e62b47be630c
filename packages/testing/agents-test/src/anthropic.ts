import Anthropic from '@anthropic-ai/sdk';
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { type Agent, connection, systemPrompt } from './agent.js';
import { toolLoop } from './tool-loop.js';

const png = 'image/png' as const;
const mark = { cache_control: { type: 'ephemeral' as const } };

/** Anthropic's SDK with thinking, and breakpoints of the prompt cache on the system prompt and the newest message. */
export const anthropicAgent =
  (streams: boolean): Agent =>
  (options) => {
    const client = new Anthropic(connection(options, ''));
    return toolLoop<MessageParam>(options, [], {
      said: ({ prompt, image: data }) => ({
        role: 'user',
        content: [
          { type: 'text', text: prompt },
          ...(data
            ? [{ type: 'image' as const, source: { type: 'base64' as const, media_type: png, data } }]
            : []),
        ],
      }),
      async ask(messages, offered) {
        const request = {
          model: 'claude-sonnet-5-5',
          max_tokens: 4096,
          thinking: { type: 'adaptive' as const },
          system: [{ type: 'text' as const, text: systemPrompt, ...mark }],
          tools: offered.map(({ name, description, schema }) => ({
            name,
            description,
            input_schema: { type: 'object' as const, ...schema },
          })),
          messages: withMark(messages),
        };
        const { content } = streams
          ? await client.messages.stream(request).finalMessage()
          : await client.messages.create(request);
        const calls = content.filter((block) => block.type === 'tool_use');
        const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        return { entry: { role: 'assistant', content }, calls, text };
      },
      results: (answered) => ({
        role: 'user',
        content: answered.map(({ id = '', output }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: output,
        })),
      }),
    });
  };

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
