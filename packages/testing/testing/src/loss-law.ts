import type { Codec, Message } from '@ctx/core';
import type { NativeLoss } from '@ctx/core/codec';
import { isUnique, numbered, valuesOf } from './values.js';

/**
 * Writes a conversation in another provider's form: whatever its parts say and is not there must be named by the `losses` of that codec, with
 * its place, and nothing else may be. Fields that no part holds are not compared.
 * @param template native; wherever `unique` or `uniqueData` stand, a text of its own is put
 * @param through another provider's codec
 * @returns what is wrong, in words; empty where nothing is
 */
export function lossProblems<A, B>(codec: Codec<A>, template: A, through: Codec<B>): string[] {
  const conversation = numbered(template);
  const messages = codec.toMessages(conversation);
  const bare = codec.fromMessages(messages.map(({ role, content }) => ({ role, content }) as Message));
  const over = through.fromMessages(messages);
  const there = through.toMessages(over);
  const [overSays, backSays] = [valuesOf(over), valuesOf(codec.fromMessages(there))];
  const onTheWay = through.losses(messages).map((one) => found(one, messages));
  const onTheWayBack = codec.losses(there).map((one) => found(one, there));
  const all = [...onTheWay, ...onTheWayBack];
  const named = namedValues(all);
  const [whole, plain] = [counted(valuesOf(conversation)), counted(valuesOf(bare))];
  // What is no unique text has another name in each form, so it is looked for on the way back.
  const kept = counted([...overSays.filter(isUnique), ...backSays]);
  const of = (counts: ReadonlyMap<string, number>, value: string) => counts.get(value) ?? 0;
  const unfounded = all.filter(({ value }) => value === undefined);
  // What is in the conversation and would be without its native fields, which parts do not say.
  const lost = [...whole].filter(
    ([value, count]) => Math.min(count, of(plain, value)) - of(kept, value) > of(named, value),
  );
  return [
    ...unfounded.map(({ index, place, what }) => {
      return `nothing stands at the place of a loss: ${index} ${place} (${what})`;
    }),
    ...lost.map(([value]) => `lost without being named: ${value}`),
    ...stillThere(onTheWay, overSays),
    ...stillThere(onTheWayBack, backSays),
  ];
}

type Named = ReturnType<typeof found>;

function stillThere(named: readonly Named[], says: readonly string[]): string[] {
  const wrong = [...namedValues(named).keys()].filter((value) => isUnique(value) && says.includes(value));
  return wrong.map((value) => `named, and still there: ${value}`);
}

/** A loss with the message that its place is in, and what is there; undefined where nothing is. */
function found(loss: NativeLoss, messages: readonly Message[]) {
  const holder: unknown = messages[loss.index];
  const keys = loss.place.split(/[.[\]]+/).filter((key) => key !== '');
  const value = keys.reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], holder);
  return { ...loss, value, holder };
}

/** What is named twice, alone and with what holds it, counts once. What changed its position is still there. */
function namedValues(named: readonly Named[]): Map<string, number> {
  const lost = named.filter(({ what }) => what !== 'position');
  const isNamedBy = (at: number, { holder, place }: Named) =>
    lost.some(
      (other, otherAt) =>
        other.holder === holder && (other.place === place ? otherAt < at : isInside(place, other.place)),
    );
  const outermost = lost.filter((one, at) => !isNamedBy(at, one));
  return counted(outermost.flatMap(({ value, place }) => valuesOf(value, place.replace(/^.*\./s, ''))));
}

function isInside(place: string, outer: string): boolean {
  return place.startsWith(outer) && /^[.[]/.test(place.slice(outer.length));
}

function counted(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, isUnique(value) ? 1 : (counts.get(value) ?? 0) + 1);
  return counts;
}
