import type { AnthropicConversation, NativeMessage } from '@ctx/codec-anthropic';
import type { ChatMessage } from '@ctx/codec-openai';
import type { Entry } from './play.js';

/** A session as messages of OpenAI's Chat Completions API. */
export function toOpenai(system: string, entries: readonly Entry[]): ChatMessage[] {
  const messages = entries.flatMap((entry): ChatMessage[] => {
    if (entry.role === 'user') return [{ role: 'user', content: entry.text }];
    if (entry.calls.length === 0) return [{ role: 'assistant', content: entry.text }];
    const tool_calls = entry.calls.map(({ id, tool, input }) => ({
      id: `call_${id}`,
      type: 'function' as const,
      function: { name: tool, arguments: JSON.stringify(input) },
    }));
    return [
      { role: 'assistant', content: entry.text === '' ? null : entry.text, tool_calls },
      ...entry.calls.map(
        ({ id, output }): ChatMessage => ({
          role: 'tool',
          tool_call_id: `call_${id}`,
          content: output,
        }),
      ),
    ];
  });
  return [{ role: 'system', content: system }, ...messages];
}

/** A session as a conversation with Anthropic's Messages API. */
export function toAnthropic(system: string, entries: readonly Entry[]): AnthropicConversation {
  const messages = entries.flatMap((entry): NativeMessage[] => {
    if (entry.role === 'user') return [{ role: 'user', content: entry.text }];
    const text = entry.text === '' ? [] : [{ type: 'text' as const, text: entry.text }];
    if (entry.calls.length === 0) return [{ role: 'assistant', content: text }];
    const calls = entry.calls.map(({ id, tool, input }) => ({
      type: 'tool_use' as const,
      id: `toolu_${id}`,
      name: tool,
      input,
    }));
    const results = entry.calls.map(({ id, output, isError }) => ({
      type: 'tool_result' as const,
      tool_use_id: `toolu_${id}`,
      content: output,
      ...(isError && { is_error: true }),
    }));
    return [
      { role: 'assistant', content: [...text, ...calls] },
      { role: 'user', content: results },
    ];
  });
  return { system, messages };
}
