import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ModelServer, type Script, startAnthropicServer } from '@ctx/servers';

/** Where `npm run agents` installs what the lockfile in `program` says. */
const pinned = join(
  __dirname,
  '../../../../node_modules/.cache/ctx-agents/node_modules/@anthropic-ai',
  `claude-code-${process.platform}-${process.arch}`,
);

/** Claude Code, where it is installed: what CTX_CLAUDE names, the pinned version, or `claude` in the path. */
export const claude = [
  process.env.CTX_CLAUDE ?? '',
  join(pinned, 'claude'),
  join(pinned, 'claude.exe'),
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'claude')),
].find(isProgram);

const version =
  claude &&
  execFileSync(claude, ['--version'], { env: { HOME: tmpdir() } })
    .toString()
    .split(' ')[0];

/** A test with the real Claude Code, named with its version; skipped, with a word, where it is not installed. */
export function testWithClaude(name: string, run: () => Promise<void>): void {
  if (claude === undefined)
    test.skip(`${name} (skipped: Claude Code is not installed; npm run agents installs it)`, run);
  else test(`${name} (Claude Code ${version})`, run, 300_000);
}

export const plugin = join(__dirname, '../plugin');
/** Two automatic compactions come into a turn that reads all files. */
export const files = 12;
/** Of each file. */
const lines = 700;
export const nameOf = (at: number) => `mod${String(at).padStart(2, '0')}.js`;
const textOf = (at: number) =>
  Array.from(
    { length: lines },
    (_, line) => `export const v${at}_${line} = mix(${at * line}, 'amber basin');`,
  ).join('\n');

interface Talk {
  /** The folder of the plugin. @default ours */
  readonly mod?: string;
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Called after each result. */
  readonly after?: (results: number) => void;
}

/** A home and a folder with files, in which Claude Code talks to a model that reads them. */
export class Claude {
  readonly home = mkdtempSync(join(tmpdir(), 'ctx-mod-'));
  readonly work = join(this.home, 'work');
  #server: ModelServer | undefined;

  async start(): Promise<void> {
    mkdirSync(this.work);
    for (let at = 1; at <= files; at += 1) writeFileSync(join(this.work, nameOf(at)), textOf(at));
    this.#server = await startAnthropicServer({ script: reading(this.work) });
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  get requests() {
    return this.#server?.requests ?? [];
  }

  /** Why requests for an answer were refused. */
  problems(from = 0): string[] {
    return this.requests
      .slice(from)
      .flatMap(({ outcome, problem }) => (outcome === 'accepted' ? [] : [problem ?? outcome]));
  }

  /** All that any request showed, as JSON. */
  everything(): string {
    return JSON.stringify(this.requests.map(({ json }) => json?.messages ?? []));
  }

  /** The messages of the newest request of the conversation itself, as JSON. */
  shown(): string {
    const newest = this.requests.findLast(({ json }) => Array.isArray(json?.tools) && json.tools.length > 0);
    return JSON.stringify(newest?.json?.messages ?? []);
  }

  /** What is not on loopback is sent to a port where nobody listens. */
  environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      IS_SANDBOX: '1',
      ANTHROPIC_BASE_URL: this.#server?.url,
      ANTHROPIC_API_KEY: 'sk-test',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
      ...more,
    };
  }

  /** Says one prompt after another; gives the result of each, what the mod logged, and the session's id. */
  async converse(prompts: readonly string[], { mod = plugin, flags = [], env = {}, after }: Talk = {}) {
    const args =
      '-p --input-format stream-json --output-format stream-json --verbose --model claude-sonnet-4-5';
    const own = ['--dangerously-skip-permissions', '--plugin-dir', mod, ...flags];
    const child = spawn(claude as string, [...args.split(' '), ...own], {
      cwd: this.work,
      env: this.environment(env),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const [results, logs]: [string[], string[]] = [[], []];
    let session = '';
    const left = [...prompts];
    /** Results before the next prompt: the compaction that an undo starts has one, too. */
    let due = 0;
    const say = () => {
      const content = left.shift();
      due = content === '/ctx undo' ? 2 : 1;
      if (content === undefined) child.stdin.end();
      else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    };
    say();
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line) as Readonly<
        Record<'type' | 'subtype' | 'text' | 'result' | 'session_id', unknown>
      >;
      if (event.type === 'system' && event.subtype === 'init') session = String(event.session_id);
      if (event.subtype === 'ui_log') logs.push(String(event.text));
      if (event.type !== 'result') continue;
      results.push(String(event.result));
      after?.(results.length);
      due -= 1;
      if (due === 0) say();
    }
    return { results, logs, session };
  }
}

/** Reads the files that the newest prompt names, one in each round, or two at once, edits each, recalls words, or has a sub-agent do so. */
const reading = (work: string): Script => {
  let hasAsked = false;
  return ({ said, round, tools }) => {
    const thinking = 'It follows from what was read.';
    const prompt = said.findLast((text) => /(?:Read|Edit) \d+ to \d+\.|Thanks|Delegate:/.test(text)) ?? '';
    const [, task] = /^Delegate: (.+)/m.exec(prompt) ?? [];
    if (task !== undefined && !hasAsked) {
      hasAsked = true;
      const input = {
        description: 'works',
        prompt: task,
        subagent_type: 'general-purpose',
        run_in_background: false,
      };
      const name = tools.find((tool) => tool === 'Agent' || tool === 'Task') ?? '';
      return { thinking, text: 'I ask another.', calls: [{ name, input }] };
    }
    if (task !== undefined) return { thinking, text: 'Done.', calls: [] };
    const [, first, last] = /Edit (\d+) to (\d+)\./.exec(prompt) ?? [];
    if (first !== undefined && Number(first) + (round >> 1) <= Number(last)) {
      const at = Number(first) + (round >> 1);
      const file_path = join(work, nameOf(at));
      const edit = { file_path, old_string: `v${at}_1 =`, new_string: `w${at}_1 =` };
      const call = round % 2 === 0 ? { name: 'Read', input: { file_path } } : { name: 'Edit', input: edit };
      return { thinking, text: `I ${call.name} ${file_path}.`, calls: [call] };
    }
    const [, from, to, pairs] = /Read (\d+) to (\d+)\.( In pairs\.)?/.exec(prompt) ?? [];
    const step = pairs === undefined ? 1 : 2;
    const at = Number(from) + round * step;
    if (from === undefined || at > Number(to) || !tools.includes('Read')) {
      const [, query] = /Recall (.+)\./.exec(prompt) ?? [];
      const isNext = query !== undefined && at <= Number(to) + step && tools.includes('mcp__ctx__recall');
      const calls = isNext ? [{ name: 'mcp__ctx__recall', input: { query } }] : [];
      return { thinking, text: isNext ? 'I recall it.' : 'Done.', calls };
    }
    const paths = Array.from({ length: step }, (_, more) => join(work, nameOf(at + more)));
    const calls = paths.map((file_path) => ({ name: 'Read', input: { file_path } }));
    return { thinking, text: `I read ${paths.join(', ')}.`, calls };
  };
};

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
