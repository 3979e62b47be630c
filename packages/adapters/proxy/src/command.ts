import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, homedir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf } from '@ctx/conversation';
import { CtxError } from '@ctx/core';
import { agentStart, upstreamIn } from './agents.js';
import { failureOf } from './command-failure.js';
import { type CommandLine, helpText, parseCommandLine } from './command-line.js';
import type { ProxyStatus } from './ledger.js';
import { ownPath, statusText } from './own-pages.js';
import type { ProxyOptions } from './proxy-options.js';
import { type RunningProxy, startProxy } from './server.js';
import { openStates } from './states/open-states.js';
import { invalid } from './upstreams.js';

/** The address of the store where none was named: a file of SQLite; `undefined`, for memory, where this machine has none. */
async function usualStore({ environment, err }: CommandHost): Promise<string | undefined> {
  const folder = environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local/state');
  const address = `sqlite:${join(folder, 'ctx/proxy.sqlite')}`;
  try {
    await (await openStates(address)).close();
    return address;
  } catch {
    err(
      '[ctx proxy] This Node has no SQLite: compressions are kept in memory and lost when the proxy stops.\n',
    );
    return undefined;
  }
}

/** What the command uses of its process. */
export interface CommandHost {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
  /** True where standard error is shown on a screen, which is the agent's while `run` runs one. @default true */
  readonly isOnScreen?: boolean | undefined;
  /** Resolves when the process is to end. */
  readonly ended: Promise<unknown>;
}

/** Runs `ctx proxy` with its arguments and gives the exit code. It throws nothing: an error is written to standard error in one line. */
export async function proxyCommand(args: readonly string[], host: CommandHost): Promise<number> {
  try {
    const line = parseCommandLine(args, host.environment.CTX_PROXY_TOKEN);
    if (line.task === 'help') {
      host.out(helpText);
      return 0;
    }
    const options = await optionsOf(line, host);
    if (line.task === 'status') return await showStatus(options, host);
    return line.task === 'run' ? await runAgent(line.agent, options, host) : await serve(options, host);
  } catch (error) {
    const { line, exitCode } = failureOf(error);
    host.err(`${line}\n`);
    return exitCode;
  }
}

/** What is given goes before what a file says. */
async function optionsOf({ task, config, options }: CommandLine, host: CommandHost): Promise<ProxyOptions> {
  const inFile = config === undefined ? {} : await optionsIn(config);
  const settings = { ...inFile.config, ...options.config };
  const all = { ...inFile, ...options, ...(Object.keys(settings).length > 0 && { config: settings }) };
  if (task === 'status') return all;
  return { ...all, store: all.store === 'memory' ? undefined : (all.store ?? (await usualStore(host))) };
}

/** Ms that answers may take to come to their end when the command is ended: as long as most do. A second signal ends it at once. */
const patienceMs = 30_000;

async function serve(options: ProxyOptions, host: CommandHost): Promise<number> {
  const proxy = await started(options, host, true);
  host.out(`ctx proxy listens on ${proxy.url}; what passes is shown on ${proxy.url}${ownPath}/\n`);
  await host.ended;
  await proxy.close(patienceMs);
  return 0;
}

/** @param isShown true to write warnings to standard error */
function started(options: ProxyOptions, host: CommandHost, isShown: boolean): Promise<RunningProxy> {
  return startProxy({
    ...options,
    environment: host.environment,
    onWarning: (warning) => {
      options.onWarning?.(warning);
      if (isShown) host.err(`[ctx proxy] ${warning.message} (${warning.code})\n`);
    },
  });
}

async function runAgent(agent: readonly string[], options: ProxyOptions, host: CommandHost): Promise<number> {
  const { environment } = host;
  const { token, port = 0, upstream = upstreamIn(environment) } = options;
  // The screen is the agent's: there the status shows warnings.
  const proxy = await started({ ...options, upstream, port }, host, host.isOnScreen === false);
  const base = token === undefined ? proxy.url : `${proxy.url}/ctx-token/${encodeURIComponent(token)}`;
  const start = agentStart(agent, base, environment);
  const [program = '', ...args] = start.command;
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...(environment as NodeJS.ProcessEnv), ...start.environment },
  });
  child.once('spawn', () => host.err(`ctx proxy: what passes is shown on ${proxy.url}${ownPath}/\n`));
  const code = await new Promise<number>((resolve) => {
    child.once('error', ({ code: value = 'unknown error' }: NodeJS.ErrnoException) => {
      const [problem, remedy] = ['The agent cannot be started', 'Check its name, and that it is installed.'];
      const error = new CtxError({ code: 'option-invalid', problem, place: program, value, remedy });
      host.err(`${failureOf(error).line}\n`);
      resolve(127);
    });
    // A process that was ended by a signal has the code that shells give it.
    child.once('exit', (exit, signal) =>
      resolve(exit ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)),
    );
    void host.ended.then(() => child.kill('SIGTERM'));
  });
  host.err(statusText(proxy.status()));
  await proxy.close();
  return code;
}

async function showStatus({ host: name = '127.0.0.1', port = 8787, token }: ProxyOptions, host: CommandHost) {
  const headers = token === undefined ? {} : { 'x-ctx-token': token };
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  const response = await fetch(`${address}${ownPath}/status`, { headers }).catch(() => undefined);
  if (response?.ok !== true)
    throw new CtxError({
      code: 'proxy-unreachable',
      problem: 'No proxy answers at this address',
      place: address,
      ...(response !== undefined && { value: response.status }),
      remedy: 'Start one, or give the --port, --host and --token with which it was started.',
    });
  host.out(statusText((await response.json()) as ProxyStatus));
  return 0;
}

/**
 * The options in a file: JSON, or a module that exports them by default.
 * @throws ConfigError `config-invalid` for a file that cannot be read or holds no options
 */
async function optionsIn(file: string): Promise<ProxyOptions> {
  const path = resolve(file);
  let value: unknown;
  try {
    value =
      extname(path) === '.json' ? JSON.parse(await readFile(path, 'utf8')) : (await moduleAt(path)).default;
  } catch (error) {
    const problem = `The file cannot be read (${codeOf(error)})`;
    throw invalid('config', file, problem, 'Check that the file exists and is valid.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(
      'config',
      file,
      'The file holds no options',
      'Export an object by default, such as { port: 8787 }.',
    );
  return value as ProxyOptions;
}

async function moduleAt(path: string): Promise<{ readonly default?: unknown }> {
  const isTypeScript = /^\.[cm]?ts$/.test(extname(path));
  const { typescript = false } = process.features as { readonly typescript?: unknown };
  if (!isTypeScript || typescript !== false) return import(pathToFileURL(path).href);
  const { createJiti } = await import('jiti');
  // Options may hold secrets, which nobody looks for in a cache of files.
  return createJiti(path, { fsCache: false }).import(path);
}
