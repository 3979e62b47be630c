import { type Fields, isFields, isOverflowError, overflowKind } from '@ctx/core/codec';

/** The reason with which models stop when their window is full. */
const fullWindow = /context_window_exceeded/i;
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
  if (!isFields(value)) return undefined;
  const { error, type = name, message, response, base_resp } = value;
  const failure =
    error ??
    (type === 'response.failed' && isFields(response) ? response.error : undefined) ??
    (type === 'error' || type === 'exception' ? message : undefined) ??
    base_resp;
  if (failure !== undefined && failure !== null)
    return overflowKind({ error: failure }) === undefined ? undefined : { error: failure };
  const stop = stopReasonsOf(value).find((reason) => typeof reason === 'string' && fullWindow.test(reason));
  return stop === undefined ? undefined : { error: { code: stop } };
}

/** The same for an overflow that a smaller request helps. */
export function lateOverflowIn(value: unknown, name?: string): unknown {
  const overflow = overflowIn(value, name);
  return isOverflowError(overflow) ? overflow : undefined;
}

function stopReasonsOf(value: Fields): unknown[] {
  const { stop_reason, stopReason, delta, choices, message, messageStop } = value;
  const inside = [delta, message, messageStop, ...(Array.isArray(choices) ? choices : [])].filter(isFields);
  return [
    stop_reason,
    stopReason,
    ...inside.flatMap((one) => [one.stop_reason, one.stopReason, one.finish_reason]),
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
