import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProxy } from '@ctx/proxy';
import { type ReceivedRequest, type Script, startAnthropicServer } from '@ctx/servers';

/** Claude Code, where it is installed: `claude` in the path, or what CTX_CLAUDE names. */
const claude = [
  process.env.CTX_CLAUDE ?? '',
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'claude')),
].find(isProgram);
const testWithClaude = claude === undefined ? test.skip : test;
const title = (name: string) => (claude === undefined ? `${name} (skipped: claude is not installed)` : name);

const files = 12;
const rule = 'Never touch mod03.js: the release job writes it.';
const prompts = [
  rule,
  'Task one: read mod01.js to mod06.js, one after another.',
  'Task two: read mod07.js to mod12.js, one after another.',
  'Yes, go on.',
];
const rulesOfProject = Array.from(
  { length: 100 },
  (_, at) => `- Keep handler h${at} in queue q${at} small, and log it.`,
);
const fileText = (at: number) =>
  Array.from(
    { length: 240 },
    (_, line) => `export const v${at}_${line} = mix(${at * line}, 'amber basin');`,
  ).join('\n');

testWithClaude(
  title('Claude Code sends the task and what the user typed in each request, after overflows too'),
  async () => {
    const { accepted, errors } = await session({ window: 64_000, overflowAt: [2, 9] });
    expect(errors).toEqual([]);
    // Each prompt, and a result for each file.
    expect(accepted).toHaveLength(prompts.length + files);
    expect(accepted.flatMap(lacking)).toEqual([]);
  },
  180_000,
);

/** What a request should show and does not. */
function lacking({ json }: ReceivedRequest): string[] {
  const text = JSON.stringify(json);
  const said = prompts.filter((prompt) => text.includes(prompt));
  const task = said.includes(prompts[2] as string) || !text.includes('mod07.js') ? [] : ['the second task'];
  const rules = rulesOfProject.filter((line) => !text.includes(line));
  return [...task, ...(text.includes(rule) ? [] : ['the rule']), ...rules];
}

/** Runs Claude Code with all prompts, through the proxy, in a folder of its own. */
async function session({ window, overflowAt }: { readonly window: number; readonly overflowAt: number[] }) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-claude-'));
  const work = join(folder, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'CLAUDE.md'), `# How we work\n\n${rulesOfProject.join('\n')}\n`);
  for (let at = 1; at <= files; at += 1) writeFileSync(join(work, nameOf(at)), fileText(at));
  const server = await startAnthropicServer({ script: reading(work), overflowAt });
  const proxy = await startProxy({ upstream: server.url, port: 0, config: { contextWindow: window } });
  try {
    const errors = await converse({ home: folder, work, url: proxy.url });
    const isMain = ({ json, outcome }: ReceivedRequest) =>
      outcome === 'accepted' && Array.isArray(json?.tools) && json.tools.length > 0;
    return { accepted: server.requests.filter(isMain), errors };
  } finally {
    await proxy.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = (at: number) => `mod${String(at).padStart(2, '0')}.js`;

/** The provider wants every answer to begin with a thought if one does. */
const thinking = 'It follows from what was read.';

/** Reads the six files of a task, and says that it is done. */
const reading =
  (work: string): Script =>
  ({ said, round, tools }) => {
    const newest = prompts.findLastIndex((prompt) => said.some((text) => text.includes(prompt)));
    const isTask = newest === 1 || newest === 2;
    if (!isTask || round >= files / 2 || !tools.includes('Read'))
      return { thinking, text: isTask ? 'All are read. Shall I look at more?' : 'Noted.', calls: [] };
    const file_path = join(work, nameOf((newest - 1) * (files / 2) + round + 1));
    return { thinking, text: `I read ${file_path}.`, calls: [{ name: 'Read', input: { file_path } }] };
  };

/** Says one prompt after another; gives what went wrong. Whatever is not on loopback is sent to a port where nobody listens. */
async function converse({
  home,
  work,
  url,
}: {
  readonly home: string;
  readonly work: string;
  readonly url: string;
}) {
  const args =
    '-p --input-format stream-json --output-format stream-json --verbose --model claude-sonnet-4-5';
  const child = spawn(claude as string, [...args.split(' '), '--dangerously-skip-permissions'], {
    cwd: work,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      IS_SANDBOX: '1',
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-test',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const errors: string[] = [];
  const left = [...prompts];
  const say = () => {
    const text = left.shift();
    if (text === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`);
  };
  say();
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { type: string; is_error?: boolean; result?: string };
    if (event.type !== 'result') continue;
    if (event.is_error === true) errors.push(String(event.result));
    say();
  }
  return errors;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
