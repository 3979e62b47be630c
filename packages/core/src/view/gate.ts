import { plainCopy } from '../base/json.js';
import { type Message, partsOf } from '../transcript/message.js';
import { reservedIds } from '../transcript/transcript.js';
import type { DropCallsEdit, ResolvedEdit, SummarizeEdit } from './edit.js';
import { plainEdit } from './edit-form.js';
import { mergedMessage, replacePart, withoutCalls } from './edited-message.js';
import { type ProtectionRules, protectedBecause, protectionOf } from './protection.js';
import type { InvariantName } from './validate.js';
import { Draft, mergedId, targetsOf, type View } from './view.js';
import type { CountMessage, ViewEntry } from './view-entry.js';

export interface GateRules extends ProtectionRules {
  readonly minMessagesToKeep: number;
}

/** Any strategy may shorten the newest user message where the window is crowded. */
export function crowdedRules(rules: GateRules): GateRules {
  return { ...rules, mayShortenNewestUser: true };
}

/** The last resort has one task: the view has to fit if anything may leave it. */
export function lastResortRules(rules: GateRules): GateRules {
  return { ...rules, mayShortenNewestUser: true, minMessagesToKeep: 1 };
}

/** An edit that was not applied, with the invariant it would have broken. */
export interface RejectedEdit {
  readonly edit: unknown;
  readonly invariant: InvariantName;
  readonly detail: string;
}

/** The view after those edits that keep every invariant, and the ones that do not. */
export interface Applied {
  readonly view: View;
  readonly accepted: readonly ResolvedEdit[];
  readonly rejected: readonly RejectedEdit[];
}

/**
 * Applies edits in order to a view. An edit that would break an invariant is rejected with the invariant's name, and
 * the rest still applies. Nothing given is changed.
 * @param record id of the record that the edits belong to, from which merged messages get their ids
 * @param offset number of edits that the record has already
 */
export function applyEdits(
  view: View,
  edits: readonly unknown[],
  rules: GateRules,
  count: CountMessage,
  { record, offset = 0 }: { readonly record: string; readonly offset?: number },
): Applied {
  const draft = new Draft(view, count);
  const accepted: ResolvedEdit[] = [];
  const rejected: RejectedEdit[] = [];
  for (const edit of edits) {
    const change = judge(edit, draft, rules);
    if ('invariant' in change) {
      rejected.push(change);
      continue;
    }
    applyChange(draft, change, record, offset + accepted.length);
    accepted.push(change.edit);
  }
  return { view: accepted.length === 0 ? view : draft.toView(), accepted, rejected };
}

/**
 * Applies edits that were accepted before, as when a record is undone or a snapshot restored.
 * Returns undefined when one of them names what is no longer there.
 */
export function replayEdits(
  view: View,
  edits: readonly ResolvedEdit[],
  count: CountMessage,
  record: string,
): View | undefined {
  const draft = new Draft(view, count);
  for (const [index, edit] of edits.entries()) {
    const change = findTargets(edit, draft);
    if ('invariant' in change) return undefined;
    if (splitsExchange(change, draft) !== undefined || (edit.type === 'replace' && !change.message))
      return undefined;
    applyChange(draft, change, record, index);
  }
  return draft.toView();
}

/** Why no summary of these messages could be put in their place, whatever it says: asked before a model is. */
export function judgeMerge(
  edit: SummarizeEdit,
  view: View,
  { rules, count }: { readonly rules: GateRules; readonly count: CountMessage },
): RejectedEdit | undefined {
  const { messages, placement = 'last', reason } = edit;
  const merge = { type: 'merge', messages, text: '…', placement, reason };
  const judged = judge(merge, new Draft(view, count), rules);
  return 'invariant' in judged ? { ...judged, edit } : undefined;
}

/** An edit with what it names, and for a replace and a merge the message that results. */
interface Change {
  readonly edit: ResolvedEdit;
  readonly targets: readonly ViewEntry[];
  readonly message: Message | undefined;
}

function applyChange(draft: Draft, { edit, targets, message }: Change, record: string, index: number): void {
  switch (edit.type) {
    case 'drop':
      draft.drop(targets);
      break;
    case 'drop-calls':
      draft.dropCalls(targets, edit, `${record}.${index}`);
      break;
    case 'merge':
      draft.merge(targets, edit, mergedId(record, index));
      break;
    case 'replace':
      draft.replace(targets[0] as ViewEntry, message as Message, `${record}.${index}`);
      break;
    default:
      edit satisfies never;
  }
}

function judge(value: unknown, draft: Draft, rules: GateRules): Change | RejectedEdit {
  const edit = plainEdit(value);
  if (edit === undefined) {
    return {
      edit: plainCopy(value),
      invariant: 'targets-exist',
      detail: 'not a resolved edit of the documented form',
    };
  }
  const found = findTargets(edit, draft);
  if ('invariant' in found) return found;
  for (const [invariant, check] of editInvariants) {
    const detail = check(found, draft, rules);
    if (detail !== undefined) return { edit, invariant, detail };
  }
  return found;
}

/** Invariant 6, for one edit: every target exists, and a merged message is named by its id or by all its originals. */
function findTargets(edit: ResolvedEdit, draft: Draft): Change | RejectedEdit {
  const named = new Set(targetsOf(edit));
  const targets = new Set<ViewEntry>();
  const missing = (detail: string): RejectedEdit => ({ edit, invariant: 'targets-exist', detail });
  for (const id of named) {
    const entry = draft.find(id);
    if (entry === undefined) return missing(`no message "${id}" in the view`);
    const isNamed = named.has(entry.id) || entry.id === `${reservedIds}${id}`;
    if (!isNamed && ![...entry.origins].every((origin) => named.has(origin))) {
      return missing(`"${id}" is part of "${entry.id}", which must be named as a whole`);
    }
    targets.add(entry);
  }
  return { edit, targets: [...targets], message: resultOf(edit, [...targets][0]) };
}

