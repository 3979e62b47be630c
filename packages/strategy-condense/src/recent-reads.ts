import {
  fileReadTools,
  filesOf,
  isErrorResult,
  type NumberedMessage,
  outputText,
  type ToolCallPart,
  toolCallsOf,
} from '@ctx/core';

export interface FileRead {
  readonly paths: readonly string[];
  readonly text: string;
}

/** What was read of files, the newest read of each first. */
export function recentReads(messages: readonly NumberedMessage[]): FileRead[] {
  const calls = new Map<string, ToolCallPart>();
  const reads = new Map<string, FileRead>();
  for (const { message } of messages) {
    for (const call of toolCallsOf(message)) calls.set(call.toolCallId, call);
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      const paths = isErrorResult(part) ? [] : filesOf(calls.get(part.toolCallId), fileReadTools);
      if (paths.length === 0) continue;
      const key = paths.join('\n');
      reads.delete(key);
      reads.set(key, { paths, text: outputText(part.output) });
    }
  }
  return [...reads.values()].reverse();
}
