import { estimateTokens } from '@ctx/claude-code';
import { ContextPlugin } from '../agents/opencode.js';
import register from '../agents/pi.js';

const log = (name: string) =>
  Array.from(
    { length: 400 },
    (_, at) => `${name} line ${at}: shard ${at * 31} finished in ${at * 17} ms`,
  ).join('\n');
const names = Array.from({ length: 12 }, (_, at) => `job${at}`);

describe('in OpenCode', () => {
  const sessionID = 'ses';
  let made = 0;
  const message = (role: 'user' | 'assistant', ...parts: object[]) => {
    made += 1;
    const model = { providerID: 'here', modelID: 'small' };
    return {
      info: { id: `msg${made}`, role, sessionID, ...(role === 'user' && { model }) },
      parts: parts as { type: string; text?: string }[],
    };
  };
  const says = (text: string) => ({ type: 'text', text });
  const runs = (name: string) =>
    message('assistant', says(`I run ${name}.`), {
      type: 'tool',
      callID: name,
      tool: 'bash',
      state: { status: 'completed', input: { command: `./${name}` }, output: log(name) },
    });
  const start = message('user', says('Task: run all jobs.'));
  const long = [start, ...names.map(runs)];

  const said: string[] = [];
  const hostWith = (context: number) => {
    const providers = [{ id: 'here', models: { small: { limit: { context } } } }];
    const log = (entry: { body: { message: string } }) => said.push(entry.body.message);
    return { client: { config: { providers: async () => ({ data: { providers } }) }, app: { log } } };
  };

  async function plugin(context: number) {
    const hooks = await ContextPlugin(hostWith(context));
    return async (messages: readonly (typeof start)[]) => {
      const output = { messages: [...messages] };
      await hooks['experimental.chat.messages.transform']({}, output);
      return output.messages;
    };
  }

  test('what fits half of the window is sent as it is', async () => {
    const send = await plugin(1_000_000);
    expect(await send(long)).toEqual(long);
  });

  test('of more, an excerpt and the newest messages are sent', async () => {
    const send = await plugin(100_000);
    const sent = await send(long);
    expect(sent.length).toBeLessThan(long.length / 2);
    expect(sent[0]?.info.role).toBe('user');
    expect(sent[0]?.parts[0]?.text).toContain('Task: run all jobs.');
    expect(sent.slice(1)).toEqual(long.slice(long.length - sent.length + 1));
  });

  test('the cut stands still until the window is half full again', async () => {
    const send = await plugin(100_000);
    const sent = await send(long);
    const more = runs('job12');
    expect(await send([...long, more])).toEqual([...sent, more]);
  });

  test('a newest message that is large leaves no room for others beside it', async () => {
    const send = await plugin(100_000);
    const last = { ...runs('last'), parts: [...runs('a').parts, ...runs('b').parts, ...runs('c').parts] };
    expect(await send([...long, last])).toEqual([expect.anything(), last]);
  });

  test('an excerpt names no handle, because there is no recall', async () => {
    const send = await plugin(100_000);
    const [excerpt] = await send(long);
    expect(excerpt?.parts[0]?.text).toMatch(/^## bash .*of 400 lines\)$/m);
    expect(excerpt?.parts[0]?.text).not.toMatch(/#m\d/);
  });

  test('what other versions may leave out is passed over', async () => {
    const hooks = await ContextPlugin({
      client: { config: { providers: () => Promise.reject(new Error('offline')) }, app: { log: () => {} } },
    });
    const states = [{ status: 'pending' }, { status: 'completed', output: { size: 7 } }];
    const odd = message('assistant', ...states.map((state) => ({ type: 'tool', tool: 'bash', state })));
    const output = { messages: [start, odd, ...long.slice(1), ...names.map(runs)] };
    await hooks['experimental.chat.messages.transform']({}, output);
    expect(output.messages[0]?.parts[0]?.text).toContain('{"size":7}');
  });

  test('messages that were taken back take the cut with them', async () => {
    const send = await plugin(100_000);
    await send(long);
    expect(await send(long.slice(0, 2))).toEqual(long.slice(0, 2));
  });

  test('what fails is said, and everything is sent', async () => {
    const send = await plugin(100_000);
    const odd = { ...start, parts: [{ type: 'text', text: 7 as never }] };
    expect(await send([odd, ...long])).toHaveLength(long.length + 1);
    expect(said.at(-1)).toContain('nothing was cut');
  });

  test('with arrivals a large result is shortened and names the file that has all of it', async () => {
    const hooks = await ContextPlugin(hostWith(100_000), { arrivals: true });
    const output = { output: log('job') };
    await hooks['tool.execute.after']({ callID: 'c' }, output);
    expect(output.output.length).toBeLessThan(log('job').length / 2);
    expect(output.output).toMatch(/all of it: \S+c\.txt/);
  });
});

describe('in pi', () => {
  type Handler = (event: object, context: object) => Promise<unknown>;
  const handlers = new Map<string, Handler>();
  const tools: { name: string; execute: (...args: unknown[]) => Promise<unknown> }[] = [];
  const flags = { 'ctx-arrivals': true };
  beforeAll(() =>
    register({
      on: (event, handler) => void handlers.set(event, handler as never),
      registerTool: (tool) => void tools.push(tool as never),
      registerFlag: () => {},
      getFlag: (name) => flags[name as 'ctx-arrivals'],
    }),
  );
  const entries = [
    { type: 'message', id: 'e0', message: { role: 'user', content: 'Task: run all jobs.' } },
    ...names.flatMap((name, at) => {
      const call = { type: 'toolCall', id: name, name: 'bash', arguments: { command: `./${name}` } };
      const result = { toolCallId: name, content: [{ type: 'text', text: log(name) }] };
      return [
        { type: 'message', id: `c${at}`, message: { role: 'assistant', content: [call] } },
        { type: 'message', id: `r${at}`, message: { role: 'toolResult', ...result } },
      ];
    }),
  ];
  const said: string[] = [];
  const context = {
    ui: { notify: (text: string) => said.push(text) },
    sessionManager: { getBranch: () => entries },
    model: { contextWindow: 100_000 },
  };
  const preparation = {
    firstKeptEntryId: 'c9',
    tokensBefore: 80_000,
    settings: { keepRecentTokens: 20_000 },
  };

  /** What pi keeps in place of its older entries. */
  const compacted = async (more: object = {}, branchEntries: readonly unknown[] = entries) => {
    const event = { preparation: { ...preparation, ...more }, branchEntries };
    const answer = await handlers.get('session_before_compact')?.(event, context);
    return (answer as { compaction: { summary: string; firstKeptEntryId: string } } | undefined)?.compaction;
  };
  const tokensOf = (text = '') => 1.2 * estimateTokens(text);

  test('the summary is an excerpt of what is older than what pi keeps', async () => {
    const { summary = '', firstKeptEntryId } = (await compacted()) ?? {};
    expect(firstKeptEntryId).toBe('c9');
    expect(summary).toContain('Task: run all jobs.');
    expect(summary).not.toContain('job9 line');
    expect(summary.length).toBeLessThan(9 * log('job').length);
  });

  test('the newest of what is older is shortened too, because the model has read it', async () => {
    const made = await compacted({ settings: { keepRecentTokens: 100_000 } });
    expect(tokensOf(made?.summary)).toBeLessThan(4_100);
  });

  test('a task that is larger than the excerpt may be is shortened', async () => {
    const content = Array.from({ length: 20 }, (_, at) => log(`task ${at}`)).join('\n');
    const large = { type: 'message', id: 'e0', message: { role: 'user', content } };
    const made = await compacted({}, [large, ...entries.slice(1)]);
    expect(made?.summary).toContain('task 0 line 0:');
    expect(tokensOf(made?.summary)).toBeLessThan(1.5 * 12_000);
  });

  test('entries that are damaged are passed over', async () => {
    const odd = [
      null,
      { type: 'message', id: 'o1' },
      { type: 'message', id: 'o2', message: { role: 'user', content: [null, { type: 'text' }] } },
      { type: 'message', id: 'o3', message: { role: 'assistant', content: null } },
      { type: 'message', id: 'o4', message: { role: 'toolResult' } },
    ];
    expect((await compacted({}, [...odd, ...entries]))?.summary).toContain('Task: run all jobs.');
    expect(await handlers.get('tool_result')?.({ toolCallId: 'c' }, context)).toBeUndefined();
    expect(JSON.stringify(await tools[0]?.execute('id', {}, undefined, undefined, context))).toContain(
      'Give a handle',
    );
  });

  test('what fails is said, and pi compacts', async () => {
    expect(await compacted({ settings: undefined })).toBeUndefined();
    expect(said.at(-1)).toContain('so pi compacts');
  });

  test('recall finds what was said', async () => {
    const [tool] = tools;
    const found = await tool?.execute('id', { query: 'job7 shard 31' }, undefined, undefined, context);
    expect(JSON.stringify(found)).toContain('job7 line 1:');
  });

  test('a large result is shortened if that is asked for', async () => {
    const content = [{ type: 'text', text: log('job') }];
    const answer = await handlers.get('tool_result')?.({ toolCallId: 'c', content }, context);
    expect(JSON.stringify(answer)).toMatch(/all of it: \S+c\.txt/);
  });
});