function resultOf(edit: ResolvedEdit, target: ViewEntry | undefined): Message | undefined {
  switch (edit.type) {
    case 'drop':
    case 'drop-calls':
      return undefined;
    case 'merge':
      return mergedMessage(edit.text);
    case 'replace':
      return target && replacePart(target.message, edit);
    default:
      return edit satisfies never;
  }
}

type EditInvariant = (change: Change, draft: Draft, rules: GateRules) => string | undefined;

/** The first of an edit's targets that one guarantee keeps as it is; a shorter text leaves a message its place. */
function touches(by: InvariantName): EditInvariant {
  return ({ edit, targets }, _draft, rules) => {
    for (const entry of targets) {
      const protection = protectionOf(entry, rules);
      if (protection?.by !== by || (edit.type === 'replace' && protection.keeps === 'place')) continue;
      return `"${entry.id}" ${protectedBecause(protection)}`;
    }
    return undefined;
  };
}

/** What a single edit can break; each says what is wrong. */
const editInvariants: readonly (readonly [InvariantName, EditInvariant])[] = [
  ['system-stays', touches('system-stays')],
  ['pinned-stays', touches('pinned-stays')],
  ['newest-user-stays', touches('newest-user-stays')],
  ['tool-pairs', touches('tool-pairs')],
  ['tool-pairs', splitsExchange],
  ['content-not-empty', contentNotEmpty],
  ['reasoning-unaltered', reasoningUnaltered],
  ['unread-stays', touches('unread-stays')],
  ['fewer-tokens', fewerTokens],
  ['min-messages', minMessages],
];

function name(entry: ViewEntry | undefined, what: string): string | undefined {
  return entry && `"${entry.id}" ${what}`;
}

/** Undefined where every call is there with its result, in one exchange, and the targets hold nothing but these. */
function partsCalls({ messages, calls }: DropCallsEdit, targets: readonly ViewEntry[]): string | undefined {
  const parts = targets.flatMap((entry) => partsOf(entry.message));
  const holds = (type: 'tool-call' | 'tool-result', id: string) =>
    parts.some((part) => part.type === type && part.toolCallId === id);
  const parted = calls.find((id) => !holds('tool-call', id) || !holds('tool-result', id));
  if (parted !== undefined)
    return `the call "${parted}" and its result are not both in ${messages.join(', ')}`;
  if (new Set(targets.map(({ exchange }) => exchange)).size > 1)
    return 'the messages are of several exchanges';
  const idle = targets.find(({ message }) => withoutCalls(message, calls) === message);
  return name(idle, 'holds none of the calls');
}

function splitsExchange({ edit, targets }: Change, draft: Draft): string | undefined {
  if (edit.type === 'replace') return undefined;
  if (edit.type === 'drop-calls') return partsCalls(edit, targets);
  const sizes = new Map<number, number>();
  for (const { exchange } of targets) sizes.set(exchange, (sizes.get(exchange) ?? 0) + 1);
  const split = targets.find(({ exchange }) => sizes.get(exchange) !== draft.exchangeSize(exchange));
  return name(split, 'would be parted from its tool call or result');
}

function reasoningUnaltered({ edit, targets, message }: Change): string | undefined {
  if (edit.type === 'drop-calls') {
    const thinks = targets.find(
      (entry) => partsOf(withoutCalls(entry.message, edit.calls)).at(-1)?.type === 'reasoning',
    );
    return name(thinks, 'would end in a thought that led to a call');
  }
  if (edit.type !== 'replace' || message !== undefined) return undefined;
  return `part ${edit.part} of "${edit.message}" cannot be replaced by this text`;
}

function contentNotEmpty({ edit, targets }: Change): string | undefined {
  if (edit.type === 'drop') return undefined;
  if (edit.type === 'drop-calls') {
    const silent = targets.find(
      ({ message }) => message.role === 'assistant' && saysNothing(withoutCalls(message, edit.calls)),
    );
    return name(silent, 'would say nothing without its calls; drop the exchange instead');
  }
  if (edit.text.trim() !== '') return undefined;
  return `a ${edit.type} needs a text`;
}

function saysNothing(message: Message): boolean {
  return partsOf(message).every(
    (part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''),
  );
}

function fewerTokens({ edit, targets, message }: Change, draft: Draft): string | undefined {
  if (edit.type === 'drop-calls') return undefined;
  const before = targets.reduce((sum, entry) => sum + draft.count(entry.message).tokens, 0);
  const after = message === undefined ? 0 : draft.count(message).tokens;
  return after < before ? undefined : `${edit.type} of ${before} tokens leaves ${after}`;
}

function minMessages(
  { edit, targets }: Change,
  draft: Draft,
  { minMessagesToKeep }: GateRules,
): string | undefined {
  const gone = goneWith(edit, targets);
  if (gone === 0 || draft.length - gone >= minMessagesToKeep) return undefined;
  return `${draft.length - gone} messages would stay, and ${minMessagesToKeep} must`;
}

/** How many messages fewer the view has after an edit. */
function goneWith(edit: ResolvedEdit, targets: readonly ViewEntry[]): number {
  switch (edit.type) {
    case 'drop':
      return targets.length;
    case 'drop-calls':
      return targets.filter(({ message }) => withoutCalls(message, edit.calls).content.length === 0).length;
    case 'merge':
      return targets.length - 1;
    case 'replace':
      return 0;
    default:
      return edit satisfies never;
  }
}
