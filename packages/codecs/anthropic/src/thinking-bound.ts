import type { Finding } from '@ctx/core/codec';
import type { AnthropicRequest } from './native-message.js';
import { BlockNumbers, type Said, type Sent, sentOf } from './sent.js';

interface Known {
  readonly request: number;
  readonly at: number;
}

/**
 * "Invalid `signature` in `thinking` block. The block is bound to a different conversation." A thinking block answers the last request
 * before the one that first holds it, or first holds the rest of its answer. Everything before it must be the same as then. Only thinking
 * may be missing from the front, and so may everything that a `compaction` block replaces.
 * @param before the requests before this one, oldest first
 */
export function thinkingBound(
  conversation: AnthropicRequest,
  before: readonly AnthropicRequest[],
): Finding[] {
  if (before.length === 0) return [];
  const numbers = new BlockNumbers();
  const requests = before.map((request, index) => sentOf(request, numbers, `before[${index}].`));
  const now = sentOf(conversation, numbers);
  requests.push(now);
  const known = firstSeen(requests);
  const names = namesOf(now.said);
  return now.said.flatMap((block, at) => {
    const seen = known.get(names[at] ?? '');
    if (!block.thinking || seen === undefined || requests[seen.request] === undefined) return [];
    const prefix = { ...now, said: now.said.slice(0, at) };
    const problem = difference(boundTo(requests, seen), prefix);
    const hidden = problem === undefined ? undefined : whileHidden(requests, seen);
    return problem === undefined || (hidden !== undefined && difference(hidden, prefix) === undefined)
      ? []
      : [
          {
            index: block.message,
            detail: `The thinking at ${block.place} is bound to another prefix: ${problem}`,
          },
        ];
  });
}

/** Where each thinking block occurs first. */
function firstSeen(requests: readonly Sent[]): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  requests.forEach(({ said }, request) => {
    namesOf(said).forEach((name, at) => {
      if (name !== undefined && !known.has(name)) known.set(name, { request, at });
    });
  });
  return known;
}

/** Names thinking blocks. Two blocks of a request with the same content get different names. */
function namesOf(said: readonly Said[]): (string | undefined)[] {
  const count = new Map<number, number>();
  return said.map(({ number, thinking }) => {
    if (!thinking) return undefined;
    const nth = count.get(number) ?? 0;
    count.set(number, nth + 1);
    return `${number}/${nth}`;
  });
}

/** Everything before a block when it was written: the request, and the earlier part of its own answer. */
function boundTo(requests: readonly Sent[], { request, at }: Known): Sent {
  const shown = requests[request] as Sent;
  const asked = requests[request - 1];
  if (asked === undefined) return { ...shown, said: shown.said.slice(0, at) };
  const begins = asked.said.every((one, index) => isSame(one, shown.said[index]));
  const own = shown.said.slice(0, at).filter(({ message }) => message === shown.said[at]?.message);
  return { ...asked, said: [...asked.said, ...(begins ? shown.said.slice(asked.said.length, at) : own)] };
}

/**
 * The same for a block that was hidden at first: its answer is in earlier requests, without the thinking. Undefined if the answer is in
 * none of them, or already in the very first.
 */
function whileHidden(requests: readonly Sent[], { request, at }: Known): Sent | undefined {
  const shown = requests[request] as Sent;
  const answer = shown.said.filter(({ message }) => message === shown.said[at]?.message);
  const spoken = answer.filter(isSpoken);
  const earlier = requests.slice(0, request).findIndex(({ said }) => holds(said.filter(isSpoken), spoken));
  const asked = requests[earlier - 1];
  if (spoken.length === 0 || asked === undefined) return undefined;
  return { ...asked, said: [...asked.said, ...answer.slice(0, at - shown.said.indexOf(answer[0] as Said))] };
}

function holds(said: readonly Said[], part: readonly Said[]): boolean {
  return said.some((_, start) => part.every((one, at) => isSame(one, said[start + at])));
}

function isSame(a: Said, b: Said | undefined): boolean {
  return a.number === b?.number && a.role === b.role;
}

/** The first change, in words; undefined if there is none. */
function difference(then: Sent, now: Sent): string | undefined {
  if (
    then.system.length !== now.system.length ||
    !then.system.every((one, at) => isSame(one, now.system[at]))
  )
    return 'the system prompt differs.';
  if (then.tools !== now.tools) return 'the tools differ.';
  const [before, after] = comparable(then.said, now.said);
  const [spoken, speaks] = [before.filter(isSpoken), after.filter(isSpoken)];
  const length = Math.max(spoken.length, speaks.length);
  for (let at = 0; at < length; at += 1) {
    const [old, one] = [spoken[at], speaks[at]];
    if (old !== undefined && isSame(old, one)) continue;
    if (old === undefined) return `${one?.place} was not there.`;
    return one === undefined ? `${old.place} is gone.` : `${one.place} differs from what stood there.`;
  }
  return missingThinking(before, after);
}

function isSpoken({ thinking }: Said): boolean {
  return !thinking;
}

/** After a `compaction` block only what follows it is compared. It replaces everything before it, which may be missing. */
function comparable(
  then: readonly Said[],
  now: readonly Said[],
): readonly [readonly Said[], readonly Said[]] {
  const start = now.findLastIndex(({ compaction }) => compaction);
  const summary = now[start];
  if (summary === undefined) return [then, now];
  const after = now.slice(start + 1);
  const same = then.findLastIndex((one) => isSame(one, summary));
  if (same >= 0) return [then.slice(same + 1), after];
  let left = after.filter(isSpoken).length;
  const kept = then.findLastIndex((one) => isSpoken(one) && --left < 0);
  return [then.slice(kept + 1), after];
}

/** Thinking may be gone from the front. Everything from the first remaining thinking on must be in its place. */
function missingThinking(then: readonly Said[], now: readonly Said[]): string | undefined {
  const gone = then.length - now.length;
  let skipped = 0;
  const rest = then.filter(({ thinking }) => {
    if (!thinking || skipped >= gone) return true;
    skipped += 1;
    return false;
  });
  const moved = now.find((one, at) => rest[at] === undefined || !isSame(rest[at], one));
  if (moved === undefined) return undefined;
  return gone > 0
    ? `thinking is missing near ${moved.place}, between thinking that was kept.`
    : `the thinking near ${moved.place} has moved or changed.`;
}
