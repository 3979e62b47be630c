import type { Message, Part } from '@ctx/core';
import fc from 'fast-check';
import { and, assistant, call, result, system, transcript, user } from './dsl.js';

const text = fc.oneof(
  fc.lorem({ maxCount: 40 }),
  fc.constantFrom('ok', 'why?', 'yes please', '什么？', 'a '.repeat(900)),
);
const words = fc.lorem({ maxCount: 12 });

const fields = fc.record(
  {
    priority: fc.constantFrom('CRITICAL' as const, 'HIGH' as const, 'NORMAL' as const, 'LOW' as const),
    createdAt: fc.integer({ min: 0, max: 1_000 }),
    pinned: fc.boolean(),
  },
  { requiredKeys: [] },
);
const mostlyPlain = fc.oneof({ arbitrary: fc.constant({}), weight: 5 }, { arbitrary: fields, weight: 1 });

/** What is said together. */
type Turn = Message[];

const said: fc.Arbitrary<Turn> = fc
  .tuple(fc.constantFrom(user, assistant), text, mostlyPlain)
  .map(([say, content, extra]) => [say(content, extra)]);

const instructed: fc.Arbitrary<Turn> = words.map((content) => [system(content)]);

const toolNames = fc.constantFrom('read', 'grep', 'run');

/** A model's reasoning, as plain text and in a form that only its provider can read. */
const thinking: fc.Arbitrary<Part> = fc.oneof(
  words.map((content): Part => ({ type: 'reasoning', text: content })),
  fc.constant<Part>({ type: 'opaque', value: { type: 'redacted_thinking', data: 'c2VjcmV0' } }),
);

const exchanged: fc.Arbitrary<Turn> = fc
  .tuple(
    fc.array(fc.tuple(toolNames, words, text), { minLength: 1, maxLength: 3 }),
    fc.option(words, { nil: undefined }),
    fc.array(thinking, { maxLength: 2 }),
    fc.boolean(),
    mostlyPlain,
  )
  .map(([steps, said, thoughts, together, extra]) => {
    const ids = steps.map((_, index) => `call-${index}`);
    const calls = steps.map(([name, query], index) =>
      call(ids[index] as string, name, { query, path: `src/${query.length % 4}.ts` }),
    );
    const asked = and(
      ...thoughts.slice(0, 1).map((thought) => assistant([thought])),
      ...(said === undefined ? [] : [assistant(said)]),
      ...thoughts.slice(1).map((thought) => assistant([thought])),
      ...calls,
    );
    const results = steps.map(([, , output], index) => result(ids[index] as string, output));
    return [{ ...asked, ...extra }, ...(together ? [and(...results)] : results)];
  });

/**
 * Conversations that core accepts: system prompts, users, assistants, thinking, parallel tool calls with results, reused call ids, and
 * sometimes a call at the end that still waits for its result.
 */
export const arbitraryTranscript: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.option(instructed, { nil: undefined }),
    fc.array(
      fc.oneof(
        { arbitrary: said, weight: 3 },
        { arbitrary: exchanged, weight: 3 },
        { arbitrary: instructed, weight: 1 },
      ),
      { minLength: 1, maxLength: 25 },
    ),
    fc.boolean(),
  )
  .map(([first, turns, waiting]) => {
    const open = waiting ? [call('open', 'run', { query: 'now' })] : [];
    return transcript(...(first ?? []), ...turns.flat(), ...open);
  });

/** Edits that a hostile strategy may return: known and unknown ids, valid and invalid forms. */
export function arbitraryEdits(ids: readonly string[]): fc.Arbitrary<unknown[]> {
  const id = fc.oneof(
    { arbitrary: fc.constantFrom(...ids, 'nobody'), weight: 20 },
    { arbitrary: fc.string(), weight: 1 },
  );
  const someIds = fc.oneof(
    fc.array(id, { maxLength: 6 }),
    fc.tuple(fc.nat(ids.length), fc.nat(6)).map(([start, length]) => ids.slice(start, start + length)),
  );
  const reason = fc.constant('because');
  const body = fc.oneof(fc.constantFrom('', ' ', 'short', '{}', '{"a":1}'), fc.lorem({ maxCount: 60 }));
  const calls = fc.subarray(['call-0', 'call-1', 'call-2', 'nothing']);
  const placement = fc.constantFrom('first', 'last', 'nowhere');
  const edit = (fields: Record<string, fc.Arbitrary<unknown>>, ...types: string[]) =>
    fc.record({ type: fc.constantFrom(...types), reason, ...fields });
  const edits = fc.oneof(
    edit({ messages: someIds }, 'drop'),
    edit({ messages: someIds, calls }, 'drop-calls'),
    edit({ message: id, part: fc.integer({ min: -1, max: 3 }), text: body }, 'replace'),
    edit({ messages: someIds, text: body, placement }, 'merge'),
    edit({ messages: someIds }, 'summarize', 'fold', 'explode'),
    fc.anything(),
  );
  return fc.array(edits, { maxLength: 12 });
}
