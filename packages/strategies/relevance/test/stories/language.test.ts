import { compressMessages } from '@ctx/core';
import { assistant, user } from '@ctx/testing';
import { relevance } from '../../src/index.js';
import { compressed } from '../compressing.js';

function chat(lines: readonly string[]) {
  return lines.map((line, index) => (index % 2 === 0 ? user(line) : assistant(line)));
}

describe('if people only talk', () => {
  test('lines with names and dates stay before greetings do', async () => {
    const small = [
      'Hi there!',
      'Hello, how are you doing today?',
      'Oh well, fine, thanks.',
      'That is nice to hear.',
      'Yes, it is.',
      'Good, good.',
    ];
    const told = ['My sister Elena moves to Lisbon on 14 March.', 'I will bring the cake for Elena then.'];
    const lines = [...small, ...small, ...told, ...small, ...small, ...small, 'And now?'];
    const { excerpt, tokens } = await compressed(chat(lines), 45);
    expect(excerpt).toContain(told[0]);
    expect(tokens).toBeLessThanOrEqual(45);
    expect(excerpt.split('That is nice').length).toBeLessThan(3);
  });

  test.each([
    [
      'Chinese',
      ['你好！', '今天天气怎么样？', '还可以吧。', '好的，谢谢。'],
      '我的预订号码是 KX4711，三月十四日飞往上海。',
      'KX4711',
    ],
    [
      'Japanese',
      ['こんにちは！', 'お元気ですか？', 'はい、元気です。', 'ありがとう。'],
      '予約番号は KX4711 で、三月十四日に大阪へ行きます。',
      'KX4711',
    ],
    [
      'Thai',
      ['สวัสดีครับ', 'สบายดีไหมครับ', 'สบายดีครับ', 'ขอบคุณครับ'],
      'หมายเลขการจองคือ KX4711 วันที่ 14 มีนาคม ไปเชียงใหม่',
      'KX4711',
    ],
  ])('in %s the line that says something stays', async (_, small, told, mark) => {
    const repeated = Array.from({ length: 15 }, () => small).flat();
    const lines = [...repeated, 'x', told, ...repeated, 'y'];
    const manager = await compressed(chat([...lines, 'ok']), 40);
    expect(manager.excerpt).toContain(mark);
    expect(manager.tokens).toBeLessThanOrEqual(40);
  });

  test('of a meeting, words of assent leave before what somebody tells, although they are short', async () => {
    const [ann, bob] = ['Project Manager', 'Industrial Designer'];
    const topics = ['battery', 'keypad', 'casing', 'antenna', 'speaker', 'display', 'charger', 'hinge'];
    const lines = topics.flatMap((topic) => [
      `${ann}: I would order the ${topic} from our supplier in Porto before the fair, with a spare one.`,
      `${bob}: Mm-hmm.`,
      `${ann}: My team tests every ${topic} twice, because the last one broke on the way to the customer.`,
      `${bob}: Uh-huh.`,
    ]);
    const messages = [...lines, `${bob}: So?`].map((line) => user(line));
    const { excerpt } = await compressed(messages, 160);
    const told = excerpt.match(/order the|tests every/g) ?? [];
    const assents = excerpt.match(/Mm-hmm|Uh-huh/g) ?? [];
    expect(told.length).toBeGreaterThan(2 * assents.length);
  });

  test('the last answer stays, which the newest message refers to', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `The trip number ${at} goes to Lisbon by train.`);
    const { view } = await compressed(chat([...lines, 'And the other one?']), 100);
    expect(view.slice(-2)).toEqual([assistant(lines[19] as string), user('And the other one?')]);
  });

  test('two lines about the same thing are not both kept if room is short', async () => {
    const same = Array.from({ length: 20 }, () => 'The meeting with Elena is in Lisbon.');
    const lines = [...same, 'Carlos pays for the hotel in Porto.', 'Fine.', 'And now?'];
    const { excerpt } = await compressed(chat(lines), 40);
    expect(excerpt).toContain('Carlos pays for the hotel in Porto.');
  });
});

describe('a long text without line breaks', () => {
  const filler = Array.from({ length: 60 }, () => 'We talked about this and that for a while.');

  test('in English is kept in sentences', async () => {
    const story = [
      ...filler.slice(0, 30),
      'Elena signed contract RZ-4711 in Lisbon.',
      ...filler.slice(30),
    ].join(' ');
    const { excerpt, tokens } = await compressed([user(story), assistant('ok'), user('And the rest?')], 80);
    expect(excerpt).toContain('Elena signed contract RZ-4711 in Lisbon.');
    expect(tokens).toBeLessThanOrEqual(80);
  });

  test('in Chinese is kept in verbatim parts', async () => {
    const story = [
      '我们聊了很久。'.repeat(120),
      '艾琳娜签了合同 RZ-4711，地点是里斯本。',
      '我们又聊了很久。'.repeat(120),
    ].join('');
    const counter = { count: (text: string) => text.length };
    const { messages } = await compressMessages([user(story), assistant('ok'), user('And the rest?')], {
      strategy: relevance(),
      counter,
      targetTokens: 300,
    });
    expect(JSON.stringify(messages)).toContain('RZ-4711');
    expect(JSON.stringify(messages).length).toBeLessThan(600);
  });
});
