import type { Steps } from '../base/slices.js';
import type { ResolvedEdit } from './edit.js';
import { idsOfRuns, runsOf } from './record-runs.js';
import { type InForce, type Surroundings, viewAfter } from './record-views.js';
import { viewForm } from './view-form.js';

/**
 * Older records stay separate while the JSON of their edits is at most this long, in characters, or at most this share
 * of the transcript's text.
 */
const apartCharacters = 8_000;
const apartShare = 0.05;

/**
 * If the edits of the records outside the history have grown too large, only a view stays of the older half, and of the
 * records of the other kind that are amid it.
 * @param saidCharacters length of all texts in the transcript
 */
export function* withoutOldest<Record>(
  { oldest, steps }: InForce<Record>,
  saidCharacters: number,
  surroundings: Surroundings,
): Steps<InForce<Record>> {
  const apart = steps.filter(({ record }) => record === undefined);
  const size = apart.reduce((sum, { edits }) => sum + charactersIn(edits), 0);
  const last = apart[Math.ceil(apart.length / 2) - 1];
  if (size <= Math.max(apartCharacters, apartShare * saidCharacters) || last === undefined)
    return { oldest, steps };
  const end = steps.indexOf(last) + 1;
  const [older, newer] = [steps.slice(0, end), steps.slice(end)];
  const { transcriptLength, view } = last;
  return {
    oldest: {
      records: runsOf([...idsOfRuns(oldest?.records ?? []), ...older.map(({ id }) => id)]),
      transcriptLength,
      view:
        view ??
        viewForm(
          yield* viewAfter({ oldest, steps: older }, transcriptLength, surroundings),
          transcriptLength,
        ),
    },
    steps: newer,
  };
}

const characters = new WeakMap<object, number>();

/** Length of the edits as JSON, computed once. */
function charactersIn(edits: readonly ResolvedEdit[]): number {
  const known = characters.get(edits);
  if (known !== undefined) return known;
  const length = JSON.stringify(edits).length;
  characters.set(edits, length);
  return length;
}
