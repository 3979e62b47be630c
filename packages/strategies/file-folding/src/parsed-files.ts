import type { Definition } from './definitions/definition.js';
import { type ExtractOptions, extractDefinitions } from './definitions/extract.js';

/** The most definitions that are remembered. They take about 20 MB. */
const maxDefinitions = 100_000;

/** Definitions by file and version. The last used entry is at the end. */
const parsed = new Map<string, readonly Definition[]>();
let remembered = 0;

/**
 * Does what `extractDefinitions` does, but does not parse a file again that has not changed.
 * @param version differs for every file and every state of a file
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
