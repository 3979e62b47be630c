import { renderReport } from '../src/report/render-report.js';
import { emptyAbout, hostileAbout, hostileTables, hostileText } from './odd-reports.js';
import { sampleAbout, sampleTables } from './report-sample.js';
import { readingSession, replayedSession } from './session-sample.js';

const scriptsOf = (html: string) =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, body = '']) => body);
const withoutScripts = (html: string) => html.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');

describe('the page of a report', () => {
  it('loads nothing from outside and forbids loading', async () => {
    const html = await renderReport(sampleTables, sampleAbout, await replayedSession(readingSession(20)));
    const markup = withoutScripts(html);
    expect(markup).not.toMatch(/https?:\/\/|@import|url\(/);
    const links = [...markup.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, to = '']) => to);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((to) => !/^(#|data:)/.test(to))).toEqual([]);
    expect(html).toContain("default-src 'none'");
    const script = scriptsOf(html).at(-1) ?? '';
    expect(script).not.toMatch(/\bimport\s*[("'{*]|\bfetch\(|XMLHttpRequest|sourceMappingURL/);
  });

  it('has a language, a title, a skip link and landmarks', async () => {
    const html = await renderReport(sampleTables, sampleAbout, await replayedSession(readingSession(20)));
    for (const part of [
      '<html lang="en">',
      '<title>Context',
      'href="#main"',
      '<main id="main"',
      '<nav aria-label',
    ]) {
      expect(html).toContain(part);
    }
  });

  it('has each table as it is, with the name of each row', async () => {
    const html = await renderReport(sampleTables, sampleAbout);
    expect(html.match(/<caption>[^<]*/g)).toEqual(sampleTables.map(({ title }) => `<caption>${title}`));
    expect(html).toContain('<th scope="col">passage misses %</th>');
    expect(html).toContain('<tr><th scope="row">hybrid</th><td>6.2 ± 1.2</td><td>8.4</td>');
    expect(html).toContain('<dt>rewrites</dt><dd>Requests that do not begin');
  });

  it('keeps hostile texts as texts', async () => {
    const html = await renderReport(hostileTables, hostileAbout);
    const [json, script = '', ...more] = scriptsOf(html);
    expect(more).toEqual([]);
    expect(json).toBe('null');
    expect(script).not.toMatch(/<!--|<script/i);
    expect(withoutScripts(html)).not.toMatch(/<img/);
    expect(html).not.toContain(hostileText);
    expect(html.split('&lt;/script&gt;&lt;img src=x')).toHaveLength(5 + 1);
  });

  it('says so when there is nothing to show', async () => {
    expect(await renderReport([], emptyAbout)).toContain('This report is empty');
  });

  it('holds the steps of a session, and is small', async () => {
    const html = await renderReport(sampleTables, sampleAbout, await replayedSession(readingSession(20)));
    expect(html).toContain('data-mount="steps"');
    const packs = scriptsOf(html).slice(1, -1);
    expect(packs.length).toBeGreaterThan(1);
    for (const pack of packs) expect(pack).toMatch(/^[\w+/=]+$/);
    expect(html.length).toBeLessThan(200_000);
  });
});
