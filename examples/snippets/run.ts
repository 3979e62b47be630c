import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, type Snippet, written } from './snippets.js';

/** What came of a snippet. */
export interface Ran {
  /** Why it failed, if it did. */
  readonly problem?: string;
  /** All that it printed, without the last line break. */
  readonly printed: string;
  /** What it wrote with `console.warn` and `console.error`, and what Node warned of, a line each. */
  readonly warned: string;
}

/** Where they run: with the files that they read. */
function folderWithFiles(): string {
  const folder = join(root, 'examples/.ctx/work');
  const sessions = join(root, 'examples/sessions');
  mkdirSync(join(folder, 'src'), { recursive: true });
  cpSync(sessions, join(folder, 'examples/sessions'), { recursive: true });
  cpSync(join(sessions, 'did-you-mean.anthropic.jsonl'), join(folder, 'sessions/one.jsonl'));
  cpSync(join(sessions, 'late-check.openai.jsonl'), join(folder, 'session.jsonl'));
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  writeFileSync(join(folder, 'src/app.ts'), 'class App {}\nfunction start() {}\n');
  writeFileSync(join(folder, 'src/app.py'), 'def start():\n    pass\n');
  return folder;
}

/** Starts strict servers, and puts their addresses where the SDKs look for them. */
const servers = `
import { startAnthropicServer, startGeminiServer, startOpenAiServer } from '@ctx/servers';
const [openai, anthropic, google] = await Promise.all([startOpenAiServer(), startAnthropicServer(), startGeminiServer()]);
Object.assign(process.env, {
  OPENAI_BASE_URL: openai.url + '/v1', OPENAI_API_KEY: 'none',
  ANTHROPIC_BASE_URL: anthropic.url, ANTHROPIC_API_KEY: 'none',
  GOOGLE_GEMINI_BASE_URL: google.url, GEMINI_API_KEY: 'none',
});
`;

const runner = (names: readonly string[], ran: string) => `
import { writeFileSync } from 'node:fs';
import { formatWithOptions } from 'node:util';
${servers}
const ran = {};
let printed = [];
let warned = [];
console.log = (...values) => printed.push(formatWithOptions({ colors: false }, ...values));
console.warn = console.error = (...values) => warned.push(formatWithOptions({ colors: false }, ...values));
process.on('warning', (warning) => warned.push(String(warning)));
for (const name of ${JSON.stringify(names)}) {
  [printed, warned] = [[], []];
  const problem = await import(name).then(() => undefined, (error) => String(error?.stack ?? error));
  ran[name] = { problem, printed: printed.join('\\n'), warned: warned.join('\\n') };
}
writeFileSync(${JSON.stringify(ran)}, JSON.stringify(ran));
process.exit();
`;

/**
 * Runs snippets one after the other in one process, as most of the time goes into loading.
 * @param node the program that runs them
 */
export function runSnippets(
  snippets: readonly Snippet[],
  node: string = process.execPath,
): ReadonlyMap<Snippet, Ran> {
  const nameOf = ({ file }: Snippet) => `./${relative(written, file)}`;
  const [all, outcomes] = [join(written, 'all.mjs'), join(written, 'ran.json')];
  rmSync(outcomes, { force: true });
  writeFileSync(all, runner(snippets.map(nameOf), outcomes));
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(written, 'tsconfig.json') };
  const args = ['--import', import.meta.resolve('tsx'), all];
  const options = { cwd: folderWithFiles(), encoding: 'utf8', env } as const;
  const { stdout, stderr } = spawnSync(node, args, options);
  const none = { problem: `${stdout}${stderr}`, printed: '', warned: '' };
  const ran: Record<string, Ran> = existsSync(outcomes) ? JSON.parse(readFileSync(outcomes, 'utf8')) : {};
  return new Map(snippets.map((snippet) => [snippet, ran[nameOf(snippet)] ?? none]));
}
