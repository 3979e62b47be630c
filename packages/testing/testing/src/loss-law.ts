import type { Codec, Message } from '@ctx/core';
import { carriedLosses, type NativeLoss } from '@ctx/core/codec';
import { isUnique, numbered, valuesOf } from './values.js';

interface Named extends NativeLoss {
  /** What is at the place; undefined where nothing does. */
  readonly value: unknown;
  /** The object that the place is in. */
  readonly holder: unknown;
}

/**
 * Sends a conversation to another provider's form and back, and compares what it says before and after: whatever is not there
 * any more must be named by the `losses` of the codec that left it out, with its place, and nothing else may be.
 * @param template native; wherever `unique` or `uniqueData` stand, a text of its own is put
 * @param through another provider's codec; without one, a form that says all that messages say, and nothing else
 * @returns what is wrong, in words; empty where nothing is
 */
export function lossProblems<A, B>(codec: Codec<A>, template: A, through?: Codec<B>): string[] {
  const conversation = numbered(template);
  const messages = codec.toMessages(conversation);
  const there =
    through === undefined ? messages.map(bare) : through.toMessages(through.fromMessages(messages));
  const back = codec.fromMessages(there);
  const left = through === undefined ? messages.flatMap(saidByNoPart) : through.losses(messages);
  const named = [
    ...left.map((one) => found(one, messages)),
    ...codec.losses(there).map((one) => found(one, there)),
  ];
  return [
    ...unfounded(named),
    ...differences(counted(valuesOf(conversation)), counted(valuesOf(back)), namedValues(named)),
  ];
}

/** What a form without any native field keeps. */
function bare({ role, content }: Message): Message {
  return { role, content } as Message;
}

function saidByNoPart(message: Message, index: number): NativeLoss[] {
  return carriedLosses(message, index, 'none');
}

/** A place that ends in the name of what was lost is one of the native message where that has it, else of the message. */
function found(loss: NativeLoss, messages: readonly Message[]): Named {
  const message = messages[loss.index];
  const native = (message?.native as { message?: unknown } | undefined)?.message;
  const inNative = loss.place.endsWith(loss.what) ? at(native, loss.place) : undefined;
  if (inNative !== undefined) return { ...loss, value: inNative, holder: native };
  return { ...loss, value: at(message, loss.place), holder: message };
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

function differences(before: Counts, after: Counts, named: Counts): string[] {
  const of = (counts: Counts, value: string) => counts.get(value) ?? 0;
  const silent = [...before].flatMap(([value, count]) =>
    count - of(after, value) > of(named, value) ? [`lost without being named: ${value}`] : [],
  );
  const wrong = [...named.keys()].flatMap((value) =>
    isUnique(value) && after.has(value) ? [`named, and still there: ${value}`] : [],
  );
  return [...silent, ...wrong];
}
