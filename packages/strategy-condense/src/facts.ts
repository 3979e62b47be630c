import {
  fileReadTools,
  filesOf,
  fileWriteTools,
  isErrorResult,
  jsonText,
  type Message,
  messageText,
  outputText,
  type ToolCallPart,
  type ToolResultPart,
  terminalTools,
  toolCallsOf,
} from '@ctx/core';

/** Something of a conversation, with the position of the message that it is from, counted from 0. */
export interface Fact {
  readonly text: string;
  readonly at: number;
}

export interface ErrorFact extends Fact {
  /** The same tool was called for the same thing later, and it worked. */
  readonly resolved: boolean;
}

/** What can be told of a conversation without understanding it. */
export interface ConversationFacts {
  /** Paths, each once, the newest change or read of it. */
  readonly filesWritten: readonly Fact[];
  readonly filesRead: readonly Fact[];
  /** Commands, each once, its newest run. */
  readonly commands: readonly (Fact & { readonly ok: boolean })[];
  readonly errors: readonly ErrorFact[];
  /** Open points of the newest list. */
  readonly todos: readonly Fact[];
}

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

/** Gathers the facts of a conversation in one pass over its calls and results. */
export function factsOf(messages: readonly Message[]): ConversationFacts {
  const written = new Map<string, Fact>();
  const read = new Map<string, Fact>();
  const commands = new Map<string, Fact & { readonly ok: boolean }>();
  const errors = new Map<string, ErrorFact>();
  for (const { call, error, at } of resultsOf(messages)) {
    const about = `${call.toolName}\n${subjectOf(call)}`;
    if (error !== undefined) newest(errors, about, { text: error, at, resolved: false });
    else if (errors.has(about)) errors.set(about, { ...(errors.get(about) as ErrorFact), resolved: true });
    const command = commandOf(call);
    if (command !== undefined) newest(commands, command, { text: command, at, ok: error === undefined });
    if (error !== undefined) continue;
    for (const path of filesOf(call, fileWriteTools)) newest(written, path, { text: path, at });
    for (const path of filesOf(call, fileReadTools)) newest(read, path, { text: path, at });
  }
  return {
    filesWritten: [...written.values()],
    filesRead: [...read.values()],
    commands: [...commands.values()],
    errors: [...errors.values()],
    todos: todosOf(messages),
  };
}

/** Every tool result of a conversation with its call, and the line that says what went wrong, if anything did. */
export function resultsOf(messages: readonly Message[]) {
  return [...usesIn(messages)].map(({ call, result, at }) => {
    const isRead = filesOf(call, fileReadTools).length > 0;
    const text = outputText(result.output);
    return { call, text, at, error: errorOf(result, text, isRead ? /^\s*Error:/ : errorLine) };
  });
}

function newest<Value>(facts: Map<string, Value>, key: string, value: Value): void {
  facts.delete(key);
  facts.set(key, value);
}

function* usesIn(messages: readonly Message[]) {
  let calls = new Map<string, ToolCallPart>();
  for (const [at, message] of messages.entries()) {
    const own = toolCallsOf(message);
    if (own.length > 0) calls = new Map(own.map((call) => [call.toolCallId, call]));
    if (message.role !== 'tool') continue;
    for (const result of message.content) {
      const call = calls.get(result.toolCallId);
      if (call !== undefined) yield { call, result, at };
    }
  }
}

/** What a call is about: a path or a command, or all of its input. */
function subjectOf(call: ToolCallPart): string {
  const [path] = [...filesOf(call, fileWriteTools), ...filesOf(call, fileReadTools)];
  return path ?? commandOf(call) ?? jsonText(call.input);
}

function commandOf({ toolName, input }: ToolCallPart): string | undefined {
  if (!terminalTools.includes(toolName) || typeof input !== 'object' || input === null) return undefined;
  const { command, cmd } = input as { command?: unknown; cmd?: unknown };
  const text = command ?? cmd;
  if (Array.isArray(text)) return text.join(' ');
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, longestError) : undefined;
}

/** The line that says what went wrong; undefined where nothing did. What a file holds is no error, whatever it says. */
function errorOf(result: ToolResultPart, text: string, pattern: RegExp): string | undefined {
  const lines = text.slice(0, 200_000).split('\n');
  const line = lines.find((one) => one.length < 2000 && pattern.test(one.slice(0, 400)));
  if (!isErrorResult(result) && line === undefined) return undefined;
  const said = (line ?? lines.find((one) => one.trim() !== '') ?? 'failed').trim();
  return said.slice(0, longestError);
}

const checkbox = /^\s*[-*] \[( |x|X)\] (.+)$/;

/** Open points of the newest list: of a tool that keeps one, or of boxes that are to be ticked. */
function todosOf(messages: readonly Message[]): Fact[] {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at] as Message;
    const listed = toolCallsOf(message)
      .map(listOf)
      .find((list) => list !== undefined);
    if (listed !== undefined) return listed.map((text) => ({ text, at }));
    if (message.role === 'tool') continue;
    const boxes = messageText(message)
      .split('\n')
      .flatMap((line) => (line.length < 500 ? [checkbox.exec(line)] : []))
      .filter((match) => match !== null);
    if (boxes.length > 0)
      return boxes.filter(([, mark]) => mark === ' ').map(([, , text = '']) => ({ text, at }));
  }
  return [];
}

/** The open items of `{ todos: [{ content, status }] }` or `{ plan: [{ step, status }] }`. */
function listOf({ input }: ToolCallPart): string[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { todos, plan } = input as { todos?: unknown; plan?: unknown };
  const items = Array.isArray(todos) ? todos : plan;
  if (!Array.isArray(items)) return undefined;
  return items.flatMap((item: unknown) => {
    const { content, step, status } = (item ?? {}) as { content?: unknown; step?: unknown; status?: unknown };
    const text = content ?? step;
    return typeof text === 'string' && status !== 'completed' ? [text] : [];
  });
}
