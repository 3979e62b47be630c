import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Claude, claude, files, nameOf, plugin, testWithClaude } from './claude.js';

let host: Claude;
beforeEach(async () => {
  host = new Claude();
  await host.start();
});
afterEach(() => host.stop());

/** The window with which a turn that reads all files is compacted twice. */
const small = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' };

testWithClaude(
  '/compact asks no model, its undo brings everything back, and the session goes on after a restart',
  async () => {
    const first = await host.converse([
      'Read 1 to 3.',
      '/compact',
      'Read 4 to 5.',
      '/ctx',
      '/ctx find v2_699',
      '/ctx undo',
      'Thanks.',
    ]);
    expect(host.problems()).toEqual([]);
    expect(first.logs).toEqual([
      expect.stringMatching(/→ .* no model asked/),
      'the last compaction is undone',
    ]);
    expect(first.results[3]).toMatch(/1\. manual: .* → .* tokens/);
    expect(first.results[4]).toContain("export const v2_699 = mix(1398, 'amber basin');");
    expect(host.shown()).toContain('v1_350');
    const asked = host.requests.length;
    const second = await host.converse(['Read 6 to 6.', '/compact', 'Thanks again.'], {
      flags: ['--resume', first.session],
    });
    expect(host.problems(asked)).toEqual([]);
    expect(second.logs).toEqual([expect.stringMatching(/no model asked/)]);
    expect(host.shown()).not.toContain('v1_350');
  },
);

testWithClaude(
  'automatic compactions within a turn with thinking are made from the originals, and outlive a restart',
  async () => {
    const { logs } = await host.converse([`Read 1 to ${files}.`, 'Thanks.'], { env: small });
    expect(host.problems()).toEqual([]);
    expect(logs.length).toBeGreaterThan(1);
    expect(logs.every((log) => log.includes('no model asked'))).toBe(true);
    // Two excerpts one after the other would be an excerpt of an excerpt.
    expect(host.shown().split(/\[Excerpt of what|\[Done so far/)).toHaveLength(2);
    const asked = host.requests.length;
    await host.converse(['Read 1 to 1.'], { flags: ['--continue'] });
    expect(host.problems(asked)).toEqual([]);
  },
);

testWithClaude(
  'a sub-agent is compacted from its own file, and goes on; undo is for the main one',
  async () => {
    const { logs, results } = await host.converse(
      [`Delegate: Read 1 to ${files}.`, '/compact ctx undo', 'Thanks.'],
      { env: small },
    );
    expect(host.problems()).toEqual([]);
    expect(results.at(-1)).toBe('Done.');
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.filter((log) => !log.endsWith('no model asked.'))).toEqual([]);
    expect(results[1]).toContain('there is no compaction to undo');
  },
);

testWithClaude('a sub-agent recalls what was said to it', async () => {
  await host.converse([`Delegate: Read 1 to ${files}. Recall v2_699.`, 'Thanks.'], { env: small });
  expect(host.problems()).toEqual([]);
  expect(host.everything()).toMatch(/#m\d+ tool:[^#]*v2_699 = mix\(1398/);
});

testWithClaude('a turn that was stopped after results can be compacted and brought back', async () => {
  const prompts = ['/context', '/compact', 'Thanks.', '/compact ctx undo', 'Thanks.'];
  const { logs } = await host.converse(['Read 1 to 8.', ...prompts], { flags: ['--max-turns', '4'] });
  expect(host.problems()).toEqual([]);
  expect(logs).toHaveLength(2);
});

testWithClaude(
  'a file that is still shown after a compaction can be edited without being read again',
  async () => {
    const { logs } = await host.converse([`Edit 1 to ${files}.`], { env: small });
    expect(host.problems()).toEqual([]);
    expect(logs.length).toBeGreaterThan(1);
    expect(host.everything()).not.toContain('File has not been read yet');
    for (let at = 1; at <= files; at += 1)
      expect(readFileSync(join(host.work, nameOf(at)), 'utf8')).toContain(`w${at}_1 =`);
  },
);

testWithClaude('Claude Code finds nothing wrong with the plugin', async () => {
  const said = execFileSync(claude as string, ['plugin', 'validate', '--strict', plugin], {
    env: host.environment(),
  });
  expect(said.toString()).toContain('Validation passed');
});
