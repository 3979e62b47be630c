import type { Message, MessageId } from '../transcript/message.js';
import type { Transcript } from '../transcript/transcript.js';
import { mergedMessage } from './edited-message.js';
import { Origins } from './origins.js';
import { entryOf, View } from './view.js';
import type { CountMessage, Presenter, ViewEntry } from './view-entry.js';

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
}

/** A view as plain JSON, for a snapshot. Unedited messages are stored as ranges. */
export type ViewForm = readonly (Range | EditedForm | MergedForm)[];

/** The form of a view, limited to the first `length` messages of the transcript. */
export function viewForm(view: View, length: number): ViewForm {
  const form: (Range | EditedForm | MergedForm)[] = [];
  for (const entry of view.entries) {
    const { id, message, version, origins } = entry;
    const { lowest } = origins;
    if (lowest >= length) continue;
    const last = form.at(-1);
    if (!origins.isOnly(id))
      form.push({ id, text: String(message.content), version, origins: origins.ranges() });
    else if (version !== undefined) form.push({ index: lowest, version, message });
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
  const free = new Set(transcript.messages.slice(0, length));
  /** The messages of a range. Each message can be taken only once. */
  const take = ([from, to]: Range) => {
    const said = transcript.messages.slice(from, to + 1);
    return said.length === to - from + 1 && said.every((one) => free.delete(one)) ? said : undefined;
  };
  const entries: ViewEntry[] = [];
  for (const one of form) {
    const ranges = isRange(one) ? [one] : 'index' in one ? [[one.index, one.index] as const] : one.origins;
    const taken = ranges.map(take);
    const said = taken.flatMap((some) => some ?? []);
    const [first] = said;
    if (first === undefined || taken.includes(undefined)) return undefined;
    if (isRange(one)) {
      entries.push(...said.map((some) => entryOf(some, count)));
      continue;
    }
    const message = 'index' in one ? one.message : mergedMessage(one.text);
    const changed = { version: one.version, message, sent: message, ...count(message) };
    entries.push({
      ...entryOf(first, count),
      ...changed,
      ...('index' in one ? {} : { id: one.id, origins: Origins.merged(said.map(Origins.of)) }),
    });
  }
  const dropped = [...free];
  const [first, last] = [dropped[0]?.index, dropped.at(-1)?.index];
  return View.of(entries, { count: free.size, first, last }, presenter);
}
