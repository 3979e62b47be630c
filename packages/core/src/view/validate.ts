import { equal } from '../base/equal.js';
import { finish, itemsPerStep, type Steps } from '../base/slices.js';
import {
  type Message,
  type MessageId,
  partsOf,
  type ReasoningPart,
  toolCallsOf,
} from '../transcript/message.js';
import type { InvariantName } from './invariants.js';
import { isOwnSummary } from './marker.js';
import { droppedFrom } from './origins.js';
import { type Protection, type ProtectionRules, protectedBecause, protectionOf } from './protection.js';
import type { View } from './view.js';
import { isSystem, isUsers, type SentMessage } from './view-entry.js';

export interface Violation {
  readonly invariant: InvariantName;
  readonly detail: string;
}

export interface ViewRules extends ProtectionRules {
  readonly minMessagesToKeep?: number;
  readonly leadingUser?: boolean;
  readonly before?: View;
}

type ViewInvariant = (view: View, rules: ViewRules, sent: readonly SentMessage[]) => string | undefined;

/**
 * All invariants that a view breaks; empty for every view a manager makes. `targets-exist` and `declared-edits` concern
 * edits and are checked when edits are applied. `append-only` concerns a view and those before it.
 */
export function validateView(view: View, rules: ViewRules): Violation[] {
  return finish(validateInSteps(view, rules));
}

export function* validateInSteps(view: View, rules: ViewRules): Steps<Violation[]> {
  const violations = yield* touched(view, rules);
  yield;
  const sent = view.sent();
  for (const [invariant, check] of Object.entries(viewInvariants)) {
    yield;
    const detail = check(view, rules, sent);
    if (detail !== undefined) violations.push({ invariant: invariant as InvariantName, detail });
  }
  const { presenter, entries, dropped } = view;
  const due = (yield* presenter.present(entries, dropped)).entries;
  const wrong = due !== entries && entries.find((entry, position) => entry.sent !== due[position]?.sent);
  if (wrong) {
    const detail = `"${wrong.id}" shows reasoning after another prefix, or hides reasoning that still holds`;
    violations.push({ invariant: 'reasoning-bound', detail });
  }
  return violations;
}

const viewInvariants: Partial<Record<InvariantName, ViewInvariant>> = {
  'tool-pairs': (_view, { transcript }, sent) => {
    const open = new Set<string>();
    let asked: MessageId | undefined;
    for (const { id, message } of sent) {
      if (message.role === 'tool') {
        for (const { toolCallId } of message.content) {
          if (!open.delete(toolCallId)) return `the result "${toolCallId}" does not follow its call`;
        }
        continue;
      }
      if (open.size > 0) return `the call "${[...open][0]}" has no result right after it`;
      for (const { toolCallId } of toolCallsOf(message)) open.add(toolCallId);
      asked = id;
    }
    if (asked !== undefined && transcript.get(asked)?.exchange === transcript.openExchange) return undefined;
    for (const call of open) return `the call "${call}" has no result`;
    return undefined;
  },

  order: ({ entries }, { transcript, before }) => {
    let last = -1;
    for (const { id, origins } of entries) {
      if (!origins.isOnly(id)) continue;
      if (origins.lowest < last) return `"${id}" stands after a later message`;
      last = origins.lowest;
    }
    const said = entries.filter(isUsers).flatMap(({ id }) => transcript.get(id)?.index ?? []);
    const known = new Set(before?.entries.map(({ id }) => id));
    const mixed = entries.find(
      ({ id, origins }) => origins.size > 1 && !known.has(id) && said.some((at) => origins.surrounds(at)),
    );
    return mixed && `"${mixed.id}" stands for what was said before and after a user message that stays`;
  },

  'reasoning-unaltered': ({ entries }, { transcript }) => {
    for (const { id, message, origins } of entries) {
      const original = origins.isOnly(id) ? transcript.at(origins.lowest)?.message : undefined;
      if (original === undefined || original === message) continue;
      const before = reasoningOf(original);
      if (before.length === 0) continue;
      const kept = reasoningOf(message);
      // An edited message restored from a snapshot is equal but not the same object.
      if (!before.every((part, index) => part === kept[index] || equal(part, kept[index])))
        return `reasoning of "${id}" was changed`;
    }
    return undefined;
  },

  'fewer-tokens': (view, { before }) =>
    before === undefined || view === before || view.sentTokens < before.sentTokens
      ? undefined
      : `${before.sentTokens} tokens became ${view.sentTokens}`,

  'min-messages': ({ entries }, { transcript, minMessagesToKeep = 1, before }) => {
    const least = Math.min(minMessagesToKeep, before?.entries.length ?? transcript.length);
    return entries.length >= least
      ? undefined
      : `${entries.length} messages are left, and at least ${least} must stay`;
  },

  accounted: ({ entries, dropped: { count } }, { transcript }) => {
    const dropped = droppedFrom(entries, transcript);
    if (dropped === undefined) return 'a message is not in the transcript, or stands in the view twice';
    if (dropped.count === count) return undefined;
    return `${count} messages are said to be dropped, and ${dropped.count} are not in the view`;
  },

  'leading-user': (_view, { transcript, leadingUser = false }, sent) => {
    if (!leadingUser) return undefined;
    const first = sent.find(({ message }) => message.role !== 'system');
    const original = transcript.messages.find((entry) => !isSystem(entry));
    const same = first === undefined || (first.id !== undefined && first.id === original?.id);
    return first?.message.role === 'user' || same || isOwnSummary(first.message)
      ? undefined
      : `"${first?.id}" of the ${first?.message.role} comes first`;
  },

  'content-not-empty': (_view, _rules, sent) => {
    const empty = sent.find(({ message }) => message.content.length === 0);
    return empty && `"${empty.id}" has no content`;
  },
};

/**
 * For each guarantee, the first message that has gone although it must stay, or whose text has changed although it must
 * not. A message that was already edited, for example before it was pinned, may stay as it was.
 */
function* touched(view: View, rules: ViewRules): Steps<Violation[]> {
  const guarded = new Map<MessageId, { readonly message: Message; readonly protection: Protection }>();
  const before = rules.before?.entries ?? rules.transcript.messages;
  for (let at = 0; at < before.length; at += 1) {
    if (at % itemsPerStep === 0) yield;
    const said = before[at] as (typeof before)[number];
    const protection = protectionOf(said, rules);
    const message = ('excerpt' in said ? said.excerpt : undefined) ?? said.message;
    if (protection !== undefined) guarded.set(said.id, { message, protection });
  }
  // Few messages are protected, and most of them stay as they are.
  for (const { id, message } of view.entries) {
    const known = guarded.get(id);
    if (known !== undefined && (message === known.message || known.protection.keeps === 'place'))
      guarded.delete(id);
  }
  const violations = new Map<InvariantName, Violation>();
  for (const [id, { protection }] of guarded) {
    const { by } = protection;
    const detail = `"${id}" ${protectedBecause(protection)}, but it is gone or changed`;
    if (!violations.has(by)) violations.set(by, { invariant: by, detail });
  }
  return [...violations.values()];
}

function reasoningOf(message: Message): readonly ReasoningPart[] {
  return message.role === 'assistant' ? partsOf(message).filter((part) => part.type === 'reasoning') : [];
}
