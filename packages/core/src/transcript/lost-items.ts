import type { NativeLoss } from './codec.js';
import type { Part, ToolOutput } from './message.js';

/** Something that is left out of a part, and where in the part it stands. */
export type Lost = Pick<NativeLoss, 'place' | 'what'>;

type OutputPart = Extract<ToolOutput, { readonly type: 'content' }>['value'][number];

/**
 * What is left out of the list of an output: items without a native value, and what the others have no field for.
 * @param nativesOf the native value of each item
 */
export function lostItems(
  output: ToolOutput,
  nativesOf: (items: readonly OutputPart[]) => readonly unknown[],
  lostIn: (item: OutputPart, native: unknown) => readonly Lost[] = () => [],
): Lost[] {
  if (typeof output === 'string' || output.type !== 'content') return [];
  const natives = nativesOf(output.value);
  return output.value.flatMap((item, index) => {
    const place = `output.value[${index}]`;
    const native = natives[index];
    if (native === undefined) return [{ place, what: item.type }];
    return lostIn(item, native).map((lost) => ({ place: `${place}.${lost.place}`, what: lost.what }));
  });
}

/** What a part may say besides what it is made of. */
const extras = ['mediaType', 'filename', 'encrypted'] as const;

/**
 * What a part says that the native value made of it does not.
 * @param again what that value says
 */
export function lostFields(part: Part, again: Part | undefined): Lost[] {
  const [said, kept] = [part, again] as Partial<Record<(typeof extras)[number], unknown>>[];
  return extras
    .filter((what) => said?.[what] !== undefined && said[what] !== kept?.[what])
    .map((what) => ({ place: what, what }));
}
