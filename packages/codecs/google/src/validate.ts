import { isFields, malformed, type NativeViolation, violationsOf } from '@ctx/core/codec';
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
  const unread = [
    ...systemForm(system),
    ...all.flatMap((content, index) =>
      malformed(index, () => decode(content, `contents[${index}]`, index, new OpenCalls())),
    ),
  ];
  if (unread.length > 0) return unread;
  const checked = { model: typeof model === 'string' ? model : '', contents: all.map(checkedContent) };
  return violationsOf(rules, checked);
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
  return malformed(-1, () => slotsOf(origin, 'system', 'systemInstruction'));
}
