import { type Fields, isFields, overflowKind } from '@ctx/core/codec';
import { listOf } from './hidden/answer-form.js';

/** The reason with which models stop when their window is full. */
const fullWindow = /context_?(window|length)_?(exceeded|full|limit)|max_context/i;
/** Events of a stream in which the model has said nothing yet. */
const silentEvents = [
  'ping',
  'message_start',
  'content_block_stop',
  'response.created',
  'response.in_progress',
  'response.queued',
];

/**
 * The overflow that an answer or an event of a stream reports, although its status says that all went well: an error, or that the model has
 * stopped because the window is full. `undefined` if it reports none.
 * @param name of the event
 */
export function overflowIn(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => overflowIn(one, name)).find(Boolean);
  if (!isFields(value)) return undefined;
  const error = failureIn(value, name);
  if (error !== undefined) return overflowKind({ error }) === undefined ? undefined : { error };
  const stop = stopReasonsOf(value).find((reason) => typeof reason === 'string' && fullWindow.test(reason));
  return stop === undefined ? undefined : { error: { code: stop } };
}

/** The error in an answer: under a name for it, in a choice, or the whole of what has no type and says that it is one. */
function failureIn(value: Fields, name: string | undefined): unknown {
  const { error, type = name, response, choices } = value;
  if (error !== undefined && error !== null && error !== true) return error;
  if (type === 'response.failed') return isFields(response) ? response.error : undefined;
  const inChoice = listOf(choices).find((one) => isFields(one.error));
  if (inChoice !== undefined) return inChoice.error;
  if (isFields(value.data) && isFields(value.data.error)) return value.data.error;
  if (![undefined, 'error', 'exception'].includes(type as string | undefined)) return undefined;
  // What the model says is a message with a role.
  const isError = typeof value.message === 'string' || Object.keys(value).some((key) => errorField.test(key));
  return isError ? value : undefined;
}

const errorField = /^(?:msg|error_msg|errorMessage|detail|errors|base_resp|header|Response)$/;

/** Why an answer or a part of it ended, in the words of any of the APIs. */
export function stopReasonsOf(value: Fields): unknown[] {
  const { stop_reason, stopReason, done_reason, delta, choices, candidates, message, messageStop } = value;
  const { incomplete_details: incomplete } = isFields(value.response) ? value.response : value;
  const inside = [delta, message, messageStop, incomplete, ...listOf(choices), ...listOf(candidates)];
  return [
    stop_reason,
    stopReason,
    done_reason,
    ...listOf(inside).flatMap((one) => [
      one.stop_reason,
      one.stopReason,
      one.finish_reason,
      one.finishReason,
      one.reason,
    ]),
  ];
}

/** True for an event with which a stream begins before the model says anything. */
export function saysNothing(value: unknown, name: string | undefined): boolean {
  if (!isFields(value)) return false;
  const { type = name, choices, content_block } = value;
  if (silentEvents.includes(String(type))) return true;
  // Converse begins with the role and padding.
  if (Object.keys(value).every((key) => key === 'role' || key === 'p')) return true;
  if (type === 'content_block_start')
    return isFields(content_block) && [content_block.text, content_block.thinking].includes('');
  return Array.isArray(choices) && choices.length > 0 && choices.every(isSilentChoice);
}

function isSilentChoice(choice: unknown): boolean {
  if (!isFields(choice) || !isFields(choice.delta)) return false;
  const { role: _, ...said } = choice.delta;
  const isEmpty = Object.values(said).every((one) => one === '' || one === null || one === undefined);
  return isEmpty && (choice.finish_reason ?? undefined) === undefined;
}
