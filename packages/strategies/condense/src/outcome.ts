import { filesOf, isErrorResult, outputText, type ToolCallPart, type ToolResultPart } from '@ctx/core';
import { fileReadTools, fileWriteTools, jsonText, terminalTools } from '@ctx/core/kit';

/** In characters: enough for the message of an error, without the trace that follows it. */
const longestError = 300;
/** Common forms of error messages, not specific to one language or agent. */
const errorLine = new RegExp(
  [
    String.raw`^\s*(?:\S{1,200}?:(?:\d+(?::\d+)?:?)?\s+)?(?:fatal |uncaught )?(?:error|exception|panic|traceback)\b\s*(?:\[|:|\(|[A-Z]+\d)`,
    String.raw`^\s*(?:Uncaught |Caused by: |E\s+)?(?:[\w.]{1,200}\.)?\w{0,60}(?:Error|Exception)\b:?(?:\s|$)`,
    String.raw`^\s*(?:FAILED|FAIL)\b`,
    String.raw`\bexit(?:ed)?(?: with)? (?:code|status):? [1-9]`,
  ].join('|'),
  'i',
);

/** The outcome of a tool call, as its result shows it. */
export interface Outcome {
  /** A key that is equal for calls of the same tool for the same thing. */
  readonly about: string;
  /** The line that says what went wrong; undefined if the call succeeded. */
  readonly error: string | undefined;
  /** Whether the tool itself reported a failure. */
  readonly isError: boolean;
  readonly command: string | undefined;
  readonly written: readonly string[];
  readonly read: readonly string[];
  /** The text that the tool returned. */
  readonly text: () => string;
}

/** Reads the result of a call. */
export function outcomeOf(call: ToolCallPart, result: ToolResultPart): Outcome {
  const [written, read] = [filesOf(call, fileWriteTools), filesOf(call, fileReadTools)];
  const command = commandOf(call);
  const text = outputText(result.output);
  const error = errorOf(result, text, read.length > 0 ? /^\s*Error:/ : errorLine);
  return {
    about: `${call.toolName}\n${written[0] ?? read[0] ?? command ?? jsonText(call.input)}`,
    error,
    isError: isErrorResult(result),
    command,
    written,
    read,
    text: () => outputText(result.output),
  };
}

function commandOf({ toolName, input }: ToolCallPart): string | undefined {
  if (!terminalTools.includes(toolName) || typeof input !== 'object' || input === null) return undefined;
  const { command, cmd } = input as { command?: unknown; cmd?: unknown };
  const text = command ?? cmd;
  if (Array.isArray(text)) return text.join(' ');
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, longestError) : undefined;
}

/** The line of a result that reports an error; undefined if there is none. The caller's pattern is stricter for file contents. */
function errorOf(result: ToolResultPart, text: string, pattern: RegExp): string | undefined {
  const lines = text.slice(0, 200_000).split('\n');
  const line = lines.find((one) => one.length < 2000 && pattern.test(one.slice(0, 400)));
  if (!isErrorResult(result) && line === undefined) return undefined;
  const said = (line ?? lines.find((one) => one.trim() !== '') ?? 'failed').trim();
  return said.slice(0, longestError);
}
