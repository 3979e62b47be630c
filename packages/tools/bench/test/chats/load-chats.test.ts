import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatMessages, formsOf, loadChats } from '../../src/index.js';
import { codingSession } from '../small-cut.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-chats-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const meeting = {
  meeting_transcripts: [
    { speaker: 'Chair', content: 'Welcome.' },
    { speaker: 'Grad A', content: ' The recorder broke. ' },
    { speaker: 'Grad B', content: '' },
    { speaker: 'Grad A', content: 'We buy another one.' },
  ],
  general_query_list: [{ query: 'Summarise it.', answer: 'All.' }],
  specific_query_list: [
    { query: 'What broke?', answer: 'The recorder', relevant_text_span: [['1', '2']] },
    {
      query: 'What happens?',
      answer: 'They buy one.',
      relevant_text_span: [
        ['0', '0'],
        ['3', '3'],
      ],
    },
    { query: 'Nothing?', answer: 'No.', relevant_text_span: [] },
  ],
};

describe('a chat in the form of LoCoMo', () => {
  const load = () => loadChats(join(__dirname, 'locomo.json'));

  test('has the turns of its sessions in order, with their dates and pictures', async () => {
    const [chat] = await load();
    expect(chat).toMatchObject({ id: 'conv-a', source: 'locomo' });
    expect(chat?.turns).toEqual([
      { id: 'D1:1', speaker: 'Ada', text: 'I adopted a turtle yesterday.', note: '1:56 pm on 8 May, 2023' },
      { id: 'D1:2', speaker: 'Ben', text: 'Lovely! What is its name?' },
      { id: 'D1:3', speaker: 'Ada', text: 'Her name is Pebble.' },
      { id: 'D2:1', speaker: 'Ben', text: 'The race was on Sunday.', note: '9:10 am on 3 June, 2023' },
      {
        id: 'D2:2',
        speaker: 'Ada',
        text: 'And I came in third!',
        note: 'shares a picture: a medal on a table',
      },
    ]);
  });

  test('has the questions that can be answered, with ids however they are written', async () => {
    const [chat] = await load();
    expect(chat?.questions).toEqual([
      { question: "What is Ada's turtle called?", answer: 'Pebble', evidence: ['D1:3'] },
      { question: 'Which place?', answer: '3', evidence: ['D2:1', 'D2:2'] },
    ]);
  });

  test('becomes messages of two roles, or lines with names', async () => {
    const [chat] = await load();
    if (chat === undefined) throw new Error('There is no chat.');
    expect(formsOf(chat)).toEqual(['roles', 'lines']);
    expect(chatMessages(chat, 'roles').slice(0, 2)).toEqual([
      { role: 'user', content: '[1:56 pm on 8 May, 2023]\nI adopted a turtle yesterday.' },
      { role: 'assistant', content: 'Lovely! What is its name?' },
    ]);
    expect(chatMessages(chat, 'lines')[4]).toEqual({
      role: 'user',
      content: '[shares a picture: a medal on a table]\nAda: And I came in third!',
    });
  });
});

describe('a meeting in the form of QMSum', () => {
  test('has its turns, and questions with the turns of their spans, both ends included', async () => {
    const [chat] = await loadChats(file('meeting.json', JSON.stringify(meeting)));
    expect(chat).toEqual({
      id: 'meeting',
      source: 'qmsum',
      turns: [
        { id: '0', speaker: 'Chair', text: 'Welcome.' },
        { id: '1', speaker: 'Grad A', text: 'The recorder broke.' },
        { id: '3', speaker: 'Grad A', text: 'We buy another one.' },
      ],
      questions: [
        { question: 'What broke?', answer: 'The recorder', evidence: ['1'] },
        { question: 'What happens?', answer: 'They buy one.', evidence: ['0', '3'] },
      ],
    });
  });

  test('is given as lines if more than two people speak', async () => {
    const three = {
      ...meeting,
      meeting_transcripts: [...meeting.meeting_transcripts, { speaker: 'Eve', content: 'Yes.' }],
    };
    const [chat] = await loadChats(file('three.json', JSON.stringify(three)));
    expect(chat && formsOf(chat)).toEqual(['lines']);
  });

  test('may be one of several, on lines or in a list', async () => {
    const lines = [meeting, meeting].map((one) => JSON.stringify(one)).join('\n');
    for (const path of [file('all.jsonl', lines), file('list.json', JSON.stringify([meeting, meeting]))])
      expect((await loadChats(path)).map(({ id }) => id)).toEqual(
        path.endsWith('all.jsonl') ? ['all-1', 'all-2'] : ['list-1', 'list-2'],
      );
  });
});

test.each([
  [
    'a session',
    'session.jsonl',
    codingSession()
      .map((message) => JSON.stringify(message))
      .join('\n'),
  ],
  ['text', 'text.json', 'this is no JSON'],
  ['other JSON', 'other.json', '{"qa":[],"conversation":"none"}'],
  ['nothing', 'empty.jsonl', ''],
])('a file with %s has no chats', async (_what, name, content) => {
  expect(await loadChats(file(name, content))).toEqual([]);
});
