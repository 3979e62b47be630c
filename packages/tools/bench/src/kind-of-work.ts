import { type Message, messageText, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { fileReadTools, fileToolOf, fileWriteTools, pathsOf, terminalTools } from '@ctx/core/kit';

/**
 * What a session is about. `exploring`: a sub-agent that gets one task, reads files, changes none, and ends with a report. `service`:
 * an assistant with tools that are neither for files nor for commands, such as customer service.
 */
export type Work = 'coding' | 'exploring' | 'service' | 'conversation';

/** What the tables call each kind. */
export const workNames: Readonly<Record<Work, string>> = {
  coding: 'coding',
  exploring: 'sub-agents that explore and report',
  service: 'customer service',
  conversation: 'conversation',
};

/** Tells the kind of a session by what the agent does, so that it works for every agent's files. */
export function workOf(messages: readonly Message[]): Work {
  const calls = messages.flatMap(toolCallsOf);
  if (calls.length === 0) return 'conversation';
  if (!calls.some(isOnFiles)) return 'service';
  const tasks = messages.filter(({ role, summary }) => role === 'user' && summary !== true);
  // A terminal alone says too little: it may have changed files.
  const onlyReads = calls.some(readsFiles) && !calls.some(changesFiles);
  const explores = tasks.length === 1 && endsWithText(messages) && onlyReads;
  return explores ? 'exploring' : 'coding';
}

/** Arguments with a command, whatever the tool's name. */
const commandArguments = ['command', 'cmd'];
/** Names its files inside the text of a patch. */
const patchTool = 'apply_patch';

function isOnFiles({ toolName, input }: ToolCallPart): boolean {
  if (toolName === patchTool || terminalTools.includes(toolName)) return true;
  if (isFields(input) && commandArguments.some((name) => name in input)) return true;
  return pathsOf(input, { names: [toolName] }).length > 0;
}

function readsFiles(call: ToolCallPart): boolean {
  return fileToolOf(call, fileReadTools) !== undefined;
}

function changesFiles(call: ToolCallPart): boolean {
  return call.toolName === patchTool || fileToolOf(call, fileWriteTools) !== undefined;
}

function endsWithText(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  return last?.role === 'assistant' && toolCallsOf(last).length === 0 && messageText(last).trim() !== '';
}
