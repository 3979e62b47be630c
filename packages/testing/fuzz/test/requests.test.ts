import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LawBook, type RequestPlant, requestFailure, requestLawNames } from '@ctx/fuzz';

/** Every seed that ever failed; `npm run fuzz` prints them. */
const { requests: failed } = JSON.parse(readFileSync(join(__dirname, 'failed-seeds.json'), 'utf8')) as {
  readonly requests: readonly number[];
};
/** The runs before these take seconds each. `CTX_RUNS` times eight. */
const firstSeeds = Array.from(
  { length: Math.ceil(8 * Number(process.env.CTX_RUNS ?? 1)) },
  (_, at) => at + 6,
);

test('requests at once from fixed seeds, and from all seeds that ever failed, keep every law', async () => {
  const book = new LawBook();
  const failures: unknown[] = [];
  for (const seed of [...firstSeeds, ...failed]) {
    const failure = await requestFailure(seed, book);
    if (failure !== undefined) failures.push({ seed, ...failure });
  }
  expect(failures).toEqual([]);
  for (const law of requestLawNames) expect([law, book.checked.get(law)]).toEqual([law, expect.any(Number)]);
});

const messagesOf = (body: string) => JSON.parse(body) as { messages: { role: string; content: unknown }[] };
const plants: Record<(typeof requestLawNames)[number], RequestPlant> = {
  'request-bytes': { arrives: (body) => JSON.stringify(messagesOf(body)) },
  'request-own': { arrives: (body) => body.replace('<<c0>>', '<<c9>>') },
  'request-valid': {
    arrives(body) {
      const { messages, ...rest } = messagesOf(body);
      return JSON.stringify({ ...rest, messages: messages.filter(({ role }) => role !== 'assistant') });
    },
  },
  'request-unread': {
    arrives(body) {
      const at = body.lastIndexOf('<<c0');
      return `${body.slice(0, at)}…${body.slice(at + 1)}`;
    },
  },
  'request-same': { arrives: (body, number) => body.replace('src', `${number}`) },
  'request-answered': { arrives: (body) => body.padEnd(5_000_000) },
  'request-managed': {
    options: {
      conversation() {
        throw new Error('no key');
      },
    },
  },
};

test.each(Object.entries(plants))('%s: what breaks it on the way is found', async (law, plant) => {
  const found = new Set<string>();
  for (let seed = 1; seed <= 30 && !found.has(law); seed += 1) {
    const book = new LawBook();
    const check = book.check.bind(book);
    // A planted fault may break several laws; here only one of them counts.
    book.check = (name, problem) => check(name, name === law ? problem : undefined);
    const failure = await requestFailure(seed, book, plant);
    if (failure !== undefined) found.add(failure.law);
  }
  expect([...found]).toEqual([law]);
});

test('every law of requests has its planted fault', () => {
  expect(Object.keys(plants).sort()).toEqual([...requestLawNames].sort());
});
