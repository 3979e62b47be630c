import { appendFileSync, statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readSession } from '@ctx/sessions';
import { jsonLines, outline, sessionFile } from './session-file.js';
import { outlineOfStory, type Story, stories } from './stories.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of text in each record that is left out, and how many of them make 50 MB. */
const padding = 10_000;
const count = 5_000;

/** The story, and after it 50 MB of records of a kind that is left out. */
function paddedFile({ records, unknown }: Story): string {
  const [record = {}] = unknown ?? [];
  const path = sessionFile(jsonLines(...records));
  for (let written = 0; written < count; written += 100) {
    const padded = Array.from({ length: 100 }, (_, index) => ({
      ...record,
      ...numbered(record, written + index),
      padding: 'é'.repeat(padding / 2),
    }));
    appendFileSync(path, jsonLines(...padded));
  }
  return path;
}

/** Every record has an id of its own, and stands on the one before where records form a tree. */
function numbered(record: object, number: number): object {
  const ids = ['id', 'uuid'].filter((key) => key in record).map((key) => [key, `n${number}`]);
  const parent = 'parentId' in record && number > 0 ? { parentId: `n${number - 1}` } : {};
  return { ...Object.fromEntries(ids), ...parent };
}

test.each(stories.filter(([, { isDocument }]) => isDocument !== true))(
  '%s: of 50 MB that are left out the reader holds next to nothing',
  async (_, story) => {
    const path = paddedFile(story);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const session = await readSession(path);
    collectGarbage();
    const growth = process.memoryUsage().heapUsed - before;
    const { size } = statSync(path);
    expect(size).toBeGreaterThan(50e6);
    expect(growth / size).toBeLessThan(0.1);
    expect(outline(session.messages)).toEqual(outlineOfStory);
    expect(session.leftOut[story.unknown?.[1] ?? '']).toBe(count);
  },
);
