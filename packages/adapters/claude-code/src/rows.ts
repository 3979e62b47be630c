import {
  isErrorResult,
  type Message,
  outputText,
  type Part,
  partsOf,
  type ToolCallPart,
  toolCallsOf,
} from '@ctx/core/light';

interface Use {
  readonly tool_use_id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}
interface Result {
  readonly tool_use_id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A content block of the conversation as Claude Code gives it to a mod, and takes it back. */
export interface Row {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly toolUses: readonly Use[];
  readonly toolResults?: readonly Result[] | undefined;
  /** Names the block in Claude Code: given back, the block stays as it is, with its thinking, images and attachments. */
  readonly handle?: string | undefined;
}

/** The messages that rows make, and which rows make each of them. */
export interface Told {
  readonly messages: readonly Message[];
  readonly rowsOf: ReadonlyMap<Message, readonly Row[]>;
}

/**
 * Rows as messages. Rows of the assistant that follow each other are one message, and each answer follows its call, wherever its row is: the rows
 * of parallel calls come as call 1, call 2, answer 1, call 3 … A call without an answer gets one; an answer without a call becomes text.
 */
export function messagesOf(rows: readonly Row[]): Told {
  const rowsOf = new Map<Message, readonly Row[]>();
  const called = new Set(rows.flatMap(({ toolUses }) => toolUses.map((use) => use.tool_use_id)));
  const answers = new Map(
    rows.flatMap(({ toolResults = [] }) => toolResults.map((result) => [result.tool_use_id, result])),
  );
  /** Ids of the calls so far: a call that comes twice is left out. */
  const told = new Set<string>();
  /** Rows of the response that is being read, and its calls that no row has answered yet. */
  let response: Row[] = [];
  let open = new Set<string>();

  function endResponse(): void {
    const content = response.flatMap(contentOf);
    // Rows of a thought alone show nothing.
    if (content.length > 0) rowsOf.set({ role: 'assistant', content }, response);
    for (const part of content)
      if (part.type === 'tool-call') rowsOf.set(resultOf(part, answers.get(part.toolCallId)), []);
    response = [];
    open = new Set();
  }

  for (const row of rows) {
    const { role, toolUses, toolResults = [] } = row;
    if (isEcho(row.text)) continue;
    if (role === 'assistant') {
      // The model says nothing more in a response of which every call is answered.
      if (open.size === 0 && response.some((one) => one.toolUses.length > 0)) endResponse();
      const isTwice = toolUses.length > 0 && toolUses.every(({ tool_use_id }) => told.has(tool_use_id));
      if (!isTwice) response.push(row);
      for (const { tool_use_id } of toolUses) {
        if (!told.has(tool_use_id)) open.add(tool_use_id);
        told.add(tool_use_id);
      }
      continue;
    }
    for (const { tool_use_id } of toolResults) open.delete(tool_use_id);
    const lost = toolResults.filter(({ tool_use_id }) => !called.has(tool_use_id));
    const text = [row.text, ...lost.map((one) => `[result of a tool]\n${one.text}`)]
      .filter(Boolean)
      .join('\n');
    if (text === '' && toolResults.length > 0) continue;
    endResponse();
    const own = toolResults.length > 0 ? { role, text, toolUses: [] } : row;
    rowsOf.set({ role: 'user', content: text || '[attachment]' }, [own]);
  }
  endResponse();
  return { messages: [...rowsOf.keys()], rowsOf };
}

/** What Claude Code says of `/compact` and `/ctx` themselves. */
export function isEcho(text: string): boolean {
  return /^<(?:command-name>\/(?:compact|ctx)\b|local-command-stdout>\s*(?:Compacted|ctx:))/.test(text);
}

type Said = Extract<Part, { type: 'text' | 'tool-call' }>;

function contentOf({ text, toolUses }: Row): Said[] {
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text', text } as const]),
    ...toolUses.map(
      ({ tool_use_id, tool, input }) =>
        ({ type: 'tool-call', toolCallId: tool_use_id, toolName: tool, input }) as const,
    ),
  ];
}

function resultOf({ toolCallId, toolName }: ToolCallPart, answer: Result | undefined): Message {
  const output = answer?.text ?? '[not shown]';
  const isError = answer?.isError === true && { isError: true };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output, ...isError }] };
}

/** Ends a turn in which the user spoke before the model was done. */
export const interrupted = '[The user spoke here.]';

/**
 * Messages as the rows that Claude Code 2.1.330 takes back safely. The user's rows go by handle, because images and attachments are only behind
 * it. The assistant's go by handle after the last row of the user, because the turn that runs must keep its thinking; elsewhere a message is one
 * row, because rows by handle come twice after `--resume`. Results never go by handle: after `--resume` they bring the whole old history back.
 * What the user says right after results would continue the turn of their calls, which is refused without its thinking: a row ends that turn.
 */
export function rowsOfMessages(messages: readonly Message[], { rowsOf }: Told): Row[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const spoken = messages.findLastIndex(({ role }, at) => role !== 'user' && at < asked) + 1;
  const byCall = new Map(
    [...rowsOf].flatMap(([message]) => toolCallsOf(message).map((call) => [call.toolCallId, message])),
  );
  return messages.flatMap((message, at) => {
    if (message.role === 'tool') return at + 1 === spoken ? [rowOf(message), endOfTurn] : [rowOf(message)];
    if (message.role === 'assistant' && at <= asked) return [rowOf(message)];
    const calls = toolCallsOf(message);
    // A message of the turn that runs stays as it is, even if it was shortened: without its thought it is refused.
    const whole = rowsOf.has(message) ? message : byCall.get(calls[0]?.toolCallId ?? '');
    const rows = (whole && rowsOf.get(whole)) ?? [];
    if (whole === undefined || rows.length === 0 || rows.some(({ handle }) => handle === undefined))
      return [rowOf(message)];
    const left = toolCallsOf(whole).filter(({ toolCallId }) =>
      calls.every((call) => call.toolCallId !== toolCallId),
    );
    return [...rows, ...left.map((call) => rowOf(resultOf(call, undefined)))];
  });
}

const endOfTurn: Row = { role: 'assistant', text: interrupted, toolUses: [] };

function rowOf(message: Message): Row {
  const parts = partsOf(message);
  return {
    role: message.role === 'assistant' ? 'assistant' : 'user',
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    toolUses: parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ tool_use_id: part.toolCallId, tool: part.toolName, input: inputOf(part.input) }]
        : [],
    ),
    ...(message.role === 'tool' && {
      toolResults: message.content.map((part) => ({
        tool_use_id: part.toolCallId,
        text: outputText(part.output),
        isError: isErrorResult(part),
      })),
    }),
  };
}

function inputOf(input: unknown): Use['input'] {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {};
}

/** Rows without a change, so that Claude Code takes them back safely. The user speaks next. */
export function asTheyAre(rows: readonly Row[]): Row[] {
  const told = messagesOf(rows);
  const safe = rowsOfMessages(told.messages, told);
  const last = safe.findLast(({ role }) => role === 'assistant');
  const isOpen = last !== undefined && last.toolUses.length > 0 && last.handle === undefined;
  return isOpen && safe.at(-1)?.toolResults !== undefined ? [...safe, endOfTurn] : safe;
}
