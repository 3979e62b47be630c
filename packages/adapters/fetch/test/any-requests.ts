import fc from 'fast-check';

/** What happens in a round: everybody goes on, some ask twice, and somebody may go another way from an earlier request of another. */
interface Round {
  /** Answers and asks the next thing, or makes a call for each of these sizes, in percent of the window. */
  readonly results: readonly number[];
  readonly twice: boolean;
  readonly fork: number | undefined;
}

/** What a round needs to be asked: who speaks which API, with which window, and how JSON is written. */
export interface Plan {
  readonly form: 'chat' | 'messages';
  readonly window: number;
  readonly indent: string;
  readonly rounds: readonly Round[];
}

export interface Said {
  readonly by: 'system' | 'user' | 'assistant' | 'results';
  readonly calls: boolean;
  /** The message as it is written in each request. */
  readonly raw: string;
}

/** A request, and the names of those whose words it may have. */
export interface Asked {
  readonly names: ReadonlySet<string>;
  readonly said: readonly Said[];
  /** Everything behind the messages. */
  readonly rest: string;
  readonly body: string;
}

const anyRound = fc.record({
  results: fc.oneof(
    fc.constant([]),
    fc.array(fc.oneof(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 15, max: 60 })), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.tuple(fc.integer({ min: 1, max: 60 })),
  ),
  twice: fc.boolean(),
  fork: fc.option(fc.nat(), { nil: undefined }),
});
export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  form: fc.constantFrom('chat', 'messages'),
  window: fc.integer({ min: 5_000, max: 15_000 }),
  indent: fc.constantFrom('', ' ', '\n  '),
  rounds: fc.array(anyRound, { minLength: 3, maxLength: 7 }),
});

/** The numbers of a request that JavaScript would write otherwise. */
const long = '12345678901234567890';
const written = (value: unknown, indent: string) =>
  JSON.stringify(value, null, indent)
    .replaceAll('/', '\\/')
    .replaceAll('"LONG"', long)
    .replaceAll('ö', '\\u00f6');

/** Lines that begin with a name, so that each shows whose it is. */
const text = (name: string, tokens: number) =>
  Array.from(
    { length: Math.ceil(tokens / 10) },
    (_, at) => `<<${name}>> ${at} größer src/${at}.ts 世界 failed`,
  ).join('\n');

const most = 4;

/** The requests of each round, which are sent at once. */
export function roundsOf({ form, window, indent, rounds }: Plan): Asked[][] {
  const isChat = form === 'chat';
  const raw = (by: Said['by'], message: object, calls = false): Said => {
    return { by, calls, raw: written(message, indent) };
  };
  const user = (name: string) =>
    raw('user', { role: 'user', content: text(name, 30), ...(isChat && { x_id: 'LONG' }) });
  const system = isChat ? [raw('system', { role: 'system', content: 'Be brief.' })] : [];
  const fields = isChat
    ? { model: 'gpt-5' }
    : { model: 'claude-sonnet-4-5', max_tokens: 1_000, system: 'Be brief.' };
  const rest = `],${written({ ...fields, x_cost: 'LONG' }, indent).slice(1)}`;
  const step = (name: string, sizes: readonly number[], turn: number): Said[] => {
    const content = text(name, 40);
    if (sizes.length === 0) return [raw('assistant', { role: 'assistant', content }), user(name)];
    const calls = sizes.map((size, at) => ({
      id: `call_${name}_${turn}_${at}`,
      output: text(name, (size * window) / 100),
    }));
    const input = { path: `src/${name}.ts` };
    if (isChat) {
      const read = { name: 'read', arguments: written(input, indent) };
      const tool_calls = calls.map(({ id }) => ({ id, type: 'function', function: read }));
      return [
        raw('assistant', { role: 'assistant', content: null, tool_calls }, true),
        ...calls.map(({ id, output }) => raw('results', { role: 'tool', tool_call_id: id, content: output })),
      ];
    }
    const read = { type: 'tool_use', name: 'read', input: { ...input, x: 'LONG' } };
    const asked = [{ type: 'text', text: content }, ...calls.map(({ id }) => ({ ...read, id }))];
    const results = calls.map(({ id, output }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: output,
    }));
    return [
      raw('assistant', { role: 'assistant', content: asked }, true),
      raw('results', { role: 'user', content: results }),
    ];
  };
  let branches = ['a0', 'b0'].map((name) => ({
    name,
    names: new Set([name]),
    said: [...system, user(name)],
  }));
  return rounds.map(({ results, twice, fork }, turn) => {
    branches = branches.map((one) => ({ ...one, said: [...one.said, ...step(one.name, results, turn)] }));
    const from = branches[(fork ?? 0) % branches.length];
    if (fork !== undefined && from !== undefined && branches.length < most) {
      const name = `f${turn}`;
      const users = from.said.flatMap(({ by }, at) => (by === 'user' ? [at + 1] : []));
      const said = [...from.said.slice(0, fork % 2 === 0 ? undefined : users[fork % users.length])];
      const names = new Set([...from.names, name]);
      branches.push({ name, names, said: [...said, ...step(name, [1], turn)] });
    }
    return branches.flatMap(({ names, said }) => {
      const body = `{"messages":[${said.map((each) => each.raw).join(`,${indent}`)}${rest}`;
      const one = { names, said, rest, body };
      return twice ? [one, one] : [one];
    });
  });
}
