import { call, managerOf, result, user, words } from '@ctx/testing';
import { messageText } from '../../src/index.js';

const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7919) % 251)).toString('base64');
const page = (name: string) =>
  `${words(50, name)}\n![logo](data:image/png;base64,${bytes})\n${words(50, name)}`;

test('where a compression is due, base64 leaves all results first, and comes back with no check', async () => {
  const pasted = user(`what is this? ${bytes}`);
  const manager = managerOf(
    [pasted, call('a', 'fetch'), result('a', page('old')), call('b', 'fetch'), result('b', page('new'))],
    {
      counter: { count: (text) => Math.ceil(text.length / 4) },
      config: { contextWindow: 4_000 },
    },
  );
  const { record } = await manager.checkAndCompress({ beforeSend: true });
  expect(record?.stages[0]).toMatchObject({ strategy: 'encoded', edits: 2 });
  expect(record?.relaxed).toBe('crowded');
  const texts = manager.view().map(messageText);
  expect(texts[0]).toBe(messageText(pasted));
  expect(texts.at(-1)).toContain('of base64 left out');
  expect(texts.at(-1)).toContain(words(50, 'new'));
  await manager.checkAndCompress({ beforeSend: true });
  expect(manager.view().map(messageText)).toEqual(texts);
});
