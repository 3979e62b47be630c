import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProxy } from '@ctx/proxy';
import type { ReceivedRequest, Script } from '@ctx/servers';
import { Claude, files, nameOf, testWithClaude } from './claude.js';

const rule = 'Never touch mod03.js: the release job writes it.';
const prompts = [
  rule,
  'Task one: read mod01.js to mod06.js, one after another.',
  'Task two: read mod07.js to mod12.js, one after another.',
  'Yes, go on.',
];
const rulesOfProject = Array.from(
  { length: 100 },
  (_, at) => `- Keep handler h${at} in queue q${at} small, and log it.`,
);

testWithClaude(
  'without the mod, each request through the proxy has the task and what the user typed, after overflows too',
  async () => {
    const host = new Claude();
    await host.start({ script: reading(host.work), overflowAt: [2, 9] }, 240);
    writeFileSync(join(host.work, 'CLAUDE.md'), `# How we work\n\n${rulesOfProject.join('\n')}\n`);
    const proxy = await startProxy({ upstream: host.url ?? '', port: 0, config: { contextWindow: 64_000 } });
    try {
      const { errors } = await host.converse(prompts, { mod: null, env: { ANTHROPIC_BASE_URL: proxy.url } });
      const accepted = host.requests.filter(
        ({ json, outcome }) => outcome === 'accepted' && Array.isArray(json?.tools) && json.tools.length > 0,
      );
      expect(errors).toEqual([]);
      // Each prompt, and a result for each file.
      expect(accepted).toHaveLength(prompts.length + files);
      expect(accepted.flatMap(lacking)).toEqual([]);
    } finally {
      await proxy.close();
      await host.stop();
    }
  },
);

/** What a request should show and does not. */
function lacking({ json }: ReceivedRequest): string[] {
  const text = JSON.stringify(json);
  const said = prompts.filter((prompt) => text.includes(prompt));
  const task = said.includes(prompts[2] as string) || !text.includes('mod07.js') ? [] : ['the second task'];
  const rules = rulesOfProject.filter((line) => !text.includes(line));
  return [...task, ...(text.includes(rule) ? [] : ['the rule']), ...rules];
}

/** Reads the six files of a task, and says that it is done. The provider wants every answer to begin with a thought if one does. */
const reading =
  (work: string): Script =>
  ({ said, round, tools }) => {
    const thinking = 'It follows from what was read.';
    const newest = prompts.findLastIndex((prompt) => said.some((text) => text.includes(prompt)));
    const isTask = newest === 1 || newest === 2;
    if (!isTask || round >= files / 2 || !tools.includes('Read'))
      return { thinking, text: isTask ? 'All are read. Shall I look at more?' : 'Noted.', calls: [] };
    const file_path = join(work, nameOf((newest - 1) * (files / 2) + round + 1));
    return { thinking, text: `I read ${file_path}.`, calls: [{ name: 'Read', input: { file_path } }] };
  };
