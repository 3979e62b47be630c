import type { MessageId } from './edit.js';
import { type Message, partsOf, toolCallsOf } from './message.js';
import { type Protection, type ProtectionRules, protectedBecause, protectionOf } from './protection.js';
import { isSystem, type View, type ViewEntry } from './view.js';

/** The guarantees of every view, in the order of the README. */
export const invariantNames = [
  'tool-pairs',
  'system-stays',
  'pinned-stays',
  'newest-user-stays',
  'unread-stays',
  'order',
  'targets-exist',
  'declared-edits',
  'reasoning-unaltered',
  'fewer-tokens',
  'min-messages',
  'accounted',
  'leading-user',
  'content-not-empty',
] as const;
export type InvariantName = (typeof invariantNames)[number];

export interface Violation {
  readonly invariant: InvariantName;
  readonly detail: string;
}

export interface ViewRules extends ProtectionRules {
  readonly minMessagesToKeep?: number;
  /** The first message after the system prompt must be the user's. */
  readonly leadingUser?: boolean;
  /** What the view was before; given, it must have become smaller. */
  readonly before?: View;
}

type ViewInvariant = (view: View, rules: ViewRules) => string | undefined;

/**
 * Every invariant that a view breaks; none for a view that the manager made. `targets-exist` and `declared-edits` are
 * properties of edits and are checked where edits are applied.
 */
export function validateView(view: View, rules: ViewRules): Violation[] {
  return Object.entries(viewInvariants).flatMap(([invariant, check]) => {
    const detail = check(view, rules);
    return detail === undefined ? [] : [{ invariant: invariant as InvariantName, detail }];
  });
}

const viewInvariants: Partial<Record<InvariantName, ViewInvariant>> = {
  'tool-pairs': ({ entries }, { transcript }) => {
    let open = new Map<string, ViewEntry>();
    for (const entry of entries) {
      if (entry.message.role === 'tool') {
        for (const { toolCallId } of entry.message.content) {
          if (!open.delete(toolCallId)) return `the result "${toolCallId}" does not follow its call`;
        }
        continue;
      }
      for (const id of open.keys()) return `the call "${id}" has no result right after it`;
      open = new Map(toolCallsOf(entry.message).map((call) => [call.toolCallId, entry]));
    }
    for (const [id, entry] of open) {
      if (entry.exchange !== transcript.openExchange) return `the call "${id}" has no result`;
    }
    return undefined;
  },

  'system-stays': (view, rules) => untouched(view, rules, 'system-stays'),
  'pinned-stays': (view, rules) => untouched(view, rules, 'pinned-stays'),
  'newest-user-stays': (view, rules) => untouched(view, rules, 'newest-user-stays'),
  'unread-stays': (view, rules) => untouched(view, rules, 'unread-stays'),

  order: ({ entries }, { transcript }) => {
    let last = -1;
    for (const { id } of entries) {
      const index = transcript.get(id)?.index;
      if (index === undefined) continue;
      if (index < last) return `"${id}" stands after a later message`;
      last = index;
    }
    return undefined;
  },

  'reasoning-unaltered': ({ entries }, { transcript }) => {
    for (const { id, message } of entries) {
      const original = transcript.get(id)?.message;
      if (original === undefined || original === message) continue;
      const kept = reasoningOf(message);
      if (!reasoningOf(original).every((part, index) => part === kept[index]))
        return `reasoning of "${id}" was changed`;
    }
    return undefined;
  },

  'fewer-tokens': (view, { before }) =>
    before === undefined || view === before || view.tokens < before.tokens
      ? undefined
      : `${before.tokens} tokens became ${view.tokens}`,

  'min-messages': ({ entries }, { transcript, minMessagesToKeep = 1, before }) => {
    const least = Math.min(minMessagesToKeep, before?.entries.length ?? transcript.length);
    return entries.length >= least ? undefined : `${entries.length} messages are left of at least ${least}`;
  },

  accounted: ({ entries, removed }, { transcript }) => {
    const seen = new Set<MessageId>();
    for (const origin of [...entries.flatMap((entry) => entry.origins), ...removed.keys()]) {
      if (transcript.get(origin) === undefined) return `"${origin}" was never said`;
      if (seen.has(origin)) return `"${origin}" is there twice`;
      seen.add(origin);
    }
    const lost = transcript.messages.find(({ id }) => !seen.has(id));
    return lost && `"${lost.id}" is neither in the view nor removed by an edit`;
  },

  'leading-user': (view, { transcript, leadingUser = false }) => {
    if (!leadingUser || view.marker !== undefined) return undefined;
    const first = view.entries.find((entry) => !isSystem(entry));
    const original = transcript.messages.find((entry) => !isSystem(entry));
    const same = first === undefined || first.origins.includes(original?.id ?? '');
    return first?.message.role === 'user' || same
      ? undefined
      : `"${first?.id}" of the ${first?.message.role} comes first`;
  },

  'content-not-empty': ({ entries }) => {
    const empty = entries.find(({ message }) => message.content.length === 0);
    return empty && `"${empty.id}" has no content`;
  },
};

/**
 * Undefined when every message that one guarantee protects is in the view, and its text as it was said where the guarantee says so. A
 * message that had been edited before, as when it was pinned later, stays as it was.
 */
function untouched(view: View, rules: ViewRules, by: InvariantName): string | undefined {
  const expected = new Map<MessageId, { readonly message: Message; readonly protection: Protection }>();
  for (const said of rules.before?.entries ?? rules.transcript.messages) {
    const protection = protectionOf(said, rules);
    if (protection?.by === by) expected.set(said.id, { message: said.message, protection });
  }
  if (expected.size === 0) return undefined;
  for (const { id, message } of view.entries) {
    const said = expected.get(id);
    if (said?.protection.keeps === 'place' || said?.message === message) expected.delete(id);
  }
  for (const [id, { protection }] of expected)
    return `"${id}" ${protectedBecause(protection)}, and it is gone or changed`;
  return undefined;
}

function reasoningOf(message: Message) {
  return partsOf(message).filter((part) => part.type === 'reasoning');
}
