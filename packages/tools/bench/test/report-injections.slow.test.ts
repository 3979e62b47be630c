import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { injections } from '@ctx/testing';
import type { Browser } from 'playwright-core';
import type { Candidate } from '../src/candidates/candidate.js';
import { reducing } from '../src/candidates/candidate.js';
import { candidates } from '../src/candidates/index.js';
import { loadSessions, reportOf, runBench, sessionFiles } from '../src/index.js';
import { renderReport } from '../src/report/render-report.js';
import { describeInBrowser, launchBrowser, openPage } from './browser-page.js';
import { hostileTexts } from './hostile-texts.js';

const texts = [...injections, ...hostileTexts];
const million = 'x'.repeat(1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, value: unknown) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
};

/** A session with the text everywhere: as a message, a tool, a path, a key and a result. */
const saidWith = (text: string, at: number) => [
  { role: 'user', content: text },
  {
    role: 'assistant',
    content: text,
    tool_calls: [
      {
        id: `${text}${at}`,
        type: 'function',
        function: {
          name: text,
          // Set explicitly, because an object literal cannot have a key of this name.
          arguments: `{"path":${JSON.stringify(text)},"__proto__":{"harmed":1},${JSON.stringify(`k${text}`)}:1}`,
        },
      },
    ],
  },
  { role: 'tool', tool_call_id: `${text}${at}`, content: text },
];

let made = 0;

/** Long enough to be cut and replayed. What is needed after a cut is said before it, and in no other session. */
function sessionOf(some: readonly string[]) {
  made += 1;
  const file = (at: number) => `src/session${made}/value-${at}.ts`;
  const many = Array.from({ length: 330 }, (_, at) => `export const value${at} = read('${file(at)}');`);
  return [
    { role: 'system', content: some[0] },
    { role: 'user', content: many.join('\n') },
    { role: 'assistant', content: 'I read them.' },
    ...some.flatMap(saidWith),
    ...Array.from({ length: 4 + some.length }, (_, at) => [
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: `See ${file(at)} again.` },
    ]).flat(),
  ];
}

/** The text as a file name, which may contain everything except `/` and NUL. */
const fileName = (text: string, at: number) =>
  `${[...text.replaceAll(/[\ud800-\udfff]/g, '').replaceAll('\0', '')].slice(0, 60).join('').replaceAll('/', '\u2215')} ${at}.json`;

const listed = ['oldest-removal', 'relevance'];
const hostileCandidates: readonly Candidate[] = [
  ...candidates.filter(({ name }) => listed.includes(name)),
  ...hostileTexts
    .slice(0, 2)
    .map((name) => reducing(name, 'baseline', (messages) => messages.filter((_, at) => at % 2 === 0))),
];

describeInBrowser('a report of hostile sessions', () => {
  let browser: Browser;
  let html = '';

  beforeAll(async () => {
    write('</script><img src=x onerror=globalThis.harmed=1>/all.json', {
      id: `${hostileTexts[0]}${million}`,
      source: `${hostileTexts[2]}${million}`,
      messages: [
        ...sessionOf(texts),
        { role: 'user', content: `${million}!` },
        { role: 'assistant', content: million },
      ],
    });
    for (const [at, text] of texts.entries()) {
      const named = { source: text, messages: sessionOf(['plain']) };
      write(`each/${fileName(text, at)}`, at % 2 === 0 ? named : { ...named, id: text });
    }
    const { sessions, errors } = await loadSessions(sessionFiles(folder));
    expect(errors).toEqual([]);
    expect(sessions).toHaveLength(texts.length + 1);
    // The first one and the last are measured; the others lend the last one's figures their names.
    const options = { candidates: hostileCandidates, limits: [4_000], timelines: true };
    const run = await runBench(sessions.slice(0, 1).concat(sessions.slice(-1)), options);
    const timeline = run.timelines.at(-1);
    const replay = run.replays.at(-1);
    if (timeline === undefined || replay === undefined) throw new Error('Nothing was measured');
    const named = sessions.map(({ id: session, source }) => ({ session, source }));
    const timelines = [...run.timelines, ...named.map((names) => ({ ...timeline, ...names }))];
    const replays = [...run.replays, ...named.map((names) => ({ ...replay, ...names }))];
    html = await renderReport(reportOf({ ...run, timelines, replays }, hostileTexts[2] ?? ''));
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
  });

  it.each([1280, 390])(
    'runs nothing, loads nothing and says nothing at %i, and keeps its policy',
    async (width) => {
      const { page, faults } = await openPage(browser, html, width);
      const select = page.locator('#timelines select');
      const sessions = await select.locator('option').count();
      for (const index of [0, Math.floor(sessions / 3), sessions - 1]) {
        await select.selectOption({ index });
        await page.locator('.bar').last().focus();
      }
      await page.locator('#curves select').first().selectOption({ index: 1 });
      await page.evaluate("document.querySelectorAll('thead button').forEach((header) => header.click())");
      const state = await page.evaluate(`({
      harmed: typeof globalThis.harmed,
      polluted: typeof ({}).harmed,
      address: location.href,
      base: document.baseURI,
      title: document.title,
      scripts: document.scripts.length,
      policies: [...document.querySelectorAll('meta[http-equiv]')].map((meta) => meta.httpEquiv + ' ' + meta.content.slice(0, 18)),
      loading: document.querySelectorAll('img, iframe, object, video, audio, base, form, link:not([href^="data:,"]), a:not([href^="#"]), use').length,
      handlers: [...document.querySelectorAll('*')].flatMap((one) => [...one.attributes]).filter(({ name }) => name.startsWith('on')).length,
      fits: document.documentElement.scrollWidth <= innerWidth,
    })`);
      expect(state).toEqual({
        harmed: 'undefined',
        polluted: 'undefined',
        address: 'about:blank',
        base: 'about:blank',
        title: 'Context compression report',
        scripts: 3,
        policies: ["Content-Security-Policy default-src 'none'"],
        loading: 0,
        handlers: 0,
        fits: true,
      });
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it('shows every text as text', async () => {
    const { page, faults } = await openPage(browser, html);
    const titles = await page.locator('#timelines option').allTextContents();
    await page
      .locator('#timelines select')
      .selectOption({ index: titles.findIndex((title) => title.includes('xxx')) });
    // Compared in the page, as JSON, because half a surrogate pair can't be transferred.
    const missing = await page.evaluate<string[]>(`(() => {
      const seen = new Set();
      for (const bar of document.querySelectorAll('[role=row]:first-child .bar')) {
        bar.focus();
        for (const one of document.querySelectorAll('.panel pre')) seen.add(JSON.stringify(one.textContent));
      }
      return ${JSON.stringify(texts.map((text) => JSON.stringify(text))).replaceAll('<', '\\u003c')}.filter((text) => !seen.has(text));
    })()`);
    expect(missing).toEqual([]);
    const named = texts.filter((text) => titles.some((title) => title.includes(`(${text}), to `)));
    expect(named).toHaveLength(texts.length);
    expect(Math.max(...titles.map((title) => title.length))).toBeLessThan(400);
    expect(faults).toEqual([]);
    await page.close();
  });
});
