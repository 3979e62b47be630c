import { type Compacted, compact, type Row, sessionOf } from '@ctx/claude-code';
import { SessionFile } from './session-file.js';

type Next = (event: object) => unknown;
type Handler = ($: object, event: object, next: Next & object) => unknown;

// The hooks are tried with the sources in place of the bundle, which is made of them.
const compacting = jest.fn(compact);
jest.mock('../plugin/hooks/ctx.js', () => ({
  ...jest.requireActual<object>('@ctx/claude-code'),
  compact: (...all: Parameters<typeof compact>) => compacting(...all),
}));
const { register } = jest.requireActual<{ register: (on: object, options: object) => void }>(
  '../plugin/hooks/register.js',
);

/** As much of Claude Code as a compaction and `/ctx undo` meet: it asks the hooks, and writes what they return into the session's file. */
class Host {
  readonly file = new SessionFile();
  readonly logs: string[] = [];
  readonly answers: unknown[] = [];
  /** What `command.run` does; undefined: it compacts. */
  refusal: Error | undefined;
  /** Ms that it still waits for a hook. */
  readonly left = 9_500;
  readonly #handlers = new Map<string, Handler>();
  readonly #stopped = new AbortController();
  readonly #due: (() => Promise<void>)[] = [];

  constructor() {
    register((event: string, filter: object | Handler, handler = filter as Handler) => {
      const { tool = '' } = filter as { tool?: string };
      this.#handlers.set(event + tool, handler);
      return { catch: (failed: Handler) => this.#handlers.set(`${event}${tool} failed`, failed) };
    }, {});
  }

  get sent(): readonly Row[] {
    return sessionOf(this.file.text)?.sent ?? [];
  }

  readonly #host = {
    ui: { log: (text: string) => this.logs.push(text) },
    clock: { now: async () => 0, after: (_ms: number, then: () => Promise<void>) => this.#due.push(then) },
    session: {
      version: async () => ({ version: '2.1.332' }),
      info: async () => ({ transcriptPath: 'session.jsonl' }),
      usage: async () => ({ context: { window: 200_000, tokens: 50_000 } }),
    },
    fs: {
      stat: async () => ({ size: this.file.text.length }),
      read: async (_: string, { offset, length }: { offset: number; length: number }) =>
        this.file.text.slice(offset, offset + length),
    },
    command: {
      run: async ({ args }: { args: string }) => {
        if (this.refusal !== undefined) throw this.refusal;
        await this.compact(args);
      },
    },
  };

  async #ask(event: string, value: object): Promise<unknown> {
    const next = Object.assign(() => 'Claude Code compacts', {
      budget: { remainingMs: this.left },
      signal: this.#stopped.signal,
      called: false,
    });
    const answer = await this.#handlers.get(event)?.(this.#host, value, next);
    this.answers.push(answer);
    return answer;
  }

  /** Waits no more, and says so to the hook that it asks. */
  async giveUp(): Promise<void> {
    this.#stopped.abort();
    await this.compact('');
    await this.#ask('session.compact failed', {});
  }

  async compact(instructions: string): Promise<void> {
    const event = { trigger: 'manual', instructions, messages: this.sent };
    const answer = (await this.#ask('session.compact', event)) as { messages?: readonly Row[] };
    if (answer.messages !== undefined) this.file.replaced(answer.messages);
  }

  /** What a person types behind `/ctx`, and all that comes of it. */
  async ctx(args: string): Promise<void> {
    await this.#ask('command.run', { args });
    for (const then of this.#due.splice(0)) await then();
  }
}

const log = Array.from({ length: 900 }, (_, line) => `line ${line}: shard ${line * 31} is done`).join('\n');
const withoutHandles = (rows: readonly Row[]) => rows.map(({ handle: _, ...row }) => row);

let host: Host;
/** What the user asks for, the call and its log, and a question about it. */
function work(command: string, id: string) {
  host.file.user('Run the job.');
  host.file.response({ type: 'tool_use', id, name: 'Bash', input: { command } });
  host.file.result(id, log);
  host.file.response({ type: 'text', text: 'It is done.' });
  host.file.user('What does it print?');
  host.file.response({ type: 'text', text: 'Its shards.' });
}
beforeEach(() => {
  host = new Host();
  work('./job', 'a');
});

test('/ctx undo brings back what the last compaction replaced, and what was said since stays', async () => {
  const before = withoutHandles(host.sent);
  await host.compact('');
  expect(JSON.stringify(host.sent)).not.toContain('line 450');
  host.file.user('And now?');
  host.file.response({ type: 'text', text: 'Nothing.' });
  const since = withoutHandles(host.sent).slice(-2);

  await host.ctx('undo');
  expect(withoutHandles(host.sent)).toEqual([...before, ...since]);
  expect(host.answers).not.toContain('Claude Code compacts');
  expect(host.logs).toEqual([
    expect.stringMatching(/no model asked.*\/ctx undo brings it back/),
    'the last compaction is undone',
  ]);
});

test('of two compactions only the last is undone', async () => {
  await host.compact('');
  const first = withoutHandles(host.sent);
  work('./job again', 'b');
  const second = withoutHandles(host.sent);
  await host.compact('');
  expect(withoutHandles(host.sent)).not.toEqual(second);
  await host.ctx('undo');
  expect(withoutHandles(host.sent)).toEqual(second);
  expect(second.slice(0, first.length)).toEqual(first);
});

test('without a compaction there is nothing to undo, and no other is made', async () => {
  const before = host.file.text;
  await host.ctx('undo');
  expect(host.answers).toEqual([{ text: 'There is no compaction to undo.', isTextDisplayOnly: true }]);
  await host.compact('ctx undo');
  expect(host.answers.at(-1)).toEqual({ skip: 'there is no compaction to undo' });
  expect(host.file.text).toBe(before);
});

test('if Claude Code refuses the command, a line says so', async () => {
  await host.compact('');
  host.refusal = new Error('busy');
  await host.ctx('undo');
  expect(host.logs.at(-1)).toBe('undo failed: busy');
});

test('if a part of ctx fails, Claude Code compacts and a line says so', async () => {
  const fails = async (...[rows, options]: Parameters<typeof compact>): Promise<Compacted> => {
    expect(options.left?.()).toBe(host.left);
    const made = await compact(rows, options);
    return { ...made, report: { ...made.report, failed: 'It took too long.' } };
  };
  compacting.mockImplementationOnce(fails);
  await host.compact('');
  expect(host.answers).toEqual(['Claude Code compacts']);
  expect(host.logs).toEqual(['ctx failed, so Claude Code compacts: It took too long.']);
});

test('what is done after Claude Code has stopped waiting is not said to be done', async () => {
  await host.giveUp();
  expect(host.answers).toEqual([{ skip: expect.any(String) }, 'Claude Code compacts']);
  expect(host.logs).toEqual(['ctx took too long, so Claude Code compacts']);
});
