import { InvalidArgumentError } from 'commander';

/** What a compression is to reach: a share of the tokens, 0–1, or a number of them. */
export type Target = { readonly share: number } | { readonly tokens: number };

const multiples: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

/** `200000`, `200k` or `1m`. */
export function tokensFrom(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.replaceAll(/[,_]/g, '')) ?? [];
  const tokens = Math.round(Number(digits) * (multiples[unit.toLowerCase()] ?? 1));
  if (digits === '' || tokens < 1)
    throw new InvalidArgumentError('Give a number of tokens: 200000, 200k or 1m.');
  return tokens;
}

/** `25%` of the tokens, or a number of them as `tokensFrom` takes it. */
export function targetFrom(text: string): Target {
  const [, percent] = /^(\d+(?:\.\d+)?)\s?%$/.exec(text) ?? [];
  if (percent === undefined) {
    try {
      return { tokens: tokensFrom(text) };
    } catch {
      throw new InvalidArgumentError('Give a share of the tokens or a number of them: 25%, 30000 or 30k.');
    }
  }
  const share = Number(percent) / 100;
  if (share <= 0 || share > 1) throw new InvalidArgumentError('Give a share from 1% to 100%.');
  return { share };
}

/** A whole number from 1. */
export function positionFrom(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(text);
}

/** Names with commas between them. */
export function namesFrom(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new InvalidArgumentError('Give names with commas between them.');
  return names;
}
