import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const repository = join(__dirname, '../..');

function offencesIn(root: string): string[] {
  const script = join(repository, 'scripts/links.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  const offences = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(offences.length === 0 ? 0 : 1);
  return offences;
}

test('every link between the documents of this repository leads somewhere, and the menu of the site has every page', () => {
  expect(offencesIn(repository)).toEqual([]);
});

describe('a document', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ctx-links-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function offencesOf(files: Record<string, string>): string[] {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return offencesIn(root);
  }

  const guide = '# Guide\n\n## `id` of a *message*\n\n## Twice\n\n## Twice\n\n<a id="own"></a>\n';
  const tree = {
    'docs/README.md': '- [Guide](guide.md)\n- [Deep](inner/deep.md)\n',
    'docs/guide.md': guide,
    'docs/inner/deep.md': '# Deep\n',
    'packages/one/package.json': '{}',
    'packages/one/README.md': '# One\n\n## Options\n',
  };

  test.each([
    '[a](docs/guide.md), [b](docs/guide.md#id-of-a-message) and [c](docs/guide.md#twice-1)',
    '[an id](docs/guide.md#own), [a folder](packages/one), [its README](packages/one#options)',
    '[an address](https://example.com/a#b), [mail](mailto:a@example.com)',
    '`[code](gone.md)`\n\n```md\n[code](gone.md)\n```\n\n````\n```\n[code](gone.md)\n````',
    '# Top\n\n[up](#top) <img src="docs/guide.md">',
  ])('%j is fine', (text) => {
    expect(offencesOf({ ...tree, 'README.md': text })).toEqual([]);
  });

  test.each<[text: string, message: string]>([
    ['\n[a](docs/gone.md)', '2  links to docs/gone.md, which is not there'],
    ['[a](../outside.md)', '1  links to ../outside.md, which is not there'],
    ['[a](docs/guide.md#gone)', '1  links to docs/guide.md#gone, a heading that is not there'],
    ['[a](packages/one#gone)', '1  links to packages/one#gone, a heading that is not there'],
    ['[a](#gone)', '1  links to #gone, a heading that is not there'],
    ['`a` [b](gone.md) `c`', '1  links to gone.md, which is not there'],
    ['<img src="gone.svg">', '1  links to gone.svg, which is not there'],
    ['```\n```\n[a](gone.md)', '3  links to gone.md, which is not there'],
  ])('%j is not', (text, message) => {
    expect(offencesOf({ ...tree, 'README.md': text })).toEqual([`README.md:${message}`]);
  });

  test('of docs is in the menu once', () => {
    const offences = offencesOf({ ...tree, 'docs/new.md': '# New\n', 'docs/decisions/2026-01-01-a.md': '' });
    expect(offences).toEqual(['docs/new.md:1  is named 0 times in docs/README.md, not once']);
  });
});
