import type { Fields } from '@ctx/core/codec';

/** An item that breaks a rule. */
export interface Finding {
  readonly index: number;
  readonly detail: string;
}

export type Rule = (items: readonly Fields[]) => Finding[];

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
