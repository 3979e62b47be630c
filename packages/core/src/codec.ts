/** What codecs are written with: native values that nobody has checked yet, and what a form has no place for. */

export { isTooDeep, jsonOf, tooDeep } from './base/depth.js';
export { equal } from './base/equal.js';
export {
  createdAt,
  type Fields,
  fieldsOf,
  isFields,
  nameAt,
  nativeInvalid,
  otherFields,
  stringAt,
} from './base/native.js';
export { carriedLosses } from './transcript/carried-losses.js';
export type { DecodeContext, NativeHistory, NativeLoss, NativeViolation } from './transcript/codec.js';
export { nativeGroups } from './transcript/native-groups.js';
export { isClosing } from './transcript/open-calls.js';
export { sourcesOf } from './transcript/source-parts.js';
