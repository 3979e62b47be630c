import { existsSync } from 'node:fs';
import { words } from '@ctx/testing';
import { killAll, killed, program, startProgram } from './program.js';
import { describeServers, describeSqlite, type Engine } from './states/servers.js';
import { answers, closeAll, startUpstream } from './upstream.js';

/** How often a process is killed; `CTX_KILLS=50` for a night. */
const kills = Number(process.env.CTX_KILLS ?? 4);

afterEach(async () => {
  await killAll();
  await closeAll();
});

const started = (upstream: string, store: string) =>
  startProgram('--upstream', upstream, '--store', store, '--window', '3000');

const historyOf = (turns: number) => [
  ...Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `Look at file${turn}.ts` },
    { role: 'assistant', content: words(60, `file${turn}`) },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];

const testKilled = ({ testHere, address }: Engine) => {
  (existsSync(program) ? testHere : test.skip)(
    'a proxy that is killed at any moment is followed by another one with the same bytes',
    async () => {
      const { url, received } = await startUpstream(answers);
      let [one, two] = [await started(url, address()), await started(url, address())];
      const bodies = () => received.map(({ body }) => body.toString('utf8'));
      let different = 0;
      let reached = 0;
      // The moments lie evenly between the arrival of a request and some time after its answer, as long as the last one took.
      let usual = 100;
      for (let kill = 0; kill < kills; kill += 1) {
        const body = JSON.stringify({ model: 'gpt-5', messages: historyOf(10 + 3 * kill) });
        const post = (base: string) =>
          fetch(`${base}/v1/chat/completions`, { method: 'POST', body }).then((answer) => answer.text());
        const before = received.length;
        const lost = post(one.url).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, (usual * 1.5 * ((kill * 7) % kills)) / kills));
        await killed(one.child);
        await lost;
        const sent = bodies().slice(before);
        const begun = performance.now();
        await post(two.url);
        usual = performance.now() - begun;
        const next = bodies().at(-1);
        reached += sent.length;
        different += sent.filter((text) => text !== next).length;
        expect(next).toContain('And now?');
        [one, two] = [two, await started(url, address())];
      }
      await Promise.all([one, two].map(({ child }) => killed(child)));
      expect(different).toBe(0);
      if (kills >= 50) expect(reached).toBeGreaterThan(kills / 5);
    },
    60_000 + kills * 6_000,
  );
};

describeSqlite('with %s', testKilled);
describeServers('with %s', testKilled);
