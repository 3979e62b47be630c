import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { VirtualTime } from '@ctx/testing';
import fc from 'fast-check';
import { type ContextFetchOptions, contextFetch } from '../src/index.js';
import { type Asked, anyPlan, type Plan, roundsOf, type Said } from './any-requests.js';

/** A request, each body that arrived for it, and its answer. */
interface Sent {
  readonly asked: Asked;
  readonly arrived: readonly string[];
  /** How many had arrived before it. */
  readonly before: number;
  readonly status: number;
}

/** Breaks something on the way, to test that it is found. */
interface Plant {
  readonly arrives?: (body: string, number: number) => string;
  readonly options?: ContextFetchOptions;
}

const tokensOf = (body: string) => Math.ceil(body.length / 4);
const reserve = 1_000;

/** Asks what a plan says, round by round. None of a round is answered before all have arrived, so equal ones are decided by equal knowledge. */
async function problemsOf(plan: Plan, { arrives = (body) => body, options }: Plant = {}): Promise<string[]> {
  const { form, window } = plan;
  const problems: string[] = [];
  let number = 0;
  const arrivals = new Map<string, { readonly bodies: string[]; readonly before: number }>();
  const missing = new Set<string>();
  let open: (() => void)[] = [];
  const send = contextFetch({
    config: { contextWindow: window, reserve, throttleMs: 0 },
    counter: { count: tokensOf },
    slices: { clock: () => 0 },
    wait: new VirtualTime().wait,
    onWarning({ code, message }) {
      if (!/^(?:window-small|tools-large|unread-cut)$/.test(code))
        problems.push(`managed: ${code}: ${message}`);
    },
    async send(input, init) {
      const request = new Request(input, init);
      const id = request.headers.get('x-case') ?? '';
      const one = arrivals.get(id) ?? { bodies: [], before: number };
      arrivals.set(id, one);
      number += 1;
      const body = arrives(await request.text(), number);
      one.bodies.push(body);
      missing.delete(id);
      if (missing.size > 0) await new Promise<void>((resolve) => open.push(resolve));
      else for (const go of open.splice(0)) go();
      return answerTo(body, plan);
    },
    ...options,
  });
  for (const round of roundsOf(plan)) {
    open = [];
    const sent = await Promise.all(
      round.map(async (asked, nth): Promise<Sent> => {
        const id = `${number} ${nth}`;
        missing.add(id);
        const url = `http://provider.invalid/v1/${form === 'chat' ? 'chat/completions' : 'messages'}`;
        const headers = { 'content-type': 'application/json', authorization: 'Bearer key', 'x-case': id };
        const response = await send(url, { method: 'POST', headers, body: asked.body });
        const { bodies: arrived = [], before = number } = arrivals.get(id) ?? {};
        return { asked, arrived, before, status: response.status };
      }),
    );
    problems.push(...sent.flatMap((one) => problemsIn(one, plan)), ...unlike(sent));
  }
  return problems;
}

