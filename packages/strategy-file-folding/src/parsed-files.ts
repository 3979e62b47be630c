import type { Definition } from './definitions/definition.js';
import { type ExtractOptions, extractDefinitions } from './definitions/extract.js';

/** All that is remembered, together: some 20 MB. */
const maxDefinitions = 100_000;

/** By file and version, the one used last at the end. */
const parsed = new Map<string, readonly Definition[]>();
let remembered = 0;

/**
 * As `extractDefinitions`, but a file that has not changed since is not parsed again.
 * @param version tells the states of all files apart
 */
export async function definitionsOf(
  text: string,
  version: string,
  options: ExtractOptions,
): Promise<readonly Definition[] | undefined> {
  const key = JSON.stringify([version, options.path, options.fallback]);
  const known = parsed.get(key);
  if (known !== undefined) {
    forget(key);
    remember(key, known);
    return known;
  }
  let failed = false;
  const onError = () => {
    failed = true;
  };
  const definitions = await extractDefinitions(text, { ...options, onError });
  if (definitions !== undefined && !failed) remember(key, definitions);
  return definitions;
}

function remember(key: string, definitions: readonly Definition[]): void {
  forget(key);
  parsed.set(key, definitions);
  remembered += definitions.length + 1;
  for (const oldest of parsed.keys()) {
    if (remembered <= maxDefinitions) return;
    forget(oldest);
  }
}

function forget(key: string): void {
  const known = parsed.get(key);
  if (known === undefined) return;
  parsed.delete(key);
  remembered -= known.length + 1;
}
