import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProxyOptions } from './proxy-options.js';
import { invalid } from './upstreams.js';

/**
 * The options in a file: JSON, or a module that exports them by default. TypeScript needs a Node that reads it.
 * @throws ConfigError `config-invalid` for a file that can not be read or holds no options
 */
async function optionsIn(file: string): Promise<ProxyOptions> {
  const path = resolve(file);
  let value: unknown;
  try {
    value =
      extname(path) === '.json'
        ? JSON.parse(await readFile(path, 'utf8'))
        : ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    const remedy =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? 'This Node does not read TypeScript: use Node 24, or write the file as .mjs or .json.'
        : 'Check that the file exists and is valid.';
    throw invalid('config', file, `The file can not be read (${code ?? name})`, remedy);
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

/**
 * Options with those in a file: what is given goes before what the file says.
 * @throws ConfigError `config-invalid` for a file that can not be read or holds no options
 */
export async function withOptionsIn(file: string, given: ProxyOptions): Promise<ProxyOptions> {
  const inFile = await optionsIn(file);
  const config = { ...inFile.config, ...given.config };
  return { ...inFile, ...given, ...(Object.keys(config).length > 0 && { config }) };
}
