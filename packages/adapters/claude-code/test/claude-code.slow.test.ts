import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ModelServer, type Script, startAnthropicServer } from '@ctx/servers';

/** Claude Code, where it is installed: `claude` in the path, or what CTX_CLAUDE names. */
const claude = [
  process.env.CTX_CLAUDE ?? '',
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'claude')),
].find(isProgram);
const testWithClaude = claude === undefined ? test.skip : test;
const title = (name: string) => (claude === undefined ? `${name} (skipped: claude is not installed)` : name);

const plugin = join(__dirname, '../plugin');
/** Two automatic compactions come into a turn that reads all files. */
const [files, lines] = [12, 700];
const nameOf = (at: number) => `mod${String(at).padStart(2, '0')}.js`;
const textOf = (at: number) =>
  Array.from(
    { length: lines },
    (_, line) => `export const v${at}_${line} = mix(${at * line}, 'amber basin');`,
  ).join('\n');

let folder: string;
let server: ModelServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-mod-'));
  mkdirSync(join(folder, 'work'));
  for (let at = 1; at <= files; at += 1) writeFileSync(join(folder, 'work', nameOf(at)), textOf(at));
  server = await startAnthropicServer({ script: reading(join(folder, 'work')) });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

testWithClaude(
  title('/compact asks no model, its undo brings everything back, and the session goes on after a restart'),
  async () => {
    const first = await converse([
      'Read 1 to 3.',
      '/compact',
      'Read 4 to 5.',
      '/ctx',
      '/ctx find v2_699',
      '/compact ctx undo',
      'Thanks.',
    ]);
    expect(problems()).toEqual([]);
    expect(first.logs).toEqual([
      expect.stringMatching(/→ .* no model asked/),
      'the last compaction is undone',
    ]);
    expect(first.results[3]).toMatch(/1\. manual: .* → .* tokens/);
    expect(first.results[4]).toContain("export const v2_699 = mix(1398, 'amber basin');");
    expect(shownIn(newest())).toContain('v1_350');
    const asked = server.requests.length;
    const second = await converse(['Read 6 to 6.', '/compact', 'Thanks again.'], ['--continue']);
    expect(problems(asked)).toEqual([]);
    expect(second.logs).toEqual([expect.stringMatching(/no model asked/)]);
    expect(shownIn(newest())).not.toContain('v1_350');
  },
  240_000,
);

testWithClaude(
  title(
    'automatic compactions within a turn with thinking are made from the originals, and outlive a restart',
  ),
  async () => {
    const { logs } = await converse([`Read 1 to ${files}.`, 'Thanks.'], [], {
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000',
    });
    expect(problems()).toEqual([]);
    expect(logs.length).toBeGreaterThan(1);
    expect(logs.every((log) => log.includes('no model asked'))).toBe(true);
    // Two excerpts one after the other would be an excerpt of an excerpt.
    expect(shownIn(newest()).split(/\[Excerpt of what|\[Done so far/)).toHaveLength(2);
    const asked = server.requests.length;
    await converse(['Read 1 to 1.'], ['--continue']);
    expect(problems(asked)).toEqual([]);
  },
  240_000,
);

testWithClaude(
  title('a sub-agent is compacted from its own file, and goes on'),
  async () => {
    const { logs, results } = await converse(['Delegate.'], [], {
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000',
    });
    expect(problems()).toEqual([]);
    expect(results.at(-1)).toBe('Done.');
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.filter((log) => !log.includes('no model asked. '))).toEqual([]);
  },
  240_000,
);

testWithClaude(title('Claude Code finds nothing wrong with the plugin'), () => {
  const said = execFileSync(claude as string, ['plugin', 'validate', '--strict', plugin], {
    env: environment(),
  });
  expect(said.toString()).toContain('Validation passed');
});

/** Requests for an answer that were refused. */
function problems(from = 0): string[] {
  return server.requests
    .slice(from)
    .flatMap(({ outcome, problem }) => (outcome === 'accepted' ? [] : [problem ?? outcome]));
}

/** The newest request of the conversation itself. */
const newest = () =>
  server.requests.findLast(({ json }) => Array.isArray(json?.tools) && json.tools.length > 0);
const shownIn = (request: ReturnType<typeof newest>) => JSON.stringify(request?.json?.messages ?? []);

/** Reads the files that the newest prompt names, one in each round, or has a sub-agent read all. */
const reading = (work: string): Script => {
  let hasAsked = false;
  return ({ said, round, tools }) => {
    const thinking = 'It follows from what was read.';
    const prompt = said.findLast((text) => /Read \d+ to \d+\.|Thanks|Delegate/.test(text)) ?? '';
    if (prompt.includes('Delegate') && !hasAsked) {
      hasAsked = true;
      const input = {
        description: 'reads',
        prompt: `Read 1 to ${files}.`,
        subagent_type: 'general-purpose',
        run_in_background: false,
      };
      const name = tools.find((tool) => tool === 'Agent' || tool === 'Task') ?? '';
      return { thinking, text: 'I ask another.', calls: [{ name, input }] };
    }
    const [, from, to] = /Read (\d+) to (\d+)\./.exec(prompt) ?? [];
    const at = Number(from) + round;
    if (from === undefined || at > Number(to) || !tools.includes('Read'))
      return { thinking, text: 'Done.', calls: [] };
    const file_path = join(work, nameOf(at));
    return { thinking, text: `I read ${file_path}.`, calls: [{ name: 'Read', input: { file_path } }] };
  };
};

/** What is not on loopback is sent to a port where nobody listens. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    IS_SANDBOX: '1',
    ANTHROPIC_BASE_URL: server.url,
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

/** Says one prompt after another; gives the result of each, and what the mod logged. */
async function converse(
  prompts: readonly string[],
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
) {
  const args =
    '-p --input-format stream-json --output-format stream-json --verbose --model claude-sonnet-4-5';
  const own = ['--dangerously-skip-permissions', '--plugin-dir', plugin, ...flags];
  const child = spawn(claude as string, [...args.split(' '), ...own], {
    cwd: join(folder, 'work'),
    env: environment(env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [results, logs]: [string[], string[]] = [[], []];
  const left = [...prompts];
  const say = () => {
    const text = left.shift();
    if (text === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`);
  };
  say();
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { type: string; subtype?: string; text?: string; result?: string };
    if (event.subtype === 'ui_log') logs.push(String(event.text));
    if (event.type !== 'result') continue;
    results.push(String(event.result));
    say();
  }
  return { results, logs };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
