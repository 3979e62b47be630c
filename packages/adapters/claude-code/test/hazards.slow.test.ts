import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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

/** A picture of one dot. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

testWithClaude('a pasted image stays with its message, one that a tool gave becomes a word', async () => {
  writeFileSync(join(host.work, 'dot.png'), Buffer.from(dot, 'base64'));
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } };
  const { logs } = await host.converse([
    'Look at dot.png.',
    'Read 1 to 4.',
    [{ type: 'text', text: 'Thanks, and what is this?' }, image],
    '/compact',
    'Thanks.',
  ]);
  expect(host.problems()).toEqual([]);
  expect(logs).toEqual([expect.stringMatching(/no model asked/)]);
  expect(host.shown().split('"type":"image"')).toHaveLength(2);
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

/** Only root may mount a disk that is soon full. */
const testOnTinyDisk = process.getuid?.() === 0 && process.platform === 'linux' ? testWithClaude : test.skip;

testOnTinyDisk(
  'on a full disk Claude Code keeps the whole conversation, and the session goes on',
  async () => {
    const disk = join(host.home, '.claude/projects');
    mkdirSync(disk, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    try {
      await host.converse(['Read 1 to 4.', '/compact', 'Read 5 to 6.', '/compact', 'Thanks.']);
    } finally {
      execFileSync('umount', [disk]);
    }
    expect(host.problems()).toEqual([]);
    expect(host.shown()).toContain('v1_350');
  },
);

testWithClaude('lines of the file that are damaged are passed over', async () => {
  const { logs } = await host.converse(['Read 1 to 4.', '/compact', 'Thanks.'], {
    after: once(1, () => {
      const text = readFileSync(sessionFile(), 'utf8');
      writeFileSync(sessionFile(), `half a line {"type":\n${text}null\n{"type":"assistant"}\n`);
    }),
  });
  expect(host.problems()).toEqual([]);
  expect(logs).toEqual([expect.stringMatching(/no model asked\. /)]);
});

const recorded = join(
  __dirname,
  '../../../../../shared/data/claude-code/8463c716-a2ea-4c14-9efa-87158ebd9f20.jsonl',
);

const testWithRecorded = existsSync(recorded) ? testWithClaude : test.skip;

testWithRecorded('a recorded session is resumed and compacted', async () => {
  const folder = join(host.home, '.claude/projects', host.work.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const [, id = ''] = /([\w-]+)\.jsonl$/.exec(recorded) ?? [];
  writeFileSync(join(folder, `${id}.jsonl`), readFileSync(recorded));
  const { logs } = await host.converse(['Thanks.', '/compact', 'Thanks again.'], { flags: ['--resume', id] });
  expect(host.problems()).toEqual([]);
  expect(logs).toEqual([expect.stringMatching(/no model asked\. /)]);
});
