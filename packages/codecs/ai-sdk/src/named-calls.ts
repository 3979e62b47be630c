import { type CallIds, type Fields, isFields, type Slot } from '@ctx/core/codec';

/** What gives the calls or results of a message their ids, where its own won't do. */
type IdsFor = CallIds['idsFor'];

/** A message in which each call and result has an id by which they find each other. */
export interface Named {
  /** The very message if its own ids will do. */
  readonly message: unknown;
  /** Those that its calls or results got, in order. */
  readonly ids?: readonly string[] | undefined;
}

export function named(message: unknown, idsFor: IdsFor): Named {
  if (!isFields(message) || !Array.isArray(message.content)) return { message };
  const { role, content } = message;
  if (role !== 'assistant' && role !== 'tool') return { message };
  const isNamed = (part: unknown): part is Fields =>
    isFields(part) &&
    (role === 'tool'
      ? part.type === 'tool-result'
      : part.type === 'tool-call' && part.providerExecuted !== true);
  const ids = idsFor(
    role,
    content.filter(isNamed).map(({ toolCallId }) => toolCallId),
  );
  if (ids === undefined) return { message };
  let at = 0;
  const parts = content.map((part: unknown) =>
    isNamed(part) ? { ...part, toolCallId: ids[at++] ?? part.toolCallId } : part,
  );
  return { message: { ...message, content: parts }, ids };
}

/** The slots of a named message, with the values that the message itself has. */
export function ownSlots(slots: readonly Slot[], { message, ids }: Named, own: Fields): readonly Slot[] {
  if (message === own || ids === undefined) return slots;
  return slots.map((slot, index) => ({ ...slot, native: (own.content as readonly unknown[])[index] }));
}
