/** What codecs and adapters are written with: native values that nobody has checked yet, what a form has no place for, and errors of providers. */

export { jsonOf, jsonOrText, refuseTooDeep } from './base/depth.js';
export { equal } from './base/equal.js';
export { numberText, parseJson, stringifyJson } from './base/exact-json.js';
export { eachChild, openBrace, openBracket, skipSpace, skipValue } from './base/json-text.js';
export {
  createdAt,
  type Fields,
  fieldsOf,
  isFields,
  nameAt,
  nativeInvalid,
  stringAt,
} from './base/native.js';
export { fillsWindow, isOverflowError, type OverflowKind, overflowKind } from './budget/overflow.js';
export { type OverflowFigures, overflowFigures } from './budget/overflow-figures.js';
export { CallIds, CallNames, isMadeUpId } from './transcript/call-ids.js';
export {
  type DecodeContext,
  type NativeHistory,
  type NativeLoss,
  type NativeViolation,
  ofMessages,
} from './transcript/codec.js';
export { codecThrough } from './transcript/codec-through.js';
export { saidParts } from './transcript/message.js';
export {
  type Finding,
  malformed,
  pairRules,
  type Rules,
  repeated,
  violationsOf,
} from './transcript/native-rules.js';
export { isClosing } from './transcript/open-calls.js';
export { resultsInPlace } from './transcript/results-in-place.js';
export { SlotCodec, sourcesOf } from './transcript/slot-codec.js';
export type { Draft, Slot } from './transcript/slot-form.js';
