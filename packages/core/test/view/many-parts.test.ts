import { transcript, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { type Edit, type Message, MessageCounter, type Part, View } from '../../src/index.js';
import { Transcript } from '../../src/transcript/transcript.js';
import { applyEdits } from '../../src/view/gate.js';

const counterOf = () => new MessageCounter({ count: (text) => text.length }, { message: 1, conversation: 0 });

/** Replaces parts of the first message of a view, one after the other. */
function replaced(
  parts: readonly Part[],
  edits: readonly { readonly part: number; readonly text: string }[],
) {
  const said = new Transcript();
  const view = new View();
  const counter = counterOf();
  const count: typeof counter.message = (message, edited) => counter.message(message, edited);
  const messages = transcript({ id: 'many', role: 'user', content: parts } as Message, user('and now?'));
  for (const message of messages) for (const added of said.append(message)) view.append(added, count);
  const asked = edits.map((one): Edit => ({ type: 'replace', message: 'many', reason: 'old', ...one }));
  const rules = { transcript: said, minMessagesToKeep: 1 };
  return applyEdits(view, asked, rules, count, { record: 'r' }).view.entries[0];
}

test('a message of which parts were replaced counts as much as one that was said like this', () => {
  const text = fc.string({ minLength: 1, maxLength: 20 });
  const part = fc.oneof(
    text.map((one): Part => ({ type: 'text', text: one })),
    fc.constant<Part>({ type: 'image', image: 'https://example.com/a.png' }),
  );
  const edit = fc.record({ part: fc.nat(99), text });
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 60, maxLength: 100 }),
      fc.array(edit, { maxLength: 20 }),
      (parts, edits) => {
        const entry = replaced(parts, edits);
        const { tokens, estimated } = counterOf().message(structuredClone(entry?.message as Message));
        expect(entry).toMatchObject({ tokens, estimated });
      },
    ),
  );
});

test('replacing all parts of a message reads each of them a few times', () => {
  let read = 0;
  const watched: Part = {
    type: 'text',
    get text() {
      read += 1;
      return words(30);
    },
  };
  const parts = [watched, ...Array.from({ length: 999 }, (): Part => ({ type: 'text', text: words(30) }))];
  const entry = replaced(
    parts,
    Array.from({ length: 999 }, (_, at) => ({ part: at + 1, text: 'short' })),
  );
  expect(entry?.message.content.at(-1)).toEqual({ type: 'text', text: 'short' });
  expect(read).toBeLessThan(10);
});
