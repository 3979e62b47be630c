import { CtxError } from '@ctx/core';
import type { NativeHistory, NativeViolation } from '@ctx/core/codec';
import { inputItems, placeOf } from './decode.js';
import { formRules } from './form-rules.js';
import { idRules, missingReasoning } from './id-rules.js';
import { pairRules } from './pair-rules.js';
import { slotsOf } from './slots.js';

type Input = string | readonly object[];

/**
 * Which rules of the Responses API an input breaks; each is a reason for its status 400. An input with malformed items only gets the
 * violations of those. A value that is no input has the index -1.
 * @param history with the requests before, an item is also missed that stood before another and is gone
 * @throws ValidationError `native-invalid` if an item of an earlier request is malformed
 */
export function validateInput(input: Input, { before = [] }: NativeHistory<Input> = {}): NativeViolation[] {
  const malformed = formOf(input);
  if (malformed.length > 0) return malformed;
  const items = inputItems(input);
  const found = Object.entries({ ...formRules, ...pairRules, ...idRules }).flatMap(([rule, check]) =>
    check(items).map((finding) => ({ ...finding, rule })),
  );
  const missing = missingReasoning(items, before.map(inputItems));
  return [...found, ...missing.map((finding) => ({ ...finding, rule: 'item-has-reasoning' }))]
    .map(({ index, rule, detail }) => ({ index, rule, detail }))
    .sort((a, b) => a.index - b.index);
}

/** Each item can be read, so that `toMessages` accepts it. */
function formOf(input: Input): NativeViolation[] {
  if (typeof input !== 'string' && !Array.isArray(input))
    return [{ index: -1, rule: 'form', detail: 'A text or a list of items was expected.' }];
  const items: readonly unknown[] = typeof input === 'string' ? [] : input;
  return items.flatMap((item, index) => {
    try {
      slotsOf(inputItems([item as object]), noCalls, () => placeOf(index)(0));
      return [];
    } catch (error) {
      if (!CtxError.isInstance(error)) throw error;
      return [{ index, rule: 'form', detail: error.message }];
    }
  });
}

const noCalls = { nameOf: () => undefined, callOf: () => undefined };
