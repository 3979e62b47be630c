import type { Codec, Message } from '@ctx/core';
import type { NativeLoss } from '@ctx/core/codec';
import { isUnique, numbered, valuesOf } from './values.js';

interface Named extends NativeLoss {
  /** What is at the place; undefined where nothing does. */
  readonly value: unknown;
  /** The message that the place is in. */
  readonly holder: unknown;
}

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
  const named = namedValues([...onTheWay, ...onTheWayBack]);
  const said = common(counted(valuesOf(conversation)), counted(valuesOf(bare)));
  // What is no unique text has another name in each form, so it is looked for on the way back.
  const kept = counted([...overSays.filter(isUnique), ...backSays]);
  const of = (counts: Counts, value: string) => counts.get(value) ?? 0;
  return [
    ...unfounded([...onTheWay, ...onTheWayBack]),
    ...[...said].flatMap(([value, count]) =>
      count - of(kept, value) > of(named, value) ? [`lost without being named: ${value}`] : [],
    ),
    ...stillThere(onTheWay, overSays),
    ...stillThere(onTheWayBack, backSays),
  ];
}

function stillThere(named: readonly Named[], says: readonly string[]): string[] {
  const wrong = [...namedValues(named).keys()].filter((value) => isUnique(value) && says.includes(value));
  return wrong.map((value) => `named, and still there: ${value}`);
}

/** What is in the conversation and would be without its native fields, which parts do not say. */
function common(one: Counts, other: Counts): Counts {
  return new Map([...one].map(([value, count]) => [value, Math.min(count, other.get(value) ?? 0)]));
}

function found(loss: NativeLoss, messages: readonly Message[]): Named {
  const holder = messages[loss.index];
  return { ...loss, value: at(holder, loss.place), holder };
}

function at(value: unknown, place: string): unknown {
  const keys = place.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

function unfounded(named: readonly Named[]): string[] {
  return named
    .filter(({ value }) => value === undefined)
    .map(({ index, place, what }) => `nothing stands at the place of a loss: ${index} ${place} (${what})`);
}

/** What is named twice, alone and with what holds it, counts once. What changed its position is still there. */
function namedValues(named: readonly Named[]): Map<string, number> {
  const lost = named.filter(({ what }) => what !== 'position');
  const outermost = lost.filter(
    (one, position) =>
      !lost.some(
        (other, otherPosition) =>
          other.holder === one.holder &&
          (other.place === one.place ? otherPosition < position : isInside(one.place, other.place)),
      ),
  );
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

type Counts = ReadonlyMap<string, number>;
