import type { Browser } from 'playwright-core';
import { renderReport } from '../src/report/render-report.js';
import { axeViolations, describeInBrowser, launchBrowser, openPage } from './browser-page.js';
import { emptyReport, hostileReport, hostileText } from './odd-reports.js';
import { sampleReport } from './report-sample.js';

describeInBrowser('the page in a browser', () => {
  let browser: Browser;
  let sample = '';

  beforeAll(async () => {
    sample = await renderReport(sampleReport());
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
    await page.focus('.bar[tabindex="0"]');
    for (const summary of await page.locator('main summary').all()) await summary.click();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.evaluate('document.querySelectorAll(".bar").length')).toBeGreaterThan(1200);
    const { low, checked } = await page.evaluate<{ low: string[]; checked: number }>(lowContrasts);
    expect(low).toEqual([]);
    expect(checked).toBeGreaterThan(200);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('leads the keyboard through the messages and shows each before and after', async () => {
    const { page, faults } = await open(sample);
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""');
    const panel = () => page.locator('.panel').textContent();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    for (let presses = 0; presses < 60; presses += 1) {
      if (await page.evaluate('document.activeElement.classList.contains("bar")')) break;
      await page.keyboard.press('Tab');
    }
    expect(await focused()).toMatch(/^1: system, system, 1,400 tokens/);
    expect(await page.evaluate('document.querySelectorAll(".bar[tabindex=\'0\']").length')).toBe(1);
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^2: user, user/);
    const names = await page.locator('#timelines .row-head b').allTextContents();
    for (let row = 0; row < names.indexOf('oldest-removal'); row += 1) await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^2: user, dropped, 0 of /);
    expect(await panel()).toMatch(/Reason: older than the last three turns/);
    expect(await panel()).toMatch(/Nothing is left of it/);

    await page.locator('.bar[aria-label*="result of"][aria-label*="truncated"]').first().focus();
    const shown = await panel();
    expect(shown).toMatch(/hybrid[\s\S]*truncated[\s\S]*→[\s\S]*Reason: the result is large/);
    expect(await page.locator('[aria-label="Text before"]').textContent()).toContain('const value19');
    const after = await page.locator('[aria-label="Text after"]').textContent();
    expect(after).toContain('const value0');
    expect(after).not.toContain('const value19');

    const title = () => page.locator('.panel h3').textContent();
    const pinned = await title();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    expect(await title()).toBe(pinned);
    expect(await page.evaluate('document.querySelectorAll(".bar[aria-selected=true]").length')).toBe(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
    expect(await title()).not.toBe(pinned);

    await page.keyboard.press('Control+End');
    expect(await panel()).toContain(names.at(-1));
    await page.locator('.bar[aria-label^="added 1"]').focus();
    expect(await panel()).toMatch(/added 1 · summary of 98 messages[\s\S]*What was done so far/);
    expect(await page.locator('.panel-head').getAttribute('aria-live')).toBe('polite');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('keeps the focused bar visible above the panel on a narrow screen, and moves nothing by itself', async () => {
    const { page } = await open(sample, 390);
    await page.locator('.bar[tabindex="0"]').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End']) {
      await page.keyboard.press(key);
      const isInSight = `(() => {
        const bar = document.activeElement.getBoundingClientRect();
        const panel = document.querySelector('.panel').getBoundingClientRect();
        return bar.top >= 0 && bar.bottom <= panel.top && bar.left >= 0 && bar.right <= innerWidth;
      })()`;
      expect(await page.evaluate(isInSight)).toBe(true);
    }
    expect(await page.evaluate('getComputedStyle(document.querySelector(".band")).transitionDuration')).toBe(
      '0s',
    );
    await page.close();
  });

  it('shows a message under the pointer and leaves a pinned one', async () => {
    const { page } = await open(sample);
    const bar = (row: number, at: number) => page.locator('[role="row"]').nth(row).locator('.bar').nth(at);
    await bar(1, 30).hover();
    expect(await page.locator('.panel h3').textContent()).toMatch(/^31 · /);
    await bar(1, 40).click();
    await bar(2, 50).hover();
    expect(await page.locator('.panel h3').textContent()).toMatch(/^41 · /);
    expect(await page.locator('.panel .tag').first().textContent()).toBe('none · pinned');
    await page.close();
  });

  it('draws what is chosen', async () => {
    const { page, faults } = await open(sample);
    const html = (selector: string) => page.locator(selector).innerHTML();
    const change = async (selector: string, act: () => Promise<unknown>) => {
      const before = await html(selector);
      await act();
      expect(await html(selector)).not.toBe(before);
    };
    await change('.rows', () => page.locator('#timelines select').selectOption({ index: 1 }));
    const rows = page.locator('#timelines [role="row"]');
    expect(await rows.count()).toBe(6);
    await page.locator('#timelines .chosen summary').click();
    await page.locator('#timelines input[type="checkbox"]').first().uncheck();
    expect(await rows.count()).toBe(5);
    await change('#curves .chart', () =>
      page.locator('#curves').getByLabel('Limit').selectOption('64,000 tokens'),
    );
    expect(await page.locator('#curves .chart').textContent()).toContain('limit 64,000');
    await page.locator('#curves .chosen summary').click();
    await change('#curves .chart', () => page.locator('#curves input[type="checkbox"]').first().uncheck());
    await change('#trade-off .chart', () => page.locator('#trade-off select').selectOption('64,000 tokens'));
    expect(await page.locator('#trade-off .card').textContent()).toContain('file-folding');
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
    await page.getByRole('button', { name: 'What is “folded”?' }).first().hover();
    expect(await tip.textContent()).toContain('names of its functions');
    await page.getByRole('button', { name: 'What is “cost”?' }).first().dispatchEvent('click');
    expect(await tip.textContent()).toContain('prompt caching');
    const box = await tip.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
    await page.locator('h1').click();
    expect(await tip.isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await page.close();
  });

  it.each([1280, 390])('keeps the names in the charts apart at %i', async (width) => {
    const { page } = await open(sample, width);
    for (const chart of ['#curves', '#trade-off']) {
      for (const summary of await page.locator(`${chart} .chosen summary`).all()) await summary.click();
      for (const box of await page.locator(`${chart} input[type="checkbox"]`).all()) await box.check();
      const overlaps = await page.evaluate<string[]>(`(() => {
        const names = [...document.querySelectorAll('${chart} .chart text.strong, ${chart} .chart .strong text')];
        const boxes = names.map((name) => [name.textContent, name.getBoundingClientRect()]);
        return boxes.flatMap(([one, a], at) => boxes.slice(at + 1)
          .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
          .map(([other]) => one + ' / ' + other));
      })()`);
      expect(overlaps).toEqual([]);
    }
    const ends = await page.evaluate(
      '[...document.querySelectorAll("#curves .chart text.strong, #curves .chart .strong text")].every((name) => name.getBoundingClientRect().right <= innerWidth)',
    );
    expect(ends).toBe(true);
    await page.close();
  });

  it('handles sessions without messages, replays without requests and missing figures', async () => {
    const session = { session: 's', source: 'x' };
    const bare = { candidate: 'a', tokens: 0, usableCtx: Number.NaN, isRanked: true, fates: [], added: [] };
    const { page, faults } = await open(
      await renderReport({
        ...emptyReport,
        tables: [{ title: 'None', columns: [], rows: [], sortedBy: 1 }],
        timelines: [
          { ...session, share: 0.5, messages: [], candidates: [] },
          { ...session, share: 0.2, messages: [], candidates: [bare] },
        ],
        replays: [
          {
            ...session,
            limit: 10,
            candidate: 'a',
            tokens: [],
            rewrites: 0,
            missRate: Number.NaN,
            cost: Number.NaN,
          },
        ],
        points: [{ candidate: 'a', limit: 10, cost: Number.NaN, missRate: 0 }],
      }),
    );
    await page.locator('#timelines select').selectOption({ index: 1 });
    expect(await page.locator('#timelines [role="row"]').count()).toBe(2);
    expect(await page.locator('#trade-off tbody').textContent()).toMatch(/^a0–/);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('runs no code from a text, and is quiet when empty', async () => {
    const { page, faults } = await open(await renderReport(hostileReport()), 390);
    await page.locator('.bar').nth(1).focus();
    expect(await page.locator('[aria-label="Text after"]').textContent()).toBe(hostileText);
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
