import { malformed, type NativeHistory, type NativeViolation, violationsOf } from '@ctx/core/codec';
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
  if (typeof input !== 'string' && !Array.isArray(input))
    return [{ index: -1, rule: 'form', detail: 'A text or a list of items was expected.' }];
  const given: readonly object[] = typeof input === 'string' ? [] : input;
  const unread = given.flatMap((item, index) =>
    // So that `toMessages` accepts it.
    malformed(index, () => slotsOf(inputItems([item]), noCalls, () => placeOf(index)(0))),
  );
  if (unread.length > 0) return unread;
  const items = inputItems(input);
  const missing = () => missingReasoning(items, before.map(inputItems));
  return violationsOf({ ...formRules, ...pairRules, ...idRules, 'item-has-reasoning': missing }, items);
}

const noCalls = { nameOf: () => undefined, callOf: () => undefined };
