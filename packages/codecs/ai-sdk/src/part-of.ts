import type { FilePart, ImagePart, OpaquePart, Part, TextPart } from '@ctx/core';
import { type Fields, nameAt, refuseTooDeep, stringAt } from '@ctx/core/codec';
import { fileOf, imageOf, opaque } from './content-part.js';
import { outputOf } from './output-of.js';

/** What a message does not say itself of the calls and approvals in it. */
export interface Calls {
  nameOf(toolCallId: string): string | undefined;
  /** True for a call that the provider runs and that a tool message answers. Any other that it runs stays with its result. */
  isAnswered(toolCallId: string): boolean;
  /** The call that an approval answers in place of a result; undefined where there is a result, too. */
  approvedBy(approvalId: string): string | undefined;
}

/** The core part for a native part; undefined for an approval that only a result's call needs. What does not belong in the role is opaque. */
export function partOf(native: Fields, role: string, calls: Calls, place: string): Part | undefined {
  if (role === 'tool') return answerOf(native, calls, place);
  if (role === 'assistant' && native.type === 'reasoning') return reasoningOf(native, place);
  if (role === 'assistant' && native.type === 'tool-call') {
    const call = callOf(native, place);
    return native.providerExecuted === true && !calls.isAnswered(call.toolCallId) ? opaque(native) : call;
  }
  return plainPart(native, place);
}

function answerOf(native: Fields, calls: Calls, place: string): Part | undefined {
  if (native.type === 'tool-result') return resultOf(native, calls, place);
  if (native.type !== 'tool-approval-response') return undefined;
  const approvalId = nameAt(native, 'approvalId', place, 'An approval names what it answers in approvalId.');
  const toolCallId = calls.approvedBy(approvalId);
  if (toolCallId === undefined) return undefined;
  const toolName = calls.nameOf(toolCallId) ?? 'unknown';
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'content', value: [opaque(native)] } };
}

function resultOf(native: Fields, calls: Calls, place: string): Part {
  const toolCallId = nameAt(native, 'toolCallId', place, 'A tool result names the call it answers.');
  const toolName =
    calls.nameOf(toolCallId) ?? nameAt(native, 'toolName', place, 'A tool result names its tool.');
  return { type: 'tool-result', toolCallId, toolName, output: outputOf(native.output, `${place}.output`) };
}

function callOf(native: Fields, place: string) {
  const remedy = 'A tool call is { type, toolCallId, toolName, input }.';
  refuseTooDeep(native.input, `${place}.input`);
  const toolCallId = nameAt(native, 'toolCallId', place, remedy);
  const toolName = nameAt(native, 'toolName', place, remedy);
  return { type: 'tool-call' as const, toolCallId, toolName, input: native.input };
}

/** Where its text is empty, the provider reads what it encrypted before; each has a name of its own for that. */
function reasoningOf(native: Fields, place: string): Part {
  const text = stringAt(native, 'text', place, 'A reasoning part is { type, text }.');
  const encrypted = text === '' ? encryptedIn(native.providerOptions) : undefined;
  return { type: 'reasoning', text, ...(encrypted !== undefined && { encrypted }) };
}

const encryptedNames = ['reasoningEncryptedContent', 'redactedData', 'signature', 'thoughtSignature'];

function encryptedIn(providerOptions: unknown): string | undefined {
  if (typeof providerOptions !== 'object' || providerOptions === null) return undefined;
  const values = Object.values(providerOptions).flatMap((options) =>
    encryptedNames.map((name) => (options as Fields | null)?.[name]),
  );
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** A part that a user's message may hold. */
function plainPart(native: Fields, place: string): TextPart | ImagePart | FilePart | OpaquePart {
  switch (native.type) {
    case 'text':
      return { type: 'text', text: stringAt(native, 'text', place, 'A text part is { type, text }.') };
    case 'image':
      return imageOf(native.image, native) ?? opaque(native);
    case 'file':
      return fileOf(native) ?? opaque(native);
    default:
      return opaque(native);
  }
}
