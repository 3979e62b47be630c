import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ModelServer,
  type Script,
  startAnthropicServer,
  startGeminiServer,
  startOpenAiServer,
} from '@ctx/servers';
import { root } from '../snippets/snippets.js';

const agents = join(root, 'examples/agents');
/** Tokens. All files that an agent reads are several times as much. */
const window = 12_000;
/** Lines that a newcomer reads at a glance. */
const fewLines = 40;
const tasks = Array.from({ length: 8 }, (_, task) => `Task ${task + 1}: what is in part ${task + 1}?`);

const providers = {
  openai: { start: startOpenAiServer, url: 'OPENAI_BASE_URL', path: '/v1', key: 'OPENAI_API_KEY' },
  anthropic: { start: startAnthropicServer, url: 'ANTHROPIC_BASE_URL', path: '', key: 'ANTHROPIC_API_KEY' },
  google: { start: startGeminiServer, url: 'GOOGLE_GEMINI_BASE_URL', path: '', key: 'GEMINI_API_KEY' },
};
const providerOf: Readonly<Record<string, keyof typeof providers>> = {
  'ai-sdk': 'openai',
  anthropic: 'anthropic',
  google: 'google',
  langchain: 'openai',
  openai: 'openai',
  'openai-responses': 'openai',
  'own-loop': 'openai',
};

/** Each task: one file, two at once, one file, and a sentence. */
const script: Script = ({ prompt, round }) => {
  const part = /\d+/.exec(prompt)?.[0];
  if (round === 3) return { thinking: 'Enough.', text: `Part ${part} holds notes.`, calls: [] };
  const files = round === 1 ? ['b', 'c'] : [round === 0 ? 'a' : 'd'];
  const calls = files.map((file) => ({ name: 'read_file', input: { path: `part-${part}-${file}.txt` } }));
  return { thinking: `Step ${round + 1}.`, calls };
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agents-'));
  for (const [task] of tasks.entries())
    for (const file of ['a', 'b', 'c', 'd']) {
      const name = `part-${task + 1}-${file}.txt`;
      const text = Array.from({ length: 60 }, (_, line) => `note ${line + 1} of ${name}, as it was written`);
      writeFileSync(join(folder, name), text.join('\n'));
    }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs an agent as its first lines say, in the folder of the files. */
function run(name: string, server: ModelServer): Promise<{ stdout: string; stderr: string }> {
  const { url, path, key } = providers[providerOf[name] as keyof typeof providers];
  const { PATH, HOME } = process.env;
  const own = { [url]: `${server.url}${path}`, [key]: 'none', CONTEXT_WINDOW: String(window) };
  const options = { cwd: folder, env: { PATH, HOME, ...own } };
  const args = ['--import', import.meta.resolve('tsx'), join(agents, `${name}.ts`), ...tasks];
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

test('every agent is tested', () => {
  expect(new Set(readdirSync(agents))).toEqual(new Set(Object.keys(providerOf).map((name) => `${name}.ts`)));
});

describe.each(Object.entries(providerOf))('%s', (name, provider) => {
  test(`has less than ${fewLines} lines`, () => {
    const lines = readFileSync(join(agents, `${name}.ts`), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThan(fewLines);
  });

  test('does all its tasks in a small window, is compressed on the way, and is refused nothing', async () => {
    const server = await providers[provider].start({ script, window });
    const { stdout, stderr } = await run(name, server);
    await server.close();
    expect({ stderr, problems: server.problems }).toEqual({ stderr: '', problems: [] });
    expect(stdout.trim().split('\n')).toEqual(tasks.map((_, task) => `Part ${task + 1} holds notes.`));
    expect(server).toMatchObject({ accepted: 4 * tasks.length, refused: 0 });
    const tokens = server.requests.map((request) => request.tokens ?? 0);
    // A history only grows, so a request that is smaller than the one before it was compressed.
    expect(tokens.filter((size, at) => size < (tokens[at - 1] ?? 0)).length).toBeGreaterThan(0);
    // The model saw something of every file.
    const read = server.requests.flatMap(({ raw }) => raw.toString().match(/of part-\d-\w\.txt, as/g) ?? []);
    expect(new Set(read).size).toBe(4 * tasks.length);
  });
});
