import { isFields } from '../base/native.js';
import type { NativeLoss } from './codec.js';
import type { Message } from './message.js';

/**
 * The fields that only the native object of another codec holds, as that codec noted them in `native.carries`: places such as
 * `content[0].cache_control`.
 */
export function carriedLosses({ native }: Message, index: number, codec: string): NativeLoss[] {
  if (!isFields(native) || native.codec === codec || !Array.isArray(native.carries)) return [];
  return native.carries.map(String).map((place) => ({ index, place, what: place.replace(/^.*\./s, '') }));
}
