import { CtxError } from '@ctx/core';
import { isFields, type NativeViolation } from '@ctx/core/codec';
import type { GoogleContent, GoogleRequest } from './content.js';
import { decode } from './decode.js';
import { OpenCalls } from './open-calls.js';
import type { Native } from './origin.js';
import { type CheckedContent, rules } from './rules.js';
import { roleOf, slotsOf } from './slots.js';
import { listOf } from './system.js';

/**
 * Which rules of Gemini's API a conversation breaks; each is a reason for its status 400. The system instruction has the index -1. A
 * conversation with malformed contents only gets the violations of those. With the `model` of the request also those of that model.
 */
export function validate(conversation: GoogleRequest | readonly GoogleContent[]): NativeViolation[] {
  const request: unknown = Array.isArray(conversation) ? { contents: conversation } : conversation;
  if (!isFields(request) || !Array.isArray(request.contents))
    return [{ index: -1, rule: 'form', detail: 'A request with a list of contents was expected.' }];
  const { systemInstruction: system, contents, model } = request as Partial<GoogleRequest>;
  const all: readonly GoogleContent[] = contents ?? [];
  const malformed = [...systemForm(system), ...all.flatMap(contentForm)];
  if (malformed.length > 0) return malformed;
  const checked = { model: typeof model === 'string' ? model : '', contents: all.map(checkedContent) };
  return Object.entries(rules)
    .flatMap(([rule, check]) => check(checked).map(({ index, detail }) => ({ index, rule, detail })))
    .sort((a, b) => a.index - b.index);
}

function checkedContent(content: GoogleContent, index: number): CheckedContent {
  const parts = listOf({ ...content }, `contents[${index}]`).filter(isFields);
  return {
    isModel: roleOf(content, `contents[${index}]`) === 'assistant',
    parts,
    calls: parts.map(({ functionCall }) => functionCall).filter(isFields),
    responses: parts.map(({ functionResponse }) => functionResponse).filter(isFields),
  };
}

function systemForm(system: unknown): NativeViolation[] {
  if (system === undefined || system === null) return [];
  const origin = { message: system as Native, system: true } as const;
  return formOf(-1, () => slotsOf(origin, 'system', 'systemInstruction'));
}

function contentForm(content: GoogleContent, index: number): NativeViolation[] {
  return formOf(index, () => decode(content, `contents[${index}]`, index, new OpenCalls()));
}

/** What `toMessages` accepts is of the right form. */
function formOf(index: number, read: () => unknown): NativeViolation[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return [{ index, rule: 'form', detail: error.message }];
  }
}
