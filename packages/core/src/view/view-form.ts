import type { Message, MessageId } from '../transcript/message.js';
import type { Transcript } from '../transcript/transcript.js';
import { mergedMessage } from './edited-message.js';
import { Origins } from './origins.js';
import { arrival, entryOf, View } from './view.js';
import { type CountMessage, type Dropped, entryWith, type Presenter, type ViewEntry } from './view-entry.js';

/** First and last position of a run in the transcript. */
type Range = readonly [number, number];

/** A message that edits have changed, by its position in the transcript. */
interface EditedForm {
  readonly index: number;
  readonly version: string;
  readonly message: Message;
}

/** A message that stands for several others. */
interface MergedForm {
  readonly id: MessageId;
  readonly text: string;
  readonly version?: string | undefined;
  readonly origins: readonly Range[];
  /** Number of its exchange; missing in older snapshots. */
  readonly exchange?: number | undefined;
}

/** A view as plain JSON, for a snapshot. Unedited messages are stored as ranges. */
export type ViewForm = readonly (Range | EditedForm | MergedForm)[];

/** The form of a view, limited to the first `length` messages of the transcript. */
export function viewForm(view: View, length: number): ViewForm {
  const form: (Range | EditedForm | MergedForm)[] = [];
  for (const entry of view.entries) {
    const { id, message, version, origins, exchange } = entry;
    const { lowest } = origins;
    if (lowest >= length) continue;
    const last = form.at(-1);
    if (!origins.isOnly(id))
      form.push({
        id,
        text: String(message.content),
        version,
        origins: origins.ranges(),
        exchange,
      });
    else if (version !== undefined && version !== arrival) form.push({ index: lowest, version, message });
    else if (isRange(last) && last[1] === lowest - 1) form[form.length - 1] = [last[0], lowest];
    else form.push([lowest, lowest]);
  }
  return form;
}

function isRange(one: Range | EditedForm | MergedForm | undefined): one is Range {
  return Array.isArray(one);
}

/** Restores a view from its form; undefined if the form names an unknown message, or one message twice. */
export function viewOfForm(
  form: ViewForm,
  length: number,
  {
    transcript,
    presenter,
    count,
  }: { readonly transcript: Transcript; readonly presenter: Presenter; readonly count: CountMessage },
): View | undefined {
  const entries: ViewEntry[] = [];
  const taken: Range[] = [];
  for (const one of form) {
    const ranges = isRange(one) ? [one] : 'index' in one ? [[one.index, one.index] as const] : one.origins;
    taken.push(...ranges);
    const said = ranges.flatMap(([from, to]) => transcript.messages.slice(from, to + 1));
    if (isRange(one)) {
      if (said.length !== one[1] - one[0] + 1) return undefined;
      entries.push(...said.map((some) => entryOf(some, count)));
      continue;
    }
    const message = 'index' in one ? one.message : mergedMessage(one.text);
    const [first] = said;
    if ('index' in one) {
      if (first === undefined) return undefined;
      entries.push(entryWith({ ...first, origins: Origins.of(first) }, message, one.version, count));
      continue;
    }
    const exchange = one.exchange ?? first?.exchange;
    if (exchange === undefined) return undefined;
    const place = { id: one.id, exchange, origins: Origins.merged(said.map(Origins.of)) };
    entries.push(entryWith(place, message, one.version, count));
  }
  const dropped = droppedBeside(taken, length);
  return dropped && View.of(entries, dropped, presenter);
}

/** What is in none of the ranges; undefined if a message is in two of them or does not exist. */
function droppedBeside(ranges: Range[], length: number): Dropped | undefined {
  let [count, next] = [0, 0];
  let first: number | undefined;
  let last: number | undefined;
  for (const [from, to] of [...ranges.sort(([a], [b]) => a - b), [length, length] as const]) {
    if (!(from >= next && to >= from && from <= length && (from + to) % 1 === 0)) return undefined;
    if (from > next) {
      first ??= next;
      last = from - 1;
      count += from - next;
    }
    next = to + 1;
  }
  return { count, first, last };
}
