import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The oldest major of Node that newer SDKs say they need. */
const oldestMajor = 22;

/** The program of a Node that is new enough: the one that runs this, or the one in the platform's package; undefined if there is none. */
export function newNode(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= oldestMajor) return process.execPath;
  const { resolve } = createRequire(import.meta.url);
  try {
    const manifest = resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'bin/node');
  } catch {
    return undefined;
  }
}
