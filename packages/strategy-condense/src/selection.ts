/** Of one source a summary looks at no more lines than this. */
export const mostOfOne = 60;

/** The first and the last of some lines, at most so many together. */
export function ends<Value>(values: readonly Value[], most: number): readonly Value[] {
  if (values.length <= most) return values;
  const tail = Math.floor(most / 2);
  return [...values.slice(0, most - tail), ...values.slice(values.length - tail)];
}

/** At most so many: if there are more, the first third of that number, and the newest. */
export function firstAndNewest<Value>(values: readonly Value[], most: number): readonly Value[] {
  if (values.length <= most) return values;
  return [...values.slice(0, Math.floor(most / 3)), ...values.slice(-Math.ceil((most * 2) / 3))];
}
