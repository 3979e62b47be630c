import type { Steps } from '../base/slices.js';
import type { ResolvedEdit } from './edit.js';
import { type Surroundings, viewAfter } from './step-views.js';
import { coarsened, type Step } from './steps.js';

/**
 * Older records stay separate while the JSON of their edits is at most this long, in characters, or at most this share
 * of the transcript's text.
 */
const apartCharacters = 8_000;
const apartShare = 0.05;

/**
 * If the edits of the records outside the history have grown too large, moves the older half into a group.
 * @param saidCharacters length of all texts in the transcript
 */
export function* grouped<Record>(
  steps: readonly Step<Record>[],
  saidCharacters: number,
  surroundings: Surroundings,
): Steps<readonly Step<Record>[]> {
  const first = steps.findIndex(({ edits }) => edits !== undefined);
  const apart = steps.slice(first).filter(({ record }) => record === undefined);
  const size = apart.reduce((sum, { edits }) => sum + charactersIn(edits), 0);
  if (size <= Math.max(apartCharacters, apartShare * saidCharacters)) return steps;
  // Without all messages, only a view that was kept can stand for the records before it.
  const kept = apart.findLastIndex(({ form }) => form !== undefined) + 1;
  const end = first + (surroundings.transcript.isWhole ? Math.ceil(apart.length / 2) : kept);
  if (end === first) return steps;
  const [older, newer] = [steps.slice(0, end), steps.slice(end)];
  const { transcriptLength, form } = older[end - 1] as Step<Record>;
  const group: Step<Record> = {
    ids: older.slice(first).flatMap(({ ids }) => ids),
    transcriptLength,
    ...(form === undefined ? { after: yield* viewAfter(older, transcriptLength, surroundings) } : { form }),
  };
  return [...coarsened([...older.slice(0, first), group]), ...newer];
}

const characters = new WeakMap<object, number>();

/** Length of the edits as JSON, computed once. */
function charactersIn(edits: readonly ResolvedEdit[] = []): number {
  const known = characters.get(edits);
  if (known !== undefined) return known;
  const length = JSON.stringify(edits).length;
  characters.set(edits, length);
  return length;
}
