import type { ChatMessage } from '@ctx/codec-openai';
import { taskText } from '../../src/loop/phrases.js';
import { Project, showsWhole } from '../../src/loop/project.js';
import { doneParts, isBlind, ScriptedModel } from '../../src/loop/scripted-model.js';
import { shownRequest } from '../../src/loop/shown-request.js';

const project = new Project({ files: 3, lines: 12, testLines: 2 });
const [first = '', second = '', third = ''] = project.paths;
const textOf = (path: string) => project.run('read', { path });
const task: ChatMessage = { role: 'user', content: taskText(project.paths) };
const called = (name: string, path: string, content = ''): ChatMessage => ({
  role: 'assistant',
  content,
  tool_calls: [{ id: '1', type: 'function', function: { name, arguments: JSON.stringify({ path }) } }],
});
const result = (content: string): ChatMessage => ({ role: 'tool', tool_call_id: '1', content });
const answer = (...messages: ChatMessage[]) => new ScriptedModel().answer(shownRequest(messages));

describe('the worker', () => {
  test('takes the word of an excerpt that follows the task', () => {
    expect(doneParts({ paths: [first, second, third], after: `edited ${first}, ${second}` })).toBe(2);
    expect(doneParts({ paths: [first, second, third], after: `## edit ${first}\nread ${second}` })).toBe(1);
  });
});

describe('the editor', () => {
  const read = (content: string) => [task, called('read', first, `I read ${first}.`), result(content)];

  test.each([
    ['is missing', (text: string) => text.replace(/.*v01_5 .*\n/, '')],
    ['is cut inside', (text: string) => text.replace(/(v01_5 = mix\().*/, '$1… 12 characters left out')],
    ['at the end is missing', (text: string) => text.replace(/\n.*$/, '')],
    ['at the beginning is missing', (text: string) => text.replace(/^.*\n/, '')],
  ])('reads it again if a line %s', (_what, cut) => {
    expect(answer(...read(cut(textOf(first)))).calls[0]).toEqual({ name: 'read', input: { path: first } });
  });

  test('edits without seeing it after three reads in vain', () => {
    const model = new ScriptedModel();
    const hidden = shownRequest(read('[… 12 lines left out …]'));
    const turns = [1, 2, 3, 4].map(() => model.answer(hidden));
    expect(turns.map(({ calls }) => calls[0]?.name)).toEqual(['read', 'read', 'read', 'edit']);
    expect(turns.map(({ text }) => isBlind(text))).toEqual([false, false, false, true]);
  });

  test('does not take one file for another', () => {
    expect(showsWhole(textOf(first), second)).toBe(false);
    expect(showsWhole(`${textOf(second)}\n${textOf(first)}`, first)).toBe(true);
  });
});
