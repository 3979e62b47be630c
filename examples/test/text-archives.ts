import { entriesOf, memoryArchive, parseRef } from '@ctx/archive';
import { sqliteArchive } from '@ctx/archive/sqlite';
import { type Archive, CtxError, type Message } from '@ctx/core';
import { passagesOf, recallTool } from '@ctx/recall';

type TextFunctions = Readonly<Record<string, (text: string) => unknown>>;

/** The functions of archives that take texts, by `package name`, with a text in the place of each of their texts. */
export function archiveFunctions(calling: (text: string) => Message[], folder: string): TextFunctions {
  let archives = 0;
  const entries = (text: string) =>
    calling(text).flatMap((message, index) => entriesOf({ conversation: 'a', number: index + 1, message }));
  const usedIn = async (archive: Archive, text: string) => {
    await archive.put(entries(text));
    const options = { conversation: 'a', path: text };
    const found = [await archive.search(text, { conversation: 'a' }), await archive.search(text, options)];
    await archive.get('#m1', { conversation: 'a', maxTokens: 500 });
    await archive.forget('a');
    await archive.close();
    return found;
  };
  return {
    'archive entriesOf': entries,
    'archive parseRef': (text) => {
      try {
        return parseRef(text);
      } catch (error) {
        return CtxError.isInstance(error) ? error.message : Promise.reject(error);
      }
    },
    'recall recallTool': async (text) => {
      const archive = memoryArchive();
      await archive.put(entries(text));
      const recall = recallTool(passagesOf(archive, 'a'));
      return [
        await recall.run(text),
        await recall.run({ query: text, path: text, kind: text, maxTokens: text }),
        await recall.run({ ref: text }),
        await recall.run({ ref: '#m1', query: text }),
        await recall.run({ ref: '#m1 #m2 #m3' }),
      ];
    },
    'archive memoryArchive': (text) => usedIn(memoryArchive(), text),
    'archive sqliteArchive': async (text) => {
      archives += 1;
      return usedIn(await sqliteArchive(`${folder}/archive-${archives}.db`), text);
    },
  };
}
