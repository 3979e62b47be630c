import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newNode } from '@ctx/agents-test';
import { type Ran, runSnippets } from '../snippets/run.js';
import { root, type Snippet, writeSnippets, written } from '../snippets/snippets.js';

const snippets = writeSnippets();

test.each(['true', 'false'])(
  'the types of every snippet are right, with the SDKs of the providers and exactOptionalPropertyTypes %s',
  (exact) => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '-p', written, '--exactOptionalPropertyTypes', exact];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
  },
);

/** Undefined where this Node is too old, and no newer one is made for this platform. */
const newerNode = newNode();
const isRun = ({ inJest, inNewerNode }: Snippet) => !inJest && !(inNewerNode && newerNode === undefined);

describe('a snippet runs:', () => {
  const run = snippets.filter(isRun);
  let ran: ReadonlyMap<Snippet, Ran>;
  beforeAll(() => {
    const [newer, others] = [run.filter((one) => one.inNewerNode), run.filter((one) => !one.inNewerNode)];
    ran = new Map([...runSnippets(others), ...runSnippets(newer, newerNode)]);
  });

  test.each(run.map((snippet) => [snippet.place, snippet] as const))('%s', (_place, snippet) => {
    const outcome = ran.get(snippet);
    expect(outcome?.problem).toBeUndefined();
    if (snippet.prints !== undefined) expect(outcome?.printed).toBe(snippet.prints); // else: npm run readme
  });
});
