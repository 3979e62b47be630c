import { placeLabels, shortName, spreadApart } from '../src/report/page/label-places.js';
import { renderReport } from '../src/report/render-report.js';
import { emptyReport, hostileReport } from './odd-reports.js';
import { sampleReport } from './report-sample.js';

const scriptsOf = (html: string) =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, body = '']) => body);
const withoutScripts = (html: string) => html.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');

describe('the page of a report', () => {
  it('loads nothing from outside and forbids loading', async () => {
    const html = await renderReport(sampleReport(20));
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
    const html = await renderReport(sampleReport(20));
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

  it('keeps hostile texts as texts', async () => {
    const data = hostileReport();
    const html = await renderReport(data);
    const [json = '', pack = '', script = '', ...more] = scriptsOf(html);
    expect(more).toEqual([]);
    expect(JSON.parse(json)).toEqual({ report: data });
    expect(pack).toMatch(/^[\w+/=]+$/);
    expect(json).not.toContain('<');
    expect(script).not.toMatch(/<!--|<script/i);
    expect(withoutScripts(html)).not.toMatch(/<img/);
  });

  it('says so when there is nothing to show', async () => {
    expect(await renderReport(emptyReport)).toContain('This report is empty');
    const partly = await renderReport({ ...sampleReport(20), timelines: [], points: [] });
    expect(partly).toContain('This report has no timelines.');
    expect(partly).toContain('This report has no costs and miss rates.');
    expect(partly).not.toContain('This report is empty');
  });
});

describe('the names in a chart', () => {
  it('keep their distance, in their order and within bounds', () => {
    expect(spreadApart([50, 51, 10], 10, 0, 100)).toEqual([50, 60, 10]);
    expect(spreadApart([99, 98, 97], 10, 0, 100)).toEqual([100, 90, 80]);
    expect(spreadApart([], 10, 0, 100)).toEqual([]);
  });

  it('are placed where they hide no point, inside the chart', () => {
    const bounds = { left: 0, top: 0, right: 200, bottom: 100 };
    const points = [
      { x: 100, y: 50, name: 'first' },
      { x: 120, y: 50, name: 'next' },
      { x: 195, y: 20, name: 'edge' },
    ];
    expect(placeLabels(points, bounds).map((place) => place?.textAnchor)).toEqual(['end', 'start', 'end']);
    expect(shortName('a'.repeat(40))).toHaveLength(30);
  });
});
