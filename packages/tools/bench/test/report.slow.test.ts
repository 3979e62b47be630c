import type { Browser } from 'playwright-core';
import { renderReport } from '../src/report/render-report.js';
import { axeViolations, describeInBrowser, launchBrowser, openPage } from './browser-page.js';
import { emptyAbout, hostileAbout, hostileTables, hostileText } from './odd-reports.js';
import { sampleAbout, sampleTables } from './report-sample.js';
import { readingSession, replayedSession } from './session-sample.js';

describeInBrowser('the page in a browser', () => {
  let browser: Browser;
  let sample = '';

  beforeAll(async () => {
    sample = await renderReport(sampleTables, sampleAbout, await replayedSession(readingSession(20)));
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
  });

  const open = (html: string, width?: number, colorScheme?: 'light' | 'dark') =>
    openPage(browser, html, width, colorScheme);

  /** Runs in the page as text, because the tests' types have no DOM. */
  const lowContrasts = `(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const parse = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([r, g, b]) => {
      const [lr, lg, lb] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * lr + 0.7152 * lg + 0.0722 * lb;
    };
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour[3] === 255) return colour;
      }
      return [255, 255, 255, 255];
    };
    const ratio = (a, b) => {
      const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
      return (high + 0.05) / (low + 0.05);
    };
    const low = [];
    let checked = 0;
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('script, noscript') || !element.checkVisibility()) continue;
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (!hasText) continue;
      const style = getComputedStyle(element);
      const paint = element.closest('svg') ? style.fill : style.color;
      if (paint.startsWith('url') || parse(paint)[3] !== 255) continue;
      checked += 1;
      const found = ratio(parse(paint), behind(element));
      if (found < 4.5) low.push((element.textContent || paint) + ' ' + found.toFixed(2));
    }
    return { low, checked };
  })()`;

  const looks = [
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const;

  it.each(looks)('is quiet, fits and is readable at %i, %s', async (width, scheme) => {
    const { page, faults } = await open(sample, width, scheme);
    for (const summary of await page.locator('main summary').all()) await summary.click();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.locator('.seen').first().waitFor();
    const { low, checked } = await page.evaluate<{ low: string[]; checked: number }>(lowContrasts);
    expect(low).toEqual([]);
    expect(checked).toBeGreaterThan(100);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('runs no code from a text, and is quiet when empty', async () => {
    const { page, faults } = await open(await renderReport(hostileTables, hostileAbout), 390);
    expect(await page.locator('tbody th').textContent()).toBe(hostileText);
    expect(await page.evaluate('globalThis.harmed === undefined && document.images.length === 0')).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setContent(await renderReport([], emptyAbout));
    expect(await page.locator('main').textContent()).toContain('This report is empty');
    expect(faults).toEqual([]);
    await page.close();
  });
});
