import { asTheyAre, messagesOf, type Row, rowsOfMessages } from '@ctx/claude-code';
import { parseMessage } from '@ctx/core';
import fc from 'fast-check';
import { answers, calls, pairsIn, says, thinks, user } from './rows.js';

test('parallel calls are one message, however their answers are mixed with them', () => {
  const { messages } = messagesOf([
    user('Read all.'),
    calls('a'),
    calls('b'),
    answers('a', 'A'),
    calls('c'),
    answers('b', 'B'),
    answers('c', 'C'),
    calls('d'),
    answers('d', 'D'),
  ]);
  expect(messages.map(({ role }) => role)).toEqual('user assistant tool tool tool assistant tool'.split(' '));
});

test('a call without an answer gets one, and an answer without a call is told as text', () => {
  const rows = asTheyAre([user('Go.'), calls('a'), user('Stop.'), answers('lost', 'L')]);
  expect(pairsIn(rows)).toEqual({ calls: ['a'], answers: ['a'] });
  expect(rows.at(-1)?.text).toContain('L');
});

test('the user goes by handle, because images are only behind it', () => {
  const image = user('');
  expect(asTheyAre([user('Look.'), says('At what?'), image, says('I see.')])).toContain(image);
});

test('a finished turn is built, a response a row, because rows by handle come twice after a resume', () => {
  const rows = asTheyAre([
    user('Go.'),
    thinks(),
    says('I read.'),
    calls('a'),
    calls('b'),
    answers('a', 'A'),
    answers('b', 'B'),
    says('Done.'),
    user('Thanks.'),
  ]);
  const answered = rows.filter(({ role }) => role === 'assistant');
  expect(answered.map(({ text }) => text)).toEqual(['I read.', 'Done.']);
  expect(answered.filter(({ handle }) => handle !== undefined)).toEqual([]);
  expect(pairsIn(answered).calls).toEqual(['a', 'b']);
});

test('the turn that runs goes by handle, because its thinking has to stay', () => {
  const turn = [thinks(), says('I read.'), calls('a')];
  const rows = asTheyAre([user('Go.'), ...turn, answers('a', 'A')]);
  expect(rows.filter(({ role }) => role === 'assistant')).toEqual(turn);
});

test('the turn that runs stays by handle even if its text was shortened', () => {
  const turn = [thinks(), says('I read it.'), calls('a'), calls('b')];
  const told = messagesOf([user('Go.'), ...turn, answers('a', 'A'), answers('b', 'B')]);
  const shortened = told.messages
    .slice(0, 3)
    .map((message) =>
      message.role === 'assistant' && typeof message.content !== 'string'
        ? { ...message, content: message.content.slice(1, 2) }
        : message,
    );
  const rows = rowsOfMessages(shortened, told);
  expect(rows.filter(({ role }) => role === 'assistant')).toEqual(turn);
  expect(pairsIn(rows).answers.sort()).toEqual(['a', 'b']);
});

test('where the user spoke before the turn was over, a row ends it, because its thinking is gone', () => {
  const turn = [user('Go.'), thinks(), calls('a'), answers('a', 'A')];
  const stopped = asTheyAre([...turn, user('[Request interrupted by user]'), user('Go on.')]);
  expect(stopped.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'user: Go.',
    'assistant: ',
    'user: ',
    'assistant: [The user spoke here.]',
    'user: [Request interrupted by user]',
    'user: Go on.',
  ]);
});

test('a turn that was stopped and is brought back without its thinking is ended, one with it is not', () => {
  const turn = [user('Go.'), thinks(), calls('a'), answers('a', 'A')];
  expect(asTheyAre(turn).at(-1)?.toolResults).toHaveLength(1);
  const undone = asTheyAre(turn.map(({ handle: _, ...row }) => row));
  expect(undone.at(-1)).toEqual({ role: 'assistant', text: '[The user spoke here.]', toolUses: [] });
});

test('results never go by handle, because after a resume they bring the old history back', () => {
  const rows = asTheyAre([user('Go.'), calls('a'), answers('a', 'A', true)]);
  expect(rows.at(-1)).toEqual({
    role: 'user',
    text: '',
    toolUses: [],
    toolResults: [{ tool_use_id: 'a', text: 'A', isError: true }],
  });
});

test('what Claude Code says of /compact itself is left out', () => {
  const rows = [
    user('Hi.'),
    user('<command-name>/compact</command-name>'),
    user('<local-command-stdout>Compacted </local-command-stdout>'),
  ];
  expect(asTheyAre(rows)).toEqual(rows.slice(0, 1));
});

const anyRow = fc.oneof(
  fc.string().map((text) => user(text)),
  fc.string().map((text) => says(text)),
  fc.constantFrom('a', 'b', 'c').map((id) => calls(id)),
  fc.constantFrom('a', 'b', 'c', 'x').map((id) => answers(id, `result of ${id}`)),
);

test('whatever the rows are, the messages are valid, and each call has one answer right after it', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 12 }), (rows: Row[]) => {
      const { messages } = messagesOf(rows);
      for (const [at, message] of messages.entries()) parseMessage(message, at);
      const pairs = pairsIn(asTheyAre(rows));
      expect(pairs.answers).toEqual(pairs.calls);
    }),
  );
});
