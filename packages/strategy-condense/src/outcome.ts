import { isErrorResult, jsonText, outputText, type ToolCallPart, type ToolResultPart } from '@ctx/core';
import { fileReadTools, filesOf, fileWriteTools, terminalTools } from '@ctx/core/kit';
import { Lines } from './lines.js';
import { passagesIn } from './passages.js';

/** Characters: the message of an error, without the trace behind it. */
const longestError = 300;
/** General forms of an error at the start of a line, of no language or agent alone. */
const errorLine = new RegExp(
  [
    String.raw`^\s*(?:\S{1,200}?:(?:\d+(?::\d+)?:?)?\s+)?(?:fatal |uncaught )?(?:error|exception|panic|traceback)\b\s*(?:\[|:|\(|[A-Z]+\d)`,
    String.raw`^\s*(?:Uncaught |Caused by: |E\s+)?(?:[\w.]{1,200}\.)?\w{0,60}(?:Error|Exception)\b:?(?:\s|$)`,
    String.raw`^\s*(?:FAILED|FAIL)\b`,
    String.raw`\bexit(?:ed)?(?: with)? (?:code|status):? [1-9]`,
  ].join('|'),
  'i',
);

/** What became of one tool call, as far as its result tells. */
export interface Outcome {
  /** Equal for calls of the same tool for the same thing. */
  readonly about: string;
  /** The line that says what went wrong; undefined if nothing did. */
  readonly error: string | undefined;
  /** The tool itself said that it failed. */
  readonly isError: boolean;
  readonly command: string | undefined;
  readonly written: readonly string[];
  readonly read: readonly string[];
  /** What the tool returned, as it came. */
  readonly text: () => string;
  /** The same in passages of a few lines; none for an error. */
  readonly passages: Lines;
}

/** Reads what a tool returned for a call. */
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
    passages: new Lines(() => (error === undefined ? passagesIn(outputText(result.output)) : [])),
  };
}

function commandOf({ toolName, input }: ToolCallPart): string | undefined {
  if (!terminalTools.includes(toolName) || typeof input !== 'object' || input === null) return undefined;
  const { command, cmd } = input as { command?: unknown; cmd?: unknown };
  const text = command ?? cmd;
  if (Array.isArray(text)) return text.join(' ');
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, longestError) : undefined;
}

/** What a file holds is no error, whatever it says. */
function errorOf(result: ToolResultPart, text: string, pattern: RegExp): string | undefined {
  const lines = text.slice(0, 200_000).split('\n');
  const line = lines.find((one) => one.length < 2000 && pattern.test(one.slice(0, 400)));
  if (!isErrorResult(result) && line === undefined) return undefined;
  const said = (line ?? lines.find((one) => one.trim() !== '') ?? 'failed').trim();
  return said.slice(0, longestError);
}
