import type { Archive } from '@ctx/core';
import { entry, foundBy, textUnder } from './entries.js';

/** Messages that each of two writers puts. */
const each = 60;

/** The laws of an archive that several processes have open; one process is enough to check them with. */
export function testSharing(
  open: () => Promise<Archive>,
  openAgain?: (() => Promise<Archive>) | undefined,
): void {
  const testShared = openAgain === undefined ? test.skip : test;
  const title = 'loses nothing when two write the same conversation at once';

  testShared(openAgain === undefined ? `${title} (skipped: it belongs to one process)` : title, async () => {
    const one = await open();
    const two = (await openAgain?.()) as Archive;
    try {
      const write = async (archive: Archive, odd: number) => {
        for (let index = 0; index < each; index += 1) {
          const message = 2 * index + odd;
          // Both put every tenth message, with the same text.
          const shared = Math.floor(index / 10) * 20 + 1;
          await archive.put([
            entry(message, `own text n${message}`, { part: 1 }),
            entry(shared, `shared text ${shared}`),
          ]);
        }
      };
      await Promise.all([write(one, 1), write(two, 2), write(one, 1)]);
      for (const archive of [one, two]) {
        for (let message = 1; message <= 2 * each; message += 1) {
          const shared = message % 20 === 1 ? `shared text ${message}` : '';
          expect(await textUnder(archive, `#m${message}`)).toBe(`${shared}own text n${message}`);
          expect((await foundBy(archive, `own n${message}`))[0]).toContain(`own text n${message}`);
        }
      }
      await two.forget('one', { from: '#m3' });
      expect(await textUnder(one, '#m3')).toBeUndefined();
      expect(await foundBy(one, 'own n33')).not.toContainEqual(expect.stringContaining('33'));
    } finally {
      await two.close();
    }
  });
}
