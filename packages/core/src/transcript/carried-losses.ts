import { isFields } from '../base/native.js';
import type { NativeLoss } from './codec.js';
import type { Message } from './message.js';

/**
 * What is lost when another codec writes a message: the fields that only the original native object holds. The codec
 * that read the message lists their places in `native.carries`, such as `content[0].cache_control`.
 */
export function carriedLosses({ native }: Message, index: number, codec: string): NativeLoss[] {
  if (!isFields(native) || native.codec === codec || !Array.isArray(native.carries)) return [];
  return native.carries.map(String).map((place) => ({ index, place, what: place.replace(/^.*\./s, '') }));
}
