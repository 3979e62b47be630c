/**
 * Extends a digest by a text. The same texts in the same order give the same digest; others almost never do (53 bits,
 * MurmurHash mixing). It does not protect against an attacker.
 */
export function digestOf(before: number, text: string): number {
  let high = 0xdeadbeef ^ (before & 0xffffffff);
  let low = 0x41c6ce57 ^ Math.floor(before / 0x1_0000_0000);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 0x1_0000_0000 * (0x1fffff & low) + (high >>> 0);
}
