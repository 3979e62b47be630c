import { packedText } from './pack.js';
import { replayScript } from './page-script.js';

/** The id of the pack with the script that reads and replays a session. */
const replayPack = 'replay-script';

/** The part of a page that takes a session of the reader. */
export const ownSection = {
  id: 'own',
  title: 'A session of your own',
  lead: 'Drag a session file of your agent into this page, or choose one. It is read and replayed here, in the page: nothing is sent anywhere, and the page is not allowed to. A browser has no grammars of programming languages, so strategies that fold source files fold only Markdown here; <code>ctx replay</code> folds all.',
};

/** What that part needs: the readers, the strategies and the tokenizer, as one script that is unpacked when a session is given. */
export async function ownPack(): Promise<Record<string, string>> {
  return { [replayPack]: packedText(await replayScript()) };
}
