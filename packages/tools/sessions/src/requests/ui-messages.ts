import { type Fields, isFields, listIn, nameIn } from '../fields.js';

/** True for a `UIMessage` of the AI SDK: its parts have types, which those of Gemini's API have not. */
export function isUiMessage(message: Fields): boolean {
  return (
    Array.isArray(message.parts) &&
    message.parts.every((part) => isFields(part) && nameIn(part, 'type') !== undefined)
  );
}

/** A `UIMessage` as `ModelMessage`s, as `convertToModelMessages` of the SDK makes them. What is for the screen alone is left out. */
export function modelMessagesOf(message: Fields): Fields[] {
  const { role } = message;
  const parts = listIn(message.parts);
  if (role === 'system') return [{ role, content: parts.map((part) => nameIn(part, 'text') ?? '').join('') }];
  if (role !== 'assistant') return withContent({ role, content: parts.flatMap(plainPart) });
  return stepsOf(parts).flatMap((step) => {
    const calls = step.flatMap((part) => callIn(part) ?? []);
    return [
      ...withContent({ role, content: step.flatMap((part) => callIn(part)?.said ?? plainPart(part)) }),
      ...withContent({ role: 'tool', content: calls.flatMap(({ results }) => results) }),
    ];
  });
}

function withContent(message: Fields): Fields[] {
  return Array.isArray(message.content) && message.content.length === 0 ? [] : [message];
}

/** Each step is one answer of the model. */
function stepsOf(parts: readonly Fields[]): Fields[][] {
  const steps: Fields[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)?.push(part);
  }
  return steps;
}

function plainPart(part: Fields): Fields[] {
  const { type, text, reasoning, mediaType, mimeType, filename, url, data, providerMetadata } = part;
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  if (type === 'text') return text === '' ? [] : [{ type, text, ...options }];
  if (type === 'reasoning') return [{ type, text: text ?? reasoning, ...options }];
  if (type !== 'file') return [];
  return [{ type, mediaType: mediaType ?? mimeType, filename, data: url ?? data, ...options }];
}

/** A call with what a tool returned: a part `tool-NAME` or `dynamic-tool`, and `tool-invocation` of version 4. */
function callIn(part: Fields): { readonly said: Fields[]; readonly results: Fields[] } | undefined {
  const { toolInvocation, type } = part;
  const fields = isFields(toolInvocation) ? toolInvocation : part;
  const { toolCallId, state, providerExecuted, errorText } = fields;
  const isStatic = typeof type === 'string' && type.startsWith('tool-') && type !== 'tool-invocation';
  if (!isStatic && type !== 'dynamic-tool' && !isFields(toolInvocation)) return undefined;
  if (state === 'input-streaming' || state === 'partial-call') return { said: [], results: [] };
  const toolName = isStatic ? type.slice('tool-'.length) : fields.toolName;
  const input = fields.input ?? fields.args ?? fields.rawInput ?? {};
  const call = {
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    ...(providerExecuted === true && { providerExecuted }),
  };
  const output = outputOf(state, fields.output ?? fields.result, errorText);
  const results = output === undefined ? [] : [{ type: 'tool-result', toolCallId, toolName, output }];
  // The provider ran it: its result is in the answer itself.
  return providerExecuted === true ? { said: [call, ...results], results: [] } : { said: [call], results };
}

function outputOf(state: unknown, output: unknown, errorText: unknown): Fields | undefined {
  switch (state) {
    case 'output-available':
    case 'result':
      return typeof output === 'string'
        ? { type: 'text', value: output }
        : { type: 'json', value: output ?? null };
    case 'output-error':
      return { type: 'error-text', value: typeof errorText === 'string' ? errorText : '' };
    case 'output-denied':
      return { type: 'execution-denied' };
    default:
      return undefined;
  }
}
