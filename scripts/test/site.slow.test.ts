import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What an expression is that uses the exports of a module of the site. */
function evaluated(module: string, expression: string): unknown {
  const url = pathToFileURL(join(__dirname, '../../site', module)).href;
  const code = `const site = await import(${JSON.stringify(url)}); console.log(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '-e', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test.each([
  ['docs/guide/pin.md', 'streaming.md', '/guide/streaming'],
  ['docs/guide/pin.md', '../errors.md#message-not-in-view', '/errors#message-not-in-view'],
  ['docs/guide/pin.md', '#with-an-sdk', '#with-an-sdk'],
  ['docs/README.md', '../README.md#try-it', '/#try-it'],
  ['docs/README.md', 'decisions/README.md', '/decisions/'],
  ['README.md', 'packages/adapters/fetch', '/packages/adapters/fetch'],
  ['README.md', 'docs/README.md', '/contents'],
  ['packages/core/README.md', 'https://example.com/a', 'https://example.com/a'],
])('in %s, %s leads to %s on the site', (file, link, href) => {
  expect(evaluated('links.mjs', `site.hrefOf(${JSON.stringify(file)}, ${JSON.stringify(link)})`)).toBe(href);
});

test('a link to a file that is no page is plain text on the site', () => {
  expect(evaluated('links.mjs', `site.hrefOf('README.md', 'examples/agents/openai.ts') ?? null`)).toBe(null);
});

test('the menu of the site is made of the sections of docs/README.md', () => {
  const contents =
    '# Docs\n\nText.\n\n## Start\n\n- [`pin`](guide/pin.md): says it\n\n## More\n\n- [A](errors.md)\n';
  expect(evaluated('contents.mjs', `site.sidebar(${JSON.stringify(contents)})`)).toEqual([
    { text: 'Start', items: [{ text: 'pin', link: '/guide/pin' }] },
    { text: 'More', items: [{ text: 'A', link: '/errors' }] },
  ]);
});

test('a link of a built page that leads nowhere is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-site-'));
  const pages = {
    'index.html':
      '<a href="/guide/one">1</a><a class="x" href="/guide/one#top">2</a><a href="https://example.com">3</a><a href="./guide/">4</a>',
    'guide/index.html': '<a href="one.html">1</a><a href="#none">2</a>',
    'guide/one.html':
      '<h1 id="top"></h1><a href="/gone">1</a><a href="/#a&amp;b">2</a><a href="../file.svg">3</a>',
    'file.svg': '',
  };
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  expect(evaluated('dead-links.mjs', `site.deadLinks(${JSON.stringify(folder)})`)).toEqual(
    expect.arrayContaining([
      { page: 'guide/index.html', link: '#none' },
      { page: 'guide/one.html', link: '/gone' },
      { page: 'guide/one.html', link: '/#a&b' },
    ]),
  );
  expect(evaluated('dead-links.mjs', `site.deadLinks(${JSON.stringify(folder)}).length`)).toBe(3);
  rmSync(folder, { recursive: true });
});
