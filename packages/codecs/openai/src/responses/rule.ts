import type { Fields, Finding } from '@ctx/core/codec';

/** One finding for each item with which `check` finds a problem. */
export function each(
  items: readonly Fields[],
  check: (item: Fields, index: number) => string | undefined,
): Finding[] {
  return items.flatMap((item, index) => {
    const detail = check(item, index);
    return detail === undefined ? [] : [{ index, detail }];
  });
}
