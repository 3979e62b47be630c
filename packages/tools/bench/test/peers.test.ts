import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import { peerPackages } from '../src/candidates/candidates.js';
import { candidates, loadCounter } from '../src/index.js';

function missing(): never {
  throw Object.assign(new Error("Cannot find package 'ai'"), { code: 'ERR_MODULE_NOT_FOUND' });
}
jest.mock('ai', missing);
jest.mock('langchain', missing);

const peers = candidates.filter(({ kind }) => kind === 'peer');
const cut = { position: 0, prefix: [], prefixTokens: 0, systemTokens: 0, needed: [] };

test('there are peers', () => expect(peers.map(({ name }) => name)).toHaveLength(3));

test.each(peers.map((one) => [one.name, one] as const))(
  '%s says which packages to install, when it is loaded, compresses or replays',
  async (_, candidate) => {
    const tokensOf = await loadCounter();
    const replayed = candidate.replay?.({ model: {}, limit: -1, tokensOf });
    const failures = await Promise.all(
      [candidate.load?.(), candidate.compress({ cut, model: {}, budget: 1, tokensOf }), replayed?.view()].map(
        (one) => Promise.resolve(one).catch((error: unknown) => error),
      ),
    );
    for (const error of failures) {
      expect(CtxError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        code: 'package-missing',
        remedy: expect.stringContaining('npm install '),
      });
    }
  },
);

test('everything else needs no package', async () => {
  for (const { kind, load } of candidates) if (kind !== 'peer') expect(load).toBeUndefined();
});

test('what is to be installed is what the manifest lets work', () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
  const said = Object.values(peerPackages)
    .flat()
    .map((one) => /^(.+)@(\d+)$/.exec(one)?.slice(1));
  const allowed = Object.entries(peerDependencies as Record<string, string>).map(([name, range]) => [
    name,
    /^(?:\^|>=)(\d+)(?:\.|$)/.exec(range)?.[1],
  ]);
  expect(new Set(said.map(String))).toEqual(new Set(allowed.map(String)));
});
