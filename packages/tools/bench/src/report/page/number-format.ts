const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** 12345 → `12,345`. */
export function formatWhole(value: number): string {
  return whole.format(value);
}

/** 1234 → `1.2k`, 32000 → `32k`: for axes. */
export function formatShort(value: number): string {
  if (Math.abs(value) < 1000) return whole.format(value);
  const [amount, unit] = Math.abs(value) < 1_000_000 ? [value / 1000, 'k'] : [value / 1_000_000, 'M'];
  return `${Number(amount.toFixed(1))}${unit}`;
}

/** 0.1234 → `12.3 %`. */
export function formatShare(value: number): string {
  return `${Number((value * 100).toFixed(1))} %`;
}
