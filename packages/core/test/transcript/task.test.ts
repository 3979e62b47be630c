import { assistant, call, managerOf, result, system, user } from '@ctx/testing';
import type { Message } from '../../src/index.js';
import { Transcript } from '../../src/transcript/transcript.js';
import { drop, planning } from '../edits.js';
import { heard } from '../heard.js';

const held = (...messages: readonly Message[]) => {
  const said = new Transcript();
  for (const message of messages) said.append(message);
  return said;
};
/** The text of the task after these messages. */
const taskAfter = (...messages: readonly Message[]) => held(...messages).task?.message.content;

const context = '<environment_context>\n  <cwd>/work</cwd>\n</environment_context>';
const atWork = [user('write a parser'), call('a', 'read'), result('a', 'code')];
const answered = [...atWork, assistant('It is written.')];

const parser = 'write a parser';
const interrupted = [...atWork, user('use tabs'), call('b', 'edit'), result('b', 'done')];
const excerpt = '[Done so far for the task above, in excerpts word for word]\n## assistant\nI read it.';

test.each<[what: string, messages: readonly Message[], task: string | undefined]>([
  ['none before anything was said', [], undefined],
  ['none before the user has said anything', [system('be kind'), assistant('hello')], undefined],
  ['not what another program writes below it in the name of the user', [user(parser), user(excerpt)], parser],
  ['a text that only begins with a bracket', [user(parser), user('[x] is done')], '[x] is done'],
  ['the first user message', [user(parser)], parser],
  ['the newest once the assistant has answered', [...answered, user('now test it')], 'now test it'],
  ['what it was while the assistant works on it', atWork, parser],
  ['what it was if the user speaks after a result', [...atWork, user('use tabs')], parser],
  [
    'what it was after a call that is never answered',
    [user(parser), call('a', 'read'), user('stop')],
    parser,
  ],
  ['what it was while the assistant goes on', interrupted, parser],
  [
    'the newest once the assistant has said its last word on it',
    [...interrupted, assistant('with tabs'), user('now test it')],
    'now test it',
  ],
  ['of several in a row the newest', [user('here is a file'), user('explain it')], 'explain it'],
  ['none that a program wrote before', [user(context), user(parser)], parser],
  ['none that a program wrote after', [user(parser), user(context)], parser],
  [
    'one that only mentions an element',
    [user('a question'), user('<b> is bold, what is <i>?')],
    '<b> is bold, what is <i>?',
  ],
  ['none that is empty', [user(parser), user(' \n')], parser],
])('the task is %s', (_what, messages, task) => {
  expect(taskAfter(...messages)).toBe(task);
});

describe('after an answer', () => {
  test.each(['continue', 'Yes!', 'ok, go on', 'Good. Please proceed', '👍', '2.'])(
    '"%s" only says that the work should go on',
    (nod) => {
      expect(taskAfter(...answered, user(nod))).toBe('write a parser');
      expect(taskAfter(...answered, user(nod), call('b', 'test'), result('b', 'passed'))).toBe(
        'write a parser',
      );
    },
  );

  test.each(['yes, but in Rust', 'continue with the lexer', 'no'])('"%s" says more', (text) => {
    expect(taskAfter(...answered, user(text))).toBe(text);
  });

  test.each([
    'Go ahead, please.',
    'Sounds good',
    '✅',
    '<system-reminder>\nToday is Monday.\n</system-reminder>\nYes, go on.',
  ])('"%s" is agreement, and the question that it answers stays', (nod) => {
    const said = held(
      ...atWork,
      assistant('Written. Shall I delete the old one?'),
      user(nod),
      call('b', 'rm'),
    );
    expect(said.task?.message.content).toBe('write a parser');
    expect(said.question?.message.content).toBe('Written. Shall I delete the old one?');
  });

  test('so does the question of a short answer, until there is another task', () => {
    const asked = assistant('It is written. Should errors be thrown or returned?');
    const said = held(...atWork, asked, user('returned, please'), call('b', 'edit'), result('b', 'done'));
    expect([said.task, said.question].map((one) => one?.message.content)).toEqual([
      'returned, please',
      asked.content,
    ]);
    said.append(assistant('Done.'));
    said.append(user('now write the documentation of all that is public in it'));
    expect(said.question).toBeUndefined();
  });

  test('what follows a nod without an answer between belongs to it', () => {
    expect(taskAfter(...answered, user('ok'), user('use tabs'))).toBe('write a parser');
  });
});

test('words of another language only say that the work should go on if they are registered', () => {
  const words = ['mach', 'weiter'];
  const isNod = (word: string) => words.includes(word);
  for (const known of [true, false]) {
    const texts = { isAgentText: () => false, isNod: known ? isNod : () => false };
    const said = new Transcript(0, texts);
    for (const message of [...answered, user('Mach weiter!')]) said.append(message);
    expect(said.task?.message.content).toBe(known ? 'write a parser' : 'Mach weiter!');
  }
});

