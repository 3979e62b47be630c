import { existsSync, readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** An open page, and everything that it should not have done: console output, errors, requests, dialogs, other pages. */
export interface Watched {
  readonly page: Page;
  readonly faults: string[];
}

/** Like `describe`, but skipped, with a reason, if there is no Chromium. */
export const describeInBrowser = existsSync(executablePath)
  ? (name: string, run: () => void) => describe(name, run)
  : (name: string, run: () => void) =>
      describe.skip(`${name} (skipped: ${executablePath} is not there)`, run);

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Opens a page with this markup, and records from the start everything that it should not do. */
export async function openPage(
  browser: Browser,
  html: string,
  width = 1280,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Watched> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const faults: string[] = [];
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('popup', (popup) => faults.push(`popup: ${popup.url()}`));
  page.on('frameattached', (frame) => faults.push(`frame: ${frame.url()}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route('**', (route) => {
    faults.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  await page.setContent(html);
  return { page, faults };
}

/** What axe-core finds wrong with a page as it is now: the rule and the first place. Run around the page's policy, as an extension would. */
export async function axeViolations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  await evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { result } = await evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 160)))',
  );
  await session.detach();
  return result.value as string[];
}
