import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Claude, plugin, testWithClaude } from './claude.js';

let host: Claude;
beforeEach(async () => {
  host = new Claude();
  await host.start();
});
afterEach(() => host.stop());

/** How often excerpts begin: one is before the newest task, one after it. An excerpt of an excerpt would add one. */
const excerpts = () =>
  ['[Excerpt of what', '[Done so far'].map((start) => host.shown().split(start).length - 1);

/** The file of the only session. */
const sessionFile = () => {
  const [project = ''] = readdirSync(join(host.home, '.claude/projects'));
  const folder = join(host.home, '.claude/projects', project);
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '');
};
const once = (at: number, act: () => void) => (results: number) => {
  if (results === at) act();
};

testWithClaude(
  'thirty compactions in a row leave one excerpt, and the session goes on after a restart',
  async () => {
    const prompts = Array.from({ length: 30 }, (_, at) => [
      `Read ${(at % 12) + 1} to ${(at % 12) + 1}.`,
      '/compact',
    ]);
    const { logs, session } = await host.converse([...prompts.flat(), 'Thanks.']);
    expect(host.problems()).toEqual([]);
    expect(logs).toEqual(prompts.map(() => expect.stringMatching(/no model asked/)));
    for (const times of excerpts()) expect(times).toBeLessThan(2);
    const asked = host.requests.length;
    await host.converse(['Thanks again.'], { flags: ['--resume', session] });
    expect(host.problems(asked)).toEqual([]);
    for (const times of excerpts()) expect(times).toBeLessThan(2);
  },
);

testWithClaude('parallel calls stay with their answers, also after a restart', async () => {
  const { session } = await host.converse(['Read 1 to 6. In pairs.', '/compact', 'Read 7 to 8. In pairs.']);
  const asked = host.requests.length;
  await host.converse(['Read 9 to 12. In pairs.', '/compact', 'Thanks.'], { flags: ['--resume', session] });
  expect(host.problems()).toEqual([]);
  expect(host.requests.length).toBeGreaterThan(asked);
});

/** The plugin with another function in the place of `compact`. */
function modWith(compact: string): string {
  const folder = join(host.home, 'mod');
  cpSync(plugin, folder, { recursive: true });
  renameSync(join(folder, 'hooks/ctx.js'), join(folder, 'hooks/real.js'));
  const names =
    'asTheyAre, isShownWhole, liveSession, readInRanges, recall, sessionOf, shortened, shownFiles, statusOf';
  writeFileSync(
    join(folder, 'hooks/ctx.js'),
    `export { ${names} } from './real.js';\nexport const compact = ${compact};\n`,
  );
  return folder;
}

for (const [what, compact, said] of [
  ['fails', "async () => { throw new Error('planted'); }", /ctx failed, so Claude Code compacts: planted/],
  ['gives nothing', 'async () => undefined', /ctx failed, so Claude Code compacts/],
  ['never ends', '() => new Promise(() => {})', /ctx took too long, so Claude Code compacts/],
] as const)
  testWithClaude(`if ctx ${what}, Claude Code compacts itself, and the session goes on`, async () => {
    const mod = modWith(compact);
    const { logs, results } = await host.converse(['Read 1 to 3.', '/compact', 'Thanks.'], { mod });
    expect(host.problems()).toEqual([]);
    expect(logs).toEqual([expect.stringMatching(said)]);
    expect(results.at(-1)).toBe('Done.');
    expect(host.shown()).not.toContain('v1_350');
  });

for (const [what, damage] of [
  ['nonsense', () => writeFileSync(sessionFile(), '{"type":"user"\n\u0000\u0001 nonsense\n[]\nnull\n7\n')],
  ['gone', () => rmSync(sessionFile())],
] as const)
  testWithClaude(`a session whose file is ${what} is compacted from what is shown, and says so`, async () => {
    const { logs } = await host.converse(['Read 1 to 4.', '/compact', 'Thanks.'], { after: once(1, damage) });
    expect(host.problems()).toEqual([]);
    expect(logs).toEqual([
      expect.stringMatching(/no model asked; the file of the session could not be read/),
    ]);
  });
