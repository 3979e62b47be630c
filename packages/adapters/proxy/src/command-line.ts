import { parseArgs } from 'node:util';
import { type ApiName, apiNames } from './api-of.js';
import type { ProxyOptions } from './proxy-options.js';
import { invalid, type Upstream } from './upstreams.js';

/** What a command line asks for. */
export interface CommandLine {
  readonly task: 'serve' | 'run' | 'status' | 'help';
  /** What was said of the proxy; what is missing was not said. */
  readonly options: ProxyOptions;
  readonly config: string | undefined;
  /** The agent to run, with its arguments. */
  readonly agent: readonly string[];
}

export const helpText = `ctx proxy: keeps the conversations of any agent inside the window of its model.

  ctx proxy [OPTIONS]                    listens; give your agent its address as base URL
  ctx proxy run [OPTIONS] -- AGENT …     starts an agent that uses it
  ctx proxy status [OPTIONS]             says what passed and what was saved

  --port N             default 8787; 0 for any that is free
  --host NAME          default 127.0.0.1; elsewhere a token is needed
  --token TOKEN        what clients have to give; or CTX_PROXY_TOKEN in the environment
  --upstream URL       where all requests go; or API=URL, each once: ${apiNames.slice(0, 5).join(', ')},
                       ${apiNames.slice(5).join(', ')}
  --window N           tokens of the window, instead of that of the model
  --config FILE        more options, as JSON or as a module
  --store ADDRESS      sqlite:FILE, postgres://… or memory; default a file of SQLite in your home
  --summarize MODEL    has this model of the provider sum up what is compressed; true: the conversation's own model
  --recall             offers the model a tool that reads removed messages; the agent does not see it
  --archive ADDRESS    where --recall keeps texts: sqlite:FILE or postgres://…; default memory
  --dry-run            changes nothing, and says what would have been saved
`;

const options = {
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
  upstream: { type: 'string', multiple: true },
  window: { type: 'string' },
  config: { type: 'string' },
  store: { type: 'string' },
  summarize: { type: 'string' },
  recall: { type: 'boolean' },
  archive: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws ConfigError `config-invalid` for what the command does not take */
export function parseCommandLine(args: readonly string[], token?: string): CommandLine {
  const end = args.indexOf('--');
  const agent = end < 0 ? [] : args.slice(end + 1);
  const { values, positionals } = parsed(end < 0 ? args : args.slice(0, end));
  const [task = 'serve', ...more] = positionals;
  if (values.help === true) return { task: 'help', config: undefined, agent, options: {} };
  if (task === 'run' && more.length > 0)
    throw invalid(
      'arguments',
      more[0],
      'The agent comes after two dashes',
      `Write it so: run -- ${more.join(' ')}`,
    );
  if (!['serve', 'run', 'status', 'help'].includes(task) || more.length > 0)
    throw invalid(
      'arguments',
      more[0] ?? task,
      'There is no such command',
      'Use run, status, or none of them.',
    );
  if (task === 'run' && agent.length === 0)
    throw invalid('arguments', 'run', 'No agent is named', 'Write it after two dashes: run -- claude');
  const { window, upstream, config } = values;
  return {
    task: task as CommandLine['task'],
    config,
    agent,
    options: {
      ...(values.port !== undefined && { port: numberIn('port', values.port) }),
      ...(values.host !== undefined && { host: values.host }),
      ...((values.token ?? token) !== undefined && { token: values.token ?? token }),
      ...(upstream !== undefined && { upstream: upstreamIn(upstream) }),
      ...(values.store !== undefined && { store: values.store }),
      ...(values.summarize !== undefined && {
        summarize: values.summarize === 'true' || values.summarize,
      }),
      ...(values.recall !== undefined && { recall: values.recall }),
      ...(values.archive !== undefined && { archive: values.archive }),
      ...(values['dry-run'] !== undefined && { dryRun: values['dry-run'] }),
      ...(window !== undefined && { config: { contextWindow: numberIn('window', window) } }),
    },
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw invalid('arguments', args.at(-1), (error as Error).message.split('.')[0] ?? '', 'See --help.');
  }
}

function numberIn(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw invalid(name, text, 'This is not a number', 'Give a whole number.');
  return Number(text);
}

function upstreamIn(given: readonly string[]): Upstream {
  const [only = ''] = given;
  if (given.length === 1 && !apiNames.some((name) => only.startsWith(`${name}=`))) return only;
  return Object.fromEntries(
    given.map((one): [ApiName, string] => {
      const at = one.indexOf('=');
      return [one.slice(0, Math.max(0, at)) as ApiName, one.slice(at + 1)];
    }),
  );
}
