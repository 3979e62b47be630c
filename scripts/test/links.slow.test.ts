import { join } from 'node:path';
import { check, type Files, offencesOf as offencesIn } from './checked-tree.js';

test('every link between the documents of this repository leads somewhere, and the menu of the site has every page', () => {
  expect(check('links', [], join(__dirname, '../..'))).toMatchObject({ status: 0, offences: [] });
});

describe('a document', () => {
  const offencesOf = (files: Files) => offencesIn('links', files);
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
