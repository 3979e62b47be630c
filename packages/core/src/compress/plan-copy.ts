import { CtxError, preview } from '../base/errors.js';
import { plainCopy } from '../base/json.js';
import { isFields } from '../base/native.js';
import type { Plan } from '../view/strategy.js';

/** Leaves room for an explanation of every line in a large excerpt, in characters. */
const maxNotesCharacters = 10_000_000;

/** More than a sentence or two, in characters; every record repeats what a strategy says of its plan. */
const maxSaidCharacters = 1000;

/**
 * Copies what a strategy returned, reading each field once, so that a record can be written whatever it was. Its edits are
 * copied when they are judged. The state stays as it is, because no record holds it.
 * @throws CtxError `plan-invalid`
 */
export function planCopy(returned: unknown, strategy: string): Plan {
  if (!isFields(returned)) throw invalidPlan(strategy, 'returned no plan', 'plan', returned);
  const { edits, chosen, reason, notes, state, finish, targetTokens } = returned as Partial<
    Record<keyof Plan, unknown>
  >;
  if (!Array.isArray(edits)) throw invalidPlan(strategy, 'returned no plan', 'plan.edits', returned);
  if (targetTokens !== undefined && typeof targetTokens !== 'number')
    throw invalidPlan(strategy, 'returned a target that is not a number', 'plan.targetTokens', targetTokens);
  return {
    edits: [...edits],
    ...(chosen !== undefined && { chosen: said(chosen) }),
    ...(reason !== undefined && { reason: said(reason) }),
    ...(notes !== undefined && { notes: plainNotes(notes) }),
    ...(state !== undefined && { state: state as NonNullable<Plan['state']> }),
    ...(typeof finish === 'function' && { finish: finish as NonNullable<Plan['finish']> }),
    ...(targetTokens !== undefined && { targetTokens }),
  };
}

/** Copies the notes of a strategy or a port as plain data for the record. */
export function plainNotes(notes: unknown): Readonly<Record<string, unknown>> {
  const copy = plainCopy(notes, maxNotesCharacters);
  return isFields(copy) ? copy : { text: copy };
}

function said(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxSaidCharacters) : preview(value);
}

function invalidPlan(strategy: string, problem: string, place: string, value: unknown): CtxError {
  return new CtxError({
    code: 'plan-invalid',
    problem: `Strategy "${strategy}" ${problem}`,
    place,
    value: preview(value),
    remedy: 'A plan is { edits: [...] }, with edits such as { type: "drop", messages: [id], reason: "…" }.',
  });
}
