import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { injections } from '@ctx/testing';
import type { Browser } from 'playwright-core';
import { renderSession } from '../src/report/render-session.js';
import { axeViolations, describeInBrowser, launchBrowser, openPage } from './browser-page.js';
import { hostileTexts } from './hostile-texts.js';
import { earlyPath, readingSession, replayedSession } from './session-sample.js';

describeInBrowser('the page of a session', () => {
  const texts = [
    ...injections,
    ...hostileTexts,
    `long ${'x'.repeat(200_000)} line`,
    'a\u0301 \u{1f469}\u200d\u{1f52c} \u05d0\u05d1',
  ];
  const asked: string[] = [];
  let server: Server;
  let browser: Browser;
  let html = '';
  let hostile = '';

  beforeAll(async () => {
    html = await renderSession(await replayedSession(readingSession(60)));
    hostile = await renderSession(
      await replayedSession(readingSession(texts.length, texts), ['keep-last'], texts[2]),
    );
    browser = await launchBrowser();
    server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      answer.end('');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const open = async (...[markup, width, scheme]: [string, number?, ('light' | 'dark')?]) => {
    const opened = await openPage(browser, markup, width, scheme);
    await opened.page.locator('.seen').first().waitFor();
    return opened;
  };

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('is accessible, quiet and fits at %i, %s', async (width, scheme) => {
    const { page, faults } = await open(html, width, scheme);
    await page.locator('.message-row summary').first().click();
    await page.getByRole('searchbox').fill('early');
    await page.keyboard.press('Enter');
    await page.locator('.hit').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.locator('.headline').textContent()).toMatch(
      /^[\d,]+ tokens, sent in requests of at most 3,000/,
    );
    expect(faults).toEqual([]);
    await page.close();
  });

  it('steps by keyboard, and says what was needed and not there', async () => {
    const { page, faults } = await open(html);
    await page.getByLabel('Candidate', { exact: true }).selectOption('keep-last');
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    const panel = page.locator('.step-panel');
    const facts = () => panel.locator('.step-facts').textContent();
    expect(await page.locator('output').textContent()).toBe('1 of 61');
    expect(await facts()).toContain('Messages seen1 of 1');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('output').textContent()).toBe('2 of 61');
    expect(await facts()).toContain('Messages seen3 of 3');
    await page.getByRole('button', { name: 'Next rewrite' }).click();
    expect(await facts()).toContain('a rewrite');
    expect(await panel.textContent()).toMatch(/Messages? \d+ to \d+ left out/);
    await page.getByRole('slider').focus();
    await page.keyboard.press('End');
    const missing = panel.locator('.missing');
    expect(await missing.textContent()).toContain(`${earlyPath}, last said in message 3`);
    await missing.locator('.link').first().click();
    const row = panel.locator('[data-row="said-2"]');
    await row.locator('.text').waitFor();
    expect(await row.locator('.text').textContent()).toContain(`// ${earlyPath}`);
    await page.getByLabel('Candidate', { exact: true }).selectOption('relevance');
    expect(await page.locator('output').textContent()).toBe('61 of 61');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('finds a text of the session and of what candidates made, and goes there', async () => {
    const { page, faults } = await open(html);
    await page.getByRole('searchbox').fill('VALUE7X3 ');
    await page.keyboard.press('Enter');
    const hits = page.locator('.hit');
    await hits.first().waitFor();
    expect(await hits.first().textContent()).toMatch(/^17 · result of read src\/part-7\.ts/);
    expect(await page.locator('.hit mark').first().textContent()).toBe('value7x3');
    await hits.first().click();
    expect(await page.locator('output').textContent()).toBe('9 of 61');
    await page.locator('[data-row="said-16"] .text').first().waitFor();
    await page.getByRole('searchbox').fill('[earlier');
    await page.keyboard.press('Enter');
    await page.locator('.finder [role=status]', { hasText: /found/ }).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it('keeps hostile, odd and very long texts as texts', async () => {
    const { page, faults } = await open(hostile, 390);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    await page.locator('.message-row .text').last().waitFor();
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    await page.waitForFunction("document.querySelectorAll('.step-panel pre').length > 40");
    const seen = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.step-panel pre')].map((one) => JSON.stringify(one.textContent))",
    );
    const isSeen = (text: string) => seen.some((one) => one.includes(JSON.stringify(text).slice(1, -1)));
    expect(texts.filter((text) => !isSeen(text))).toEqual([]);
    expect(
      await page.evaluate(`({
        harmed: typeof globalThis.harmed,
        loading: document.querySelectorAll('img, iframe, object, video, audio, base, link:not([href^="data:,"]), a:not([href^="#"]), use').length,
        fits: document.documentElement.scrollWidth <= innerWidth,
      })`),
    ).toEqual({ harmed: 'undefined', loading: 0, fits: true });
    expect(faults).toEqual([]);
    await page.close();
  });

  it('is refused every request by its policy, in the page and in its workers', async () => {
    const page = await browser.newPage();
    await page.setContent(html);
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const inPage = await page.evaluate<string>(
      `fetch('${address}/page').then(() => 'sent', () => 'refused')`,
    );
    const inWorker = await page.evaluate<string>(`new Promise((done) => {
      const script = "fetch('${address}/worker').then(() => postMessage('sent'), () => postMessage('refused'))";
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = () => done('refused');
    })`);
    await page.evaluate(`new Promise((done) => {
      const image = new Image();
      image.onload = image.onerror = done;
      image.src = '${address}/image';
    })`);
    await page.evaluate(`navigator.sendBeacon('${address}/beacon', 'x')`);
    expect([inPage, inWorker]).toEqual(['refused', 'refused']);
    expect(asked).toEqual([]);
    await page.close();
  });
});
