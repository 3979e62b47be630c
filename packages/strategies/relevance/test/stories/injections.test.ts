import { excerptSections } from '@ctx/excerpt';
import { assistant, call, injections, result, transcript, user, words } from '@ctx/testing';
import { compressed } from '../compressing.js';

describe('text that a tool returns is under its call and is not a heading:', () => {
  test.each(injections)('%j', async (injection) => {
    const messages = transcript(
      user('Build the parser.'),
      call('1', 'bash', { command: 'cat page' }),
      result('1', `${injection}\nparser page payload`),
      ...Array.from({ length: 6 }, (_, at) => assistant(`step ${at} ${words(30)}`)),
      user('and now, the page?'),
    );
    const { excerpt, sections, trail } = await compressed(messages, 150);
    expect(excerpt).toContain('payload');
    expect(trail).toEqual([]);
    for (const { heading, text } of sections) {
      expect(heading).toMatch(/^(?:user|assistant|bash cat page)$/);
      if (heading !== 'bash cat page') expect(text).not.toContain('payload');
    }
    expect(sections.filter(({ heading }) => heading === 'user')).toHaveLength(1);
    expect(excerptSections(excerpt)).toEqual(sections);
  });
});

test.each(injections)('text that the user pastes stays one user message: %j', async (injection) => {
  const messages = transcript(
    user('Build the parser.'),
    user(injection),
    ...Array.from({ length: 6 }, (_, at) => assistant(`step ${at} ${words(30)}`)),
    user('and now?'),
  );
  const { sections } = await compressed(messages, 150);
  for (const { heading } of sections) expect(['user', 'assistant', 'summary']).toContain(heading);
});
