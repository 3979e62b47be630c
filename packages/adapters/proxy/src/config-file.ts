import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf } from '@ctx/conversation';
import type { ProxyOptions } from './proxy-options.js';
import { invalid } from './upstreams.js';

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

/**
 * Options with those in a file: what is given goes before what the file says.
 * @throws ConfigError `config-invalid` for a file that cannot be read or holds no options
 */
export async function withOptionsIn(file: string, given: ProxyOptions): Promise<ProxyOptions> {
  const inFile = await optionsIn(file);
  const config = { ...inFile.config, ...given.config };
  return { ...inFile, ...given, ...(Object.keys(config).length > 0 && { config }) };
}
