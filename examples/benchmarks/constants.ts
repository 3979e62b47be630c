// Finds the constants in the built files of packages, and puts other numbers in their places.

/** A number in a file of constants, and another that takes its place. */
export interface Variant {
  /** The package's folder and the file in it, such as `excerpt/weights`. */
  readonly file: string;
  readonly constant: string;
  readonly value: number;
  readonly instead: number;
}

interface Constant {
  readonly name: string;
  readonly value: number;
  readonly at: number;
  readonly length: number;
}

/** Numbers that are limits: without them nothing would end, or all would be cut. They are only halved and doubled. */
const limit = /^(?:sizes|longest|shortest|most|fewest|deepest|usual)/;
/** What such a number is if it changes nothing; 0 for others. */
const neutral: readonly (readonly [RegExp, number])[] = [
  [/Weight$|^wordWorth$/, 1],
  [/Share$/, 1],
];

const opening = /^export const (\w+) = \{$/;
const single = /^export const (\w+) = ([-\d._ /]+);$/;
const field = /^ +(\w+): ([-\d._ /]+),$/;

/** Every number that is exported by itself, or as a field of an object. What is computed of others changes with them. */
export function constantsIn(code: string): Constant[] {
  const found: Constant[] = [];
  let [object, start] = ['', 0];
  for (const line of code.split('\n')) {
    object = opening.exec(line)?.[1] ?? (line === '};' ? '' : object);
    const inside = object === '' ? undefined : `${object}.`;
    const [, name, figure] = (inside === undefined ? single : field).exec(line) ?? [];
    if (name !== undefined && figure !== undefined) {
      const at = start + line.lastIndexOf(figure);
      found.push({ name: `${inside ?? ''}${name}`, value: numberOf(figure), at, length: figure.length });
    }
    start += line.length + 1;
  }
  return found;
}

/** A number as it is written: `20_000`, or `1 / 8`. */
function numberOf(figure: string): number {
  const [first = 0, ...others] = figure.split('/').map((one) => Number(one.replaceAll('_', '')));
  return others.reduce((whole, one) => whole / one, first);
}

/** Each constant of a file with what it may be instead. */
export function variantsOf(file: string, code: string, changes: readonly string[]): Variant[] {
  return constantsIn(code).flatMap(({ name: constant, value }) => {
    const round = (one: number) => (Number.isInteger(value) ? Math.max(1, Math.round(one)) : one);
    const off = neutral.find(([pattern]) => pattern.test(constant))?.[1] ?? 0;
    const others = [
      ...(changes.includes('off') && !limit.test(constant) ? [off] : []),
      ...(changes.includes('half') ? [round(value / 2)] : []),
      ...(changes.includes('double') ? [round(value * 2)] : []),
    ];
    return [...new Set(others)]
      .filter((instead) => instead !== value)
      .map((instead) => ({ file, constant, value, instead }));
  });
}

/** The code with the number of a variant in it. */
export function withVariant(code: string, { file, constant, instead }: Variant): string {
  const found = constantsIn(code).find(({ name }) => name === constant);
  if (found === undefined) throw new Error(`${constant} is not in ${file}`);
  return code.slice(0, found.at) + instead + code.slice(found.at + found.length);
}
