import { Transcript } from '@ctx/core/kit';
import { and, arbitraryTranscript, assistant, call, deepFreeze, result, user } from '@ctx/testing';
import fc from 'fast-check';
import { thrownBy } from '../thrown-by.js';

function transcriptOf(...messages: readonly unknown[]): Transcript {
  const made = new Transcript();
  for (const message of messages) made.append(deepFreeze(message));
  return made;
}

const codeOf = (task: () => unknown) => thrownBy(task).code;

const ids = (transcript: Transcript) => [...transcript].map(({ id }) => id);

test('messages keep their ids, and those without one get one', () => {
  const made = transcriptOf(user('a', { id: 'mine' }), assistant('b'), user('c', { id: 'm2' }));
  expect(ids(made)).toEqual(['mine', 'm1', 'm2']);
  made.append(assistant('d'));
  expect(ids(made)).toEqual(['mine', 'm1', 'm2', 'm3']);
});

test('an id finds the same object that was appended', () => {
  const message = user('hello', { id: 'x' });
  expect(transcriptOf(message).get('x')?.message).toBe(message);
  expect(transcriptOf(message).get('y')).toBeUndefined();
});

test('a taken id is refused, and nothing is appended', () => {
  const made = transcriptOf(user('a', { id: 'x' }));
  expect(codeOf(() => made.append(user('b', { id: 'x' })))).toBe('message-id-duplicate');
  expect(codeOf(() => made.append(user('b'), 'x'))).toBe('message-id-duplicate');
  expect(made.length).toBe(1);
});

describe('a result', () => {
  test('belongs to the exchange of its call, also when one message holds several', () => {
    const made = transcriptOf(
      user('go'),
      and(call('a', 'read'), call('b', 'run')),
      and(result('b', '1'), result('a', '2')),
      assistant('done'),
    );
    expect([...made].map(({ exchange }) => exchange)).toEqual([0, 1, 1, 2]);
  });

  test.each<[string, unknown[], unknown]>([
    ['without any call', [user('go')], result('a', '1')],
    ['at the very start', [], result('a', '1')],
    ['of another id', [call('b', 'read')], result('a', '1')],
    ['given twice', [call('a', 'read'), result('a', '1')], result('a', '1')],
    ['given twice in one message', [call('a', 'read')], and(result('a', '1'), result('a', '2'))],
    ['after another message', [call('a', 'read'), user('wait')], result('a', '1')],
  ])('that answers no open call is refused, and nothing is appended: %s', (_title, before, late) => {
    const made = transcriptOf(...before);
    const { length } = made;
    expect(codeOf(() => made.append(late))).toBe('tool-result-without-call');
    expect(made.length).toBe(length);
  });
});

describe('a call that is never answered', () => {
  test('is closed by an error result when the conversation goes on', () => {
    const made = transcriptOf(and(call('a', 'read'), call('b', 'run')), result('a', 'ok'));
    expect(made.openExchange).toBe(0);
    const added = made.append(user('never mind', { id: 'next' }));
    expect(added.map(({ id }) => id)).toEqual(['m3', 'next']);
    expect(made.get('m3')?.message).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'run',
          output: '[No result: the call was interrupted]',
          isError: true,
        },
      ],
    });
    expect(made.openExchange).toBeUndefined();
  });

  test('is closed under an id that the next message does not use', () => {
    const made = transcriptOf(call('a', 'read'), user('next', { id: 'm2' }));
    expect(ids(made)).toEqual(['m1', 'm3', 'm2']);
    expect(made.get('m2')?.message.role).toBe('user');
  });

  test('stays open if the next message is refused', () => {
    const made = transcriptOf(call('a', 'read'));
    expect(codeOf(() => made.append({ role: 'user' }))).toBe('message-invalid');
    expect(made.length).toBe(1);
    made.append(result('a', 'late but there'));
    expect(made.openExchange).toBeUndefined();
  });
});

test('the newest user message is one that a user wrote, not a summary', () => {
  const made = transcriptOf(user('first', { id: 'a' }), assistant('x'));
  made.append(user('so far…', { summary: true }));
  expect(made.newestUser?.id).toBe('a');
  made.append(user('second', { id: 'b' }));
  expect(made.newestUser?.id).toBe('b');
});

describe('cutting', () => {
  test('removes the later messages and leaves the transcript as it was before them', () => {
    const made = transcriptOf(user('a', { id: 'a' }), call('c', 'read'), result('c', '1'), user('b'));
    const cut = made.cutAfter('m1');
    expect(cut.map(({ message }) => message.role)).toEqual(['tool', 'user']);
    expect(made.openExchange).toBe(1);
    expect(made.newestUser?.id).toBe('a');
    made.append(result('c', 'again'));
    expect(made.openExchange).toBeUndefined();
  });

  test('after an unknown id is refused', () => {
    expect(codeOf(() => transcriptOf(user('a')).cutAfter('z'))).toBe('id-unknown');
  });

  test('and appending again restores the same transcript, wherever it was cut', () => {
    fc.assert(
      fc.property(arbitraryTranscript, fc.nat(), (messages, cut) => {
        const made = transcriptOf(...messages);
        const whole = [...made];
        const at = whole[cut % whole.length];
        if (at === undefined) return;
        for (const { message, id } of made.cutAfter(at.id)) made.append(message, id);
        expect([...made]).toEqual(whole);
      }),
      { numRuns: 17 },
    );
  });
});
