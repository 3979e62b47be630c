// Measures how fast the page of a session of 500,000 tokens opens in Chromium: until the last request is shown, with what the model saw.
// Start: npx tsx examples/benchmarks/session-page.ts [session]. It fails if the page takes more than 2 s.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  benchSession,
  loadCounter,
  replayedCandidates,
  sessionReport,
  totalTokens,
} from '@ctx/bench/measure';
import { renderSession } from '@ctx/bench/report/render-session';
import { type Message, seededRandom } from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { chromium } from 'playwright-core';

/** Ms from the navigation until the page is usable: a longer wait is felt as one. */
const goal = 2_000;
const wanted = 500_000;
/** Enough to choose from; each adds a pack that opening leaves packed. */
const shown = ['keep-last', 'oldest-removal', 'relevance', 'tool-results'];
/** Runs, of which the median counts. */
const runs = 5;

const tokensOf = await loadCounter();
const path = process.argv[2];
const session =
  path === undefined
    ? { id: 'made', source: 'made', model: {}, messages: madeOf(wanted) }
    : benchSession(await readSession(path, { lenient: true }), path);
const parts = await sessionReport(session, {
  limit: 64_000,
  candidates: replayedCandidates.filter(({ name }) => shown.includes(name)),
  tokensOf,
  createdAt: new Date().toISOString(),
  onProgress: (what, done) => process.stderr.write(`\r${what} ${Math.floor(done * 100)} %   `),
});
process.stderr.write('\n');
const html = await renderSession(parts);
const folder = mkdtempSync(join(tmpdir(), 'ctx-page-'));
const file = join(folder, 'session.html');
writeFileSync(file, html);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const times: number[] = [];
for (let run = 0; run < runs; run += 1) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const start = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.locator('.seen .message-row').first().waitFor();
  times.push(performance.now() - start);
  await page.close();
}
await browser.close();
rmSync(folder, { recursive: true });
const median = times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
const { tokens, messages, candidates } = parts.report;
console.log(
  `${tokens} tokens in ${messages} messages with ${candidates.length} candidates: ${(html.length / 1e6).toFixed(1)} MB, open after ${Math.round(median)} ms (goal ${goal} ms)`,
);
process.exitCode = median > goal ? 1 : 0;

/** An invented session: the agent reads long files, and names one of them again now and then. */
function madeOf(least: number): Message[] {
  const random = seededRandom(1);
  const said: Message[] = [{ role: 'user', content: 'Find out where the port is chosen.' }];
  for (let tokens = 0; tokens < least; ) {
    const round = said.length;
    const old = Math.floor(random() * round);
    const lines = Array.from(
      { length: 60 },
      (_, at) => `const value${round}x${at} = choose(${Math.floor(random() * 1e6)});`,
    );
    const input = { path: `src/part-${round}.ts` };
    const read: Message[] = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `Next to src/part-${old}.ts.` },
          { type: 'tool-call', toolCallId: `call-${round}`, toolName: 'read', input },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: `call-${round}`, toolName: 'read', output: lines.join('\n') },
        ],
      },
    ];
    said.push(...read);
    tokens += totalTokens(read, tokensOf);
  }
  return said;
}
