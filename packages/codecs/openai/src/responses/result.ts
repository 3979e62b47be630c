import { isErrorResult, type Part, type ToolResultPart } from '@ctx/core';
import { equal, type Fields, isMadeUpId, type NativeLoss } from '@ctx/core/codec';
import { callForm } from './call-forms.js';
import { named } from './named-calls.js';
import { callField, type OutputForm, outputForm, outputForms } from './output-forms.js';
import { slotsOf } from './slots.js';

/** The item for a result, and what is not in it. */
interface SentResult {
  readonly items: readonly Fields[];
  /** Places in the message. */
  readonly lost: readonly Pick<NativeLoss, 'place' | 'what'>[];
}

/**
 * The item for a result. Without an old one it is of the kind that its call wants: the API refuses a `function_call_output` for a
 * `shell_call`.
 */
export function resultSent(
  part: ToolResultPart,
  place: string,
  origin: Fields | undefined,
  call: Fields | undefined,
): SentResult {
  const old = origin !== undefined && answers(origin, part) ? origin : undefined;
  const before = old === undefined ? undefined : decoded(old, part);
  if (old !== undefined && equal(part, before)) return { items: [old], lost: [] };
  const type = old === undefined ? answerTo(call) : String(old.type);
  const form = outputForms[type] as OutputForm;
  const said = before?.type === 'tool-result' ? before.output : undefined;
  const { fields, lost } = form.write(part.output, old, said);
  const made = { type, [form.ids[0] as string]: part.toolCallId, ...form.made?.(isErrorResult(part)) };
  const item = { ...(old ?? made), ...fields };
  const unsaid =
    isErrorResult(part) && form.failed?.(item) !== true ? [{ place: 'isError', what: 'isError' }] : [];
  return {
    items: [item],
    lost: [...unsaid, ...lost].map(({ place: inner, what }) => ({ place: `${place}.${inner}`, what })),
  };
}

function answerTo(call: Fields | undefined): string {
  return (call === undefined ? undefined : callForm(call)?.answeredBy) ?? 'function_call_output';
}

/** True if the item is the output of the same call. A call item's own id is not the call's id. */
function answers(item: Fields, { toolCallId }: ToolResultPart): boolean {
  const form = outputForm(item);
  const field = form && callField(item, form);
  return field === 'id' || (field !== undefined && (item[field] === toolCallId || isMadeUpId(toolCallId)));
}

/** An output does not hold the name of its call, so this compares the part itself. */
function decoded(own: Fields, { toolCallId, toolName }: ToolResultPart): Part | undefined {
  const [item] = named([own], () => (isMadeUpId(toolCallId) ? [toolCallId] : undefined)).items as [Fields];
  const calls = { nameOf: () => toolName, callOf: () => toolCallId };
  return slotsOf([item], calls, () => 'native.message[0]')[0]?.part;
}