const type = 'invalid_request_error';
const replies = {
  chat: {
    answer: { choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] },
    usage: (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 1 }),
    tooLong: (tokens: number, window: number) => ({
      error: {
        message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`,
        type,
        code: 'context_length_exceeded',
      },
    }),
  },
  messages: {
    answer: {
      type: 'message',
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'ok' }],
    },
    usage: (input_tokens: number) => ({ input_tokens, output_tokens: 1 }),
    tooLong: (tokens: number, window: number) => ({
      type: 'error',
      error: { type, message: `prompt is too long: ${tokens} tokens > ${window} maximum` },
    }),
  },
};

function answerTo(body: string, { form, window }: Plan): Response {
  const tokens = tokensOf(body);
  const { answer, usage, tooLong } = replies[form];
  return tokens > window
    ? Response.json(tooLong(tokens, window), { status: 400 })
    : Response.json({ ...answer, usage: usage(tokens) });
}

/** What is wrong with what arrived for one request. */
function problemsIn({ asked, arrived, status }: Sent, { form, window }: Plan): string[] {
  const { said, rest, names } = asked;
  const unread = unreadIn(said);
  const staying = said.filter((one) => one.by === 'system' || one.by === 'user' || unread.includes(one));
  const least = staying.reduce((sum, { raw }) => sum + tokensOf(raw), tokensOf(rest));
  const fits = least <= 0.9 * (window - 0.2 * reserve);
  // Providers bill up to half as much again as is counted, and ctx knows that.
  const surelyFits = 1.6 * least + 1_500 <= window - reserve;
  const originals = new Map(said.map(({ raw }) => [JSON.stringify(JSON.parse(raw)), raw]));
  return [
    ...arrived.flatMap((body) => {
      const native = JSON.parse(body) as { messages: unknown[] };
      const codec =
        form === 'chat'
          ? openaiCodec.validate(native.messages as never)
          : anthropicCodec.validate(native as never);
      const otherwise = native.messages.find(
        (one) => !body.includes(originals.get(JSON.stringify(one)) ?? ''),
      );
      const strange = [...body.matchAll(/<<(\w+)>>/g)].find(([, name = '']) => !names.has(name));
      const cut =
        arrived.length === 1 && surelyFits ? unread.find(({ raw }) => !body.includes(raw)) : undefined;
      return [
        ...(body.startsWith('{"messages":[') && bare(body).endsWith(bare(rest))
          ? []
          : ['bytes: around the messages']),
        ...(otherwise === undefined ? [] : [`bytes: ${JSON.stringify(otherwise).slice(0, 200)}`]),
        ...(strange === undefined ? [] : [`own: words of ${strange[1]} in a request of ${[...names]}`]),
        ...codec.slice(0, 1).map((broken) => `valid: ${JSON.stringify(broken).slice(0, 300)}`),
        ...(cut === undefined ? [] : [`unread: ${cut.raw.slice(0, 200)}`]),
      ];
    }),
    ...(fits && status !== 200 ? [`answered: ${status}, although ${least} of ${window} tokens fit`] : []),
  ];
}

/** Without blanks: those between members are not kept. */
const bare = (text: string) => text.replace(/\s+/g, '');

/** What the model has not read, and the newest message of the user. */
function unreadIn(said: readonly Said[]): Said[] {
  const answer = said.findLastIndex(({ by }) => by === 'assistant');
  const rest = answer < 0 ? [] : said.slice(said[answer]?.calls === true ? answer : answer + 1);
  return [...new Set([...rest, ...said.filter(({ by }) => by === 'user').slice(-1)])];
}

/**
 * Requests with the same bytes that arrived as others. Once a longer one that goes on from them has arrived, a request may be a question to
 * an older state.
 */
function unlike(sent: readonly Sent[]): string[] {
  return sent.flatMap((one, at) => {
    const other = sent.slice(at + 1).find(({ asked }) => asked === one.asked);
    const first = Math.min(one.before, other?.before ?? 0);
    const isOlder = sent.some(
      ({ asked: { said }, before }) =>
        before > first &&
        said.length > one.asked.said.length &&
        one.asked.said.every((each, nth) => each === said[nth]),
    );
    const isSame = other === undefined || isOlder || one.arrived.at(-1) === other.arrived.at(-1);
    return isSame ? [] : [`same: ${[...one.asked.names]} asked twice at once`];
  });
}

test('requests of agents at once, and forks among them, are each sent as their own, valid, and with what is unread', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => expect(await problemsOf(plan)).toEqual([])),
    { numRuns: 8 },
  );
});

const noKey = () => {
  throw new Error('no key');
};
const messagesOf = (body: string) => JSON.parse(body) as { messages: { role: string }[] };
test.each<[string, Plant]>([
  ['bytes', { arrives: (body) => JSON.stringify(messagesOf(body)) }],
  ['own', { arrives: (body) => body.replace('<<a0>>', '<<b9>>') }],
  [
    'valid',
    {
      arrives(body) {
        const { messages, ...rest } = messagesOf(body);
        return JSON.stringify({ ...rest, messages: messages.filter(({ role }) => role !== 'assistant') });
      },
    },
  ],
  ['unread', { arrives: (body) => body.replace(/<<a0>>(?!.*<<a0>>)/s, '…') }],
  ['same', { arrives: (body, number) => body.replace('<<', `${number}<<`) }],
  ['answered', { arrives: (body) => body.padEnd(200_000) }],
  ['managed', { options: { conversation: noKey } }],
])('%s: what breaks it on the way is found', async (law, plant) => {
  const found: string[] = [];
  for (const plan of fc.sample(anyPlan, { numRuns: 20, seed: 1 })) {
    found.push(...(await problemsOf(plan, plant)));
    if (found.some((problem) => problem.startsWith(law))) return;
  }
  expect(found).toContainEqual(expect.stringMatching(`^${law}:`));
});
