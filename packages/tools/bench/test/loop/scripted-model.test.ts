import type { ChatMessage } from '@ctx/codec-openai';
import { factText, questionText, ruleText, taskText } from '../../src/loop/phrases.js';
import { Project, showsWhole } from '../../src/loop/project.js';
import { asking, doneParts, finished, isBlind, ScriptedModel } from '../../src/loop/scripted-model.js';
import { shownRequest } from '../../src/loop/shown-request.js';

const project = new Project({ files: 3, lines: 12, testLines: 2 });
const [first = '', second = '', third = ''] = project.paths;
const textOf = (path: string) => project.run('read', { path });
const task: ChatMessage = { role: 'user', content: taskText(project.paths) };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const called = (name: string, path: string, content = ''): ChatMessage => ({
  role: 'assistant',
  content,
  tool_calls: [{ id: '1', type: 'function', function: { name, arguments: JSON.stringify({ path }) } }],
});
const result = (content: string): ChatMessage => ({ role: 'tool', tool_call_id: '1', content });
const answer = (...messages: ChatMessage[]) => new ScriptedModel().answer(shownRequest(messages));
const edited = (path: string) => [
  called('edit', path, `I raise the revision of ${path}.`),
  result(`Changed 1 line of ${path}.`),
  called('run_tests', '', 'I run the tests.'),
  result('2 passed'),
];

describe('the worker', () => {
  test('begins with the first part of the task', () => {
    expect(answer(task).calls).toEqual([{ name: 'read', input: { path: first } }]);
  });

  test('runs the tests after an edit, and goes on after the last part that follows the task', () => {
    expect(answer(task, ...edited(first).slice(0, 2)).calls).toEqual([{ name: 'run_tests', input: {} }]);
    expect(answer(task, ...edited(first)).calls[0]?.input).toEqual({ path: second });
    expect(answer(task, ...edited(first), ...edited(second)).calls[0]?.input).toEqual({ path: third });
  });

  test('does again what stands before the task', () => {
    expect(answer(...edited(first), task, ...edited(first).slice(2)).calls[0]?.input).toEqual({
      path: first,
    });
  });

  test('takes the word of an excerpt that follows the task', () => {
    expect(doneParts({ paths: [first, second, third], after: `edited ${first}, ${second}` })).toBe(2);
    expect(doneParts({ paths: [first, second, third], after: `## edit ${first}\nread ${second}` })).toBe(1);
  });

  test('is finished after the last part', () => {
    expect(answer(task, ...edited(third))).toMatchObject({ text: finished, calls: [] });
  });

  test('asks what the task is if it does not see it whole', () => {
    expect(answer(user(`${taskText(project.paths).slice(0, 60)}…`)).text).toBe(asking.task);
    expect(answer(user('[Excerpt]'), ...edited(first)).text).toBe(asking.task);
  });
});

describe('the editor', () => {
  const read = (content: string) => [task, called('read', first, `I read ${first}.`), result(content)];

  test('changes a file that it sees whole', () => {
    const { text, calls } = answer(...read(textOf(first)));
    expect(calls).toEqual([
      {
        name: 'edit',
        input: {
          path: first,
          old_string: 'export const revision01 = 1;',
          new_string: 'export const revision01 = 2;',
        },
      },
    ]);
    expect(isBlind(text)).toBe(false);
  });

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

describe('the keeper', () => {
  test('follows every rule that it sees word for word', () => {
    const rules = user(`[Excerpt]\n## user\n${ruleText('heron-1')}\n${ruleText('slate-2')}`);
    expect(answer(rules, task).text).toMatch(/ heron-1 slate-2$/);
  });

  test('breaks a rule that is cut, or gone', () => {
    expect(answer(user(ruleText('heron-1').replace('end every', '…')), task).text).not.toContain('heron-1');
    expect(answer(task).text).not.toContain('heron-1');
  });
});

describe('the witness', () => {
  const fact = { subject: 'berth of the amber ridge 2', value: 'KN-4711' };

  test('answers from a fact that it sees', () => {
    const said = user(`[Excerpt]\n## user\n${factText(fact)}`);
    expect(answer(said, user(questionText(fact))).text).toBe('It is KN-4711.');
  });

  test('asks for one that it does not see', () => {
    const other = user(factText({ ...fact, subject: 'berth of the amber ridge 3' }));
    expect(answer(other, user(questionText(fact))).text).toBe(asking.fact);
  });

  test('notes facts and rules', () => {
    expect(answer(user(factText(fact))).text).toBe('Noted.');
  });
});
