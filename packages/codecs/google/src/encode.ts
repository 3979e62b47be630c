import { type Message, partsOf } from '@ctx/core';
import { equal, isFields, nativeGroups, sourcesOf } from '@ctx/core/codec';
import type { GoogleContent, GoogleConversation } from './content.js';
import { indicesOf, partsFrom, partsIn, roleOf } from './decode.js';
import { type Piece, turnsOf } from './model-turns.js';
import type { PartRole } from './native-to-part.js';
import type { Native, Origin } from './origin.js';
import { nativeOf } from './part-to-native.js';
import { systemOf } from './system.js';

const place = 'native.message';

/**
 * A native conversation: the very same objects if nothing was edited, otherwise copies in which only the edited parts are replaced.
 * System messages become the system instruction, wherever they are. What a message becomes does not depend on what follows it, so a
 * conversation that has grown begins with the parts that were sent before.
 */
export function fromMessages(messages: readonly Message[]): GoogleConversation {
  const system = systemInstruction(messages.filter(({ role }) => role === 'system'));
  const groups = nativeGroups(
    messages.filter(({ role }) => role !== 'system'),
    placeOf,
  );
  return {
    ...(system !== undefined && { systemInstruction: system }),
    contents: turnsOf(groups.flatMap(pieceOf)),
  };
}

function systemInstruction(messages: readonly Message[]): GoogleConversation['systemInstruction'] {
  const [first, ...others] = messages;
  if (first === undefined) return undefined;
  const old = originOf(first)?.message;
  if (others.length > 0) return systemOf(messages.flatMap((message) => partsKept(message)));
  if (old !== undefined && equal(partsOf(first), partsFrom('system', originOf(first) as Origin, place)))
    return old;
  const kept = partsKept(first);
  if (kept.length === 0) return undefined;
  return systemOf(kept, old);
}

function partsKept(message: Message): unknown[] {
  return placedParts(message)
    .map(({ native }) => native)
    .filter((native) => native !== undefined);
}

function placeOf(message: Message): ReturnType<Parameters<typeof nativeGroups>[1]> {
  const origin = originOf(message);
  return origin && { message: origin.message, pieces: origin.parts };
}

/** The origin of a message; undefined if another codec made it or its role has changed since. */
function originOf({ native, role }: Message): Origin | undefined {
  if (!isFields(native) || native.codec !== 'google' || native.message === undefined) return undefined;
  if (native.parts !== undefined && !isListOf(native.parts, (index) => Number.isInteger(index)))
    return undefined;
  if (native.ids !== undefined && !isListOf(native.ids, (id) => typeof id === 'string')) return undefined;
  if (role === 'system') return native.system === true ? (native as unknown as Origin) : undefined;
  const isSame =
    native.system !== true && roleOf(native.message, place) === (role === 'assistant' ? role : 'user');
  return isSame ? (native as unknown as Origin) : undefined;
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

/** The native part of a part, and its old position if it was in the content. The API has none for some parts. */
interface Placed {
  readonly index: number | undefined;
  readonly native: unknown;
  /** What was there before the part was edited. */
  readonly old?: unknown;
}

/** Stands for what the user said if nothing of it has a form here: contents begin with the user's, and calls come after one. */
const unshown = { text: '[A message that cannot be shown here]' };

function pieceOf(group: readonly Message[]): Piece[] {
  const [first] = group;
  if (first === undefined) return [];
  const origins = group.map(originOf);
  const origin = origins.find((one) => one !== undefined);
  const content = origin?.message as GoogleContent | undefined;
  const natives = origin === undefined ? [] : partsIn(origin, place);
  const placed = group.flatMap((message) =>
    placedParts(message).filter(({ native }) => native !== undefined),
  );
  if (placed.every(({ index }) => index !== undefined))
    placed.sort((a, b) => Number(a.index) - Number(b.index));
  const isSame =
    placed.length === natives.length && placed.every(({ native }, index) => native === natives[index]);
  const continues = origins.some((one) => one?.continues === true);
  if (content !== undefined && isSame) return [{ content, continues, isOwn: true }];
  if (placed.length === 0 && first.role !== 'user') return [];
  const shown = placed.length === 0 ? [unshown] : placed.map(({ native }) => native);
  const parts = shown as GoogleContent['parts'] & object;
  const role = first.role === 'assistant' ? 'model' : 'user';
  return [{ content: { ...(content ?? { role }), parts }, continues, isOwn: false, before: natives }];
}

/** Returns the native part of each part. Decodes again and compares, so that a part counts as edited only if it says something else. */
export function placedParts(message: Message): Placed[] {
  const role: PartRole = message.role;
  const parts = partsOf(message);
  const origin = originOf(message);
  const natives = origin === undefined ? [] : partsIn(origin as { message: Native }, place);
  const indices = origin === undefined ? [] : indicesOf(origin, natives);
  const before = origin === undefined ? [] : partsFrom(role, origin, place);
  if (origin !== undefined && equal(parts, before))
    return indices.map((index) => ({ index, native: natives[index], old: natives[index] }));
  const sources = sourcesOf(parts, before);
  return parts.map((part, position) => {
    const source = sources[position];
    const index = source === undefined ? undefined : indices[source];
    const old = index === undefined ? undefined : natives[index];
    const same = source !== undefined && equal(part, before[source]);
    return { index, old, native: same ? old : nativeOf(part, role, old) };
  });
}