describe('what no person wrote sets no task', () => {
  const cutOff = 'Your response above was cut off mid-stream. Resume directly from where it stops.';
  const isAgentText = (text: string) => text.startsWith('Your response above was cut off');
  const heldOf = (...messages: readonly Message[]) => {
    const said = new Transcript(0, { isAgentText, isNod: () => false });
    for (const message of messages) said.append(message);
    return said.task?.message.content;
  };

  test.each([
    cutOff,
    '[Request interrupted by user]',
    '<system-reminder>\nThe file was changed.\n</system-reminder>',
    '<turn_aborted>\nThe user interrupted.\n</turn_aborted>',
    `<system-reminder>a</system-reminder>\n<task-notification id="1">done</task-notification>\n${cutOff}`,
  ])('%s', (text) => {
    expect(heldOf(...answered, user(text))).toBe('write a parser');
    expect(heldOf(...answered, user(text), assistant('went on'), user(text))).toBe('write a parser');
    expect(heldOf(...answered, user(text), user('now test it'))).toBe('now test it');
    expect(heldOf(...answered, user(text), assistant('went on'), user('now test it'))).toBe('now test it');
    expect(heldOf(user(text), ...atWork)).toBe('write a parser');
  });

  test('in parts of one message, only what a person wrote counts', () => {
    const parts = (...texts: readonly string[]) =>
      user(texts.map((text) => ({ type: 'text' as const, text })));
    const reminder = '<system-reminder>a</system-reminder>';
    expect(heldOf(...answered, parts(reminder, 'now test it', reminder))).toMatchObject([
      {},
      { text: 'now test it' },
      {},
    ]);
    expect(heldOf(...answered, parts(reminder, 'yes', reminder))).toBe('write a parser');
    expect(heldOf(...answered, parts(reminder, cutOff))).toBe('write a parser');
  });

  test.each([
    '<user_query>\nnow test it\n</user_query>',
    '<task>now test it</task>',
    'Why is `<system-reminder>` in the log?',
    '<div>\n<p>Hello</p>\n</div>',
    '[x] is done, now [y]',
  ])('but a person has written %s', (text) => {
    expect(heldOf(...answered, user(text))).toBe(text);
  });

  test('and a picture is a person’s', () => {
    const picture: Message = {
      role: 'user',
      content: [{ type: 'image', image: 'aGk=', mediaType: 'image/png' }],
    };
    expect(heldOf(...answered, picture)).toEqual(picture.content);
  });
});

describe('a summary', () => {
  const summary = user('The user wanted a lexer.', { summary: true });

  test('is never the task', () => {
    expect(taskAfter(summary)).toBeUndefined();
    expect(taskAfter(...answered, summary)).toBe('write a parser');
    expect(taskAfter(summary, user('write a parser'), summary)).toBe('write a parser');
  });

  test('changes nothing about what follows it, and neither does a system message', () => {
    for (const between of [summary, assistant('It was a lexer.', { summary: true }), system('be kind')]) {
      expect(taskAfter(...atWork, between, user('use tabs'))).toBe('write a parser');
      expect(taskAfter(...answered, between, user('now test it'))).toBe('now test it');
      expect(taskAfter(...answered, between, user('go on'))).toBe('write a parser');
      expect(taskAfter(...answered, user('ok'), between, user('use tabs'))).toBe('write a parser');
      expect(taskAfter(user('a file'), between, user('explain it'))).toBe('explain it');
    }
  });
});

test('after a rewind the task is what it was then', () => {
  const said = held(...answered, user('now test it'), assistant('tested'));
  const ids = said.messages.map(({ id }) => id);
  said.cutAfter(ids[3]);
  expect(said.task?.message.content).toBe('write a parser');
  said.append(user('now ship it'));
  expect(said.task?.message.content).toBe('now ship it');
  said.cutAfter(ids[0]);
  expect(said.task?.id).toBe(ids[0]);
  said.cutAfter(undefined);
  expect(said.task).toBeUndefined();
});

test('in a view the task of the work at hand stays beside the newest user message, and an older one leaves', async () => {
  const manager = managerOf([
    user('an older task'),
    assistant('done'),
    ...atWork,
    user('use tabs'),
    assistant('So.'),
  ]);
  const rejected = heard(manager, 'edit-reject', ({ invariant }) => invariant);
  const everything = manager.transcript.map(({ id }) => drop(id));
  await manager.compress({ strategy: planning(...everything), targetTokens: 0 });
  const anything = expect.anything();
  expect(manager.view().map(({ content }) => content)).toEqual([parser, anything, anything, 'use tabs']);
  expect(rejected).toEqual(['task-stays', 'tool-pairs', 'tool-pairs', 'newest-user-stays']);
});
