import type { ArchivedMessage } from '../transcript/archive.js';
import { type Message, partsOf, type ToolCallPart, toolCallsOf } from '../transcript/message.js';
import type { Transcript, TranscriptMessage } from '../transcript/transcript.js';

/** A message in the form of the archive; undefined if there is none. */
export function archivedMessage(transcript: Transcript, number: number): ArchivedMessage | undefined {
  const said = transcript.at(number - 1);
  if (said === undefined) return undefined;
  const { message, createdAt = 0 } = said;
  return { number, message, calls: callsBefore(transcript, said), time: createdAt };
}

/** The calls that the results of a message answer. */
function callsBefore(transcript: Transcript, { message, index }: TranscriptMessage): readonly ToolCallPart[] {
  if (message.role !== 'tool') return [];
  let caller = transcript.at(index - 1);
  while (caller?.message.role === 'tool') caller = transcript.at(caller.index - 1);
  const answered = new Set(
    partsOf(message).flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
  );
  return caller === undefined
    ? []
    : toolCallsOf(caller.message).filter(({ toolCallId }) => answered.has(toolCallId));
}

/** False for system prompts, which stay in the view, and for what a recall gave back, which is archived already. */
export function isKept(message: Message, recallTool: string | undefined): boolean {
  if (message.role === 'system') return false;
  if (recallTool === undefined || typeof message.content === 'string') return true;
  return !message.content.every(
    (part) => (part.type === 'tool-result' || part.type === 'tool-call') && part.toolName === recallTool,
  );
}
