import { mentions } from '../src/talk-words.js';

test.each([
  'I went there yesterday.',
  'We moved in June',
  'Wir ziehen nächste Woche um.',
  'Je pars vendredi.',
  'Nos vemos el próximo mes',
  'Он приехал неделю назад',
  '我昨天去了上海。',
  '来週また行きます',
])('says when something is: %s', (text) => {
  expect(mentions('time', text)).toBe(true);
});

test.each(['It may rain, or march on.', 'See you', 'Ich habe es', '好的，谢谢。'])(
  'says nothing about when: %s',
  (text) => {
    expect(mentions('time', text)).toBe(false);
  },
);

test.each([
  ['speaker', 'That is MY dog', true],
  ['speaker', 'I’m from Sweden', true],
  ['speaker', 'Is it yours?', false],
  ['listener', 'Is it yours?', true],
  ['listener', '你好吗？', true],
] as const)('a %s is meant in %j: %s', (who, text, expected) => {
  expect(mentions(who, text)).toBe(expected);
});
