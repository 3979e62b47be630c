/** A summary reads at most this number of lines of one source. */
export const mostOfOne = 60;

/** At most `most` values, half from the start and half from the end. */
export function ends<Value>(values: readonly Value[], most: number): readonly Value[] {
  if (values.length <= most) return values;
  const tail = Math.floor(most / 2);
  return [...values.slice(0, most - tail), ...values.slice(values.length - tail)];
}

/** At most `most` values: if there are more, a third from the start and the rest from the end. */
export function firstAndNewest<Value>(values: readonly Value[], most: number): readonly Value[] {
  if (values.length <= most) return values;
  return [...values.slice(0, Math.floor(most / 3)), ...values.slice(-Math.ceil((most * 2) / 3))];
}
