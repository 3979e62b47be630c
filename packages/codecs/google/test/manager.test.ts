import { googleCodec } from '@ctx/codec-google';
import { ContextManager, defineStrategy, type Edit, partsOf, seededRandom, toolCallsOf } from '@ctx/core';
import { wordCounter } from '@ctx/testing';
import type { GoogleContent } from '../src/content.js';

const model = 'gemini-3-pro-preview';
const user = (...parts: object[]) => ({ role: 'user', parts }) as GoogleContent;

/** What Gemini 3 answers: thoughts, words, and calls of which the first is signed; with or without ids. */
function answer(random: () => number, turn: number): GoogleContent {
  const id = (at: number) => (random() < 0.5 ? { id: `id_${turn}_${at}` } : {});
  const calls = Array.from({ length: Math.floor(random() * 4) }, (_, at) => ({
    functionCall: { ...id(at), name: random() < 0.5 ? 'read' : 'grep', args: { turn } },
    ...(at === 0 && { thoughtSignature: `c2ln${turn}` }),
  }));
  const thought = { text: `I think ${turn}`, thought: true };
  const words = {
    text: `step ${turn} `.repeat(8),
    ...(calls.length === 0 && { thoughtSignature: `c2ln${turn}` }),
  };
  const said = [
    ...(random() < 0.5 ? [thought] : []),
    ...(random() < 0.7 || calls.length === 0 ? [words] : []),
  ];
  return { role: 'model', parts: [...said, ...calls] } as GoogleContent;
}

/** The responses, perhaps in another order where they have ids, perhaps with words of the user. */
function answered({ parts = [] }: GoogleContent, random: () => number): GoogleContent {
  const responses = parts.flatMap(({ functionCall: call }) =>
    call === undefined
      ? []
      : [
          {
            functionResponse: {
              ...(call.id !== undefined && { id: call.id }),
              name: String(call.name),
              response: random() < 0.2 ? { error: 'not found' } : { output: 'a line of it '.repeat(12) },
            },
          },
        ],
  );
  if (responses.length === 0) return user({ text: 'go on with it' });
  if (responses.every(({ functionResponse }) => 'id' in functionResponse)) responses.reverse();
  return user(...responses, ...(random() < 0.15 ? [{ text: 'and hurry' }] : []));
}

/** Drops, merges, shortens and drops calls at random; core keeps what it may. */
const anything = (random: () => number) =>
  defineStrategy({
    name: 'anything',
    emits: ['drop', 'drop-calls', 'merge', 'replace'],
    plan: ({ view }) => ({
      edits: view.flatMap(({ id, message, exchange }): Edit[] => {
        const whole = view.filter((entry) => entry.exchange === exchange).map((entry) => entry.id);
        const reason = 'random';
        const [first] = toolCallsOf(message);
        const pick = random();
        if (pick < 0.15) return [{ type: 'drop', messages: whole, reason }];
        if (pick < 0.2)
          return [{ type: 'merge', messages: whole, text: 'in short', placement: 'first', reason }];
        if (pick < 0.4 && first !== undefined)
          return [{ type: 'drop-calls', messages: whole.slice(0, 2), calls: [first.toolCallId], reason }];
        if (pick > 0.6 && message.role === 'tool')
          return partsOf(message).map((_, part) => ({
            type: 'replace',
            message: id,
            part,
            text: '[cut]',
            reason,
          }));
        return [];
      }),
    }),
  });

test('whatever leaves, the API accepts what is sent, and what stays is the same object', async () => {
  const changed = { edits: 0, calls: 0, joined: 0 };
  for (let seed = 1; seed <= 25; seed += 1) {
    const random = seededRandom(seed);
    const strategies = [anything(random)];
    const config = { contextWindow: 1_000_000, minMessagesToKeep: 1, throttleMs: 0, leadingUser: true };
    const options = { strategies, config, counter: wordCounter };
    const manager = new ContextManager(options);
    const natives: GoogleContent[] = [];
    const append = (content: GoogleContent) => {
      natives.push(content);
      const after = manager.transcript.map(({ message }) => message);
      for (const message of googleCodec.toMessages([content], { after })) manager.append(message);
    };
    append(user({ text: 'go' }));
    for (let turn = 0; turn < 25; turn += 1) {
      const sent = googleCodec.fromMessages(manager.view());
      expect({ seed, turn, broken: googleCodec.validate({ ...sent, model }) }).toEqual({
        seed,
        turn,
        broken: [],
      });
      const parts = new Set(natives.flatMap((content) => content.parts ?? []));
      const whole = new Set(natives);
      for (const content of sent.contents)
        if (!whole.has(content) && content.parts?.every((part) => parts.has(part))) changed.joined += 1;
      const said = answer(random, turn);
      append(said);
      append(answered(said, random));
      if (random() < 0.3) {
        const outcome = await manager.compress({ targetTokens: 1 });
        const edits = outcome.record?.edits ?? [];
        changed.edits += edits.length;
        changed.calls += edits.filter(({ type }) => type === 'drop-calls').length;
      }
    }
    const restored = ContextManager.restore(JSON.parse(JSON.stringify(manager.snapshot())), options);
    expect(googleCodec.fromMessages(restored.view())).toEqual(googleCodec.fromMessages(manager.view()));
  }
  expect(Math.min(changed.edits, changed.calls, changed.joined)).toBeGreaterThan(20);
});
