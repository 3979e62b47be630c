import type { Browser } from 'playwright-core';
import { renderReport } from '../src/report/render-report.js';
import { axeViolations, describeInBrowser, launchBrowser, openPage } from './browser-page.js';
import { emptyReport, hostileReport, hostileText } from './odd-reports.js';
import { sampleReport } from './report-sample.js';
import { readingSession, replayedSession } from './session-sample.js';

describeInBrowser('the page in a browser', () => {
  let browser: Browser;
  let sample = '';

  beforeAll(async () => {
    sample = await renderReport(sampleReport(), await replayedSession(readingSession(20)));
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
      const isSwatch = element.matches('.legend rect, .check line');
      if (!hasText && !isSwatch) continue;
      const style = getComputedStyle(element);
      const paint = isSwatch && element.matches('line') ? style.stroke : isSwatch ? style.fill : element.closest('svg') ? style.fill : style.color;
      if (paint.startsWith('url') || parse(paint)[3] !== 255) continue;
      checked += 1;
      const found = ratio(parse(paint), behind(element));
      if (found < (isSwatch ? 3 : 4.5)) low.push((element.textContent || paint) + ' ' + found.toFixed(2));
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

  it('sorts a table, the best first, and again at a press of a header', async () => {
    const { page } = await open(sample);
    const table = page.locator('#scores table');
    expect(await table.count()).toBe(1);
    const figures = async (column: number) =>
      (await table.locator(`tbody td:nth-child(${column})`).allTextContents()).map(Number.parseFloat);
    const header = (column: number) => table.locator('thead th').nth(column - 1);
    const down = (values: readonly number[]) => [...values].sort((a, b) => b - a);
    expect(await header(2).getAttribute('aria-sort')).toBe('descending');
    expect(await figures(2)).toEqual(down(await figures(2)));
    expect(await table.locator('tbody td:nth-child(2)').first().textContent()).toContain('± 1.2');
    await header(3).locator('.sort').focus();
    await page.keyboard.press('Enter');
    expect(await header(3).getAttribute('aria-sort')).toBe('ascending');
    expect(await figures(3)).toEqual(down(await figures(3)).reverse());
    await page.keyboard.press('Enter');
    expect(await header(3).getAttribute('aria-sort')).toBe('descending');
    expect(await figures(3)).toEqual(down(await figures(3)));
    await page.getByLabel('Limit').first().selectOption('64000 tokens');
    expect(await header(2).getAttribute('aria-sort')).toBe('descending');
    await page.close();
  });

  it('gives the star to the most of what is kept and the least of rewrites, never to a control', async () => {
    const { page } = await open(sample);
    const rows = await page.evaluate<string[][]>(
      "[...document.querySelectorAll('#scores tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))",
    );
    const best = (column: number) => rows.find((row) => row[column]?.includes('★'));
    const ranked = rows.filter(([name]) => name !== 'none');
    const figures = (column: number) => ranked.map((row) => Number.parseFloat(row[column] ?? ''));
    expect(Number.parseFloat(best(1)?.[1] ?? '')).toBe(Math.max(...figures(1)));
    expect(Number.parseFloat(best(2)?.[2] ?? '')).toBe(Math.min(...figures(2)));
    expect(rows.find(([name]) => name === 'none')?.join('')).not.toContain('★');
    await page.close();
  });

  it('explains a word under the pointer, with the focus and at a touch, until Escape', async () => {
    const { page, faults } = await open(sample, 390);
    const tip = page.locator('[role="tooltip"]');
    const mark = page.getByRole('button', { name: 'What is “rewrites”?' }).first();
    expect(await tip.isVisible()).toBe(false);
    await mark.focus();
    expect(await tip.textContent()).toContain('fewer are better');
    expect(await mark.getAttribute('aria-describedby')).toBe('tip');
    await page.keyboard.press('Escape');
    expect(await tip.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'What is “still there”?' }).first().hover();
    expect(await tip.textContent()).toContain('24 characters');
    await page.getByRole('button', { name: 'What is “cost”?' }).first().dispatchEvent('click');
    expect(await tip.textContent()).toContain('prompt caching');
    const box = await tip.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
    await page.locator('h1').click();
    expect(await tip.isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('handles a table without columns', async () => {
    const tables = [{ title: 'None', columns: [], rows: [], sortedBy: 1 }];
    const { page, faults } = await open(await renderReport({ ...emptyReport, tables }));
    expect(await page.locator('#scores table').count()).toBe(1);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('runs no code from a text, and is quiet when empty', async () => {
    const { page, faults } = await open(await renderReport(hostileReport()), 390);
    expect(await page.locator('tbody th').textContent()).toBe(hostileText);
    expect(await page.evaluate('globalThis.harmed === undefined && document.images.length === 0')).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setContent(await renderReport(emptyReport));
    expect(await page.locator('main').textContent()).toContain('This report is empty');
    expect(faults).toEqual([]);
    await page.close();
  });
});
