import { systemText, told, turnsOf } from './turns.js';
import { asLines, type SessionWriter, timeOf, uuidOf } from './writing.js';

interface Event {
  readonly type: string;
  readonly timestamp?: string | undefined;
  readonly data: unknown;
}

/** Events of Copilot CLI. */
export const writeCopilot: SessionWriter = ({ id, messages, model }) => {
  const system = systemText(messages);
  const events = turnsOf(messages.filter(({ role }) => role !== 'system')).flatMap((turn): Event[] => {
    const { message, calls, results, text, reasoning } = turn;
    const timestamp = timeOf(message);
    if (message.role !== 'assistant') return [{ type: 'user.message', timestamp, data: { content: text } }];
    const toolRequests = calls.map(({ toolCallId, toolName, input }) => ({
      toolCallId,
      name: toolName,
      arguments: input,
      type: 'function',
    }));
    const data = {
      model,
      content: text,
      ...(reasoning !== '' && { reasoningText: reasoning }),
      toolRequests,
    };
    return [
      { type: 'assistant.message', timestamp, data },
      ...[...results.values()].map((result) => {
        const { text: content, isError } = told(result);
        const outcome = isError ? { error: { message: content } } : { result: { content } };
        const { toolCallId, toolName } = result;
        return {
          type: 'tool.execution_complete',
          timestamp,
          data: { toolCallId, toolName, success: !isError, ...outcome },
        };
      }),
    ];
  });
  const head: Event[] = [
    { type: 'session.start', data: { sessionId: id, selectedModel: model } },
    ...(system === undefined ? [] : [{ type: 'system.message', data: { role: 'system', content: system } }]),
  ];
  return asLines(
    [...head, ...events].map((event, index) => ({
      ...event,
      id: uuidOf(id, index),
      parentId: index === 0 ? null : uuidOf(id, index - 1),
    })),
  );
};
