import { type Message, messageText } from '@ctx/core';
import { assistant, call, managerOf, result, transcript, user, words } from '@ctx/testing';
import { compressAgain, compressed, inWindow } from '../compressing.js';

/* What real agents lost of what their users had said first. */

const text = (said: string) => ({ type: 'text' as const, text: said });
const rule = 'Never touch src/mod03.js: the release job writes it.';
const firstTask = 'Raise the revision in src/mod01.js to src/mod05.js.';
/** A CLAUDE.md with this number of rules, each of eight words. */
const rulesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `- Keep handler h${at} in queue q${at} small.`);
/** The form in which Claude Code sends it: notes of the program, a file of rules, and what the user typed. */
const opening = (rules: readonly string[], said: string) =>
  user([
    text(
      `<system-reminder>\nThe following skills are available:\n\n${words(900, 'skill')}\n</system-reminder>`,
    ),
    text(
      `<system-reminder>\nContents of /repo/CLAUDE.md (project instructions):\n\n# How we work\n\n${rules.join('\n')}\n</system-reminder>`,
    ),
    text('<system-reminder>\nThe date of today is 2026-11-26.\n</system-reminder>'),
    text(said),
  ]);

const work = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const id = String(from + at).padStart(2, '0');
    return transcript(
      call(`r${id}`, 'read', { path: `src/mod${id}.js` }),
      result(`r${id}`, `export const revision${id} = 1;\n${words(300, `w${id}x`)}`),
      call(`e${id}`, 'edit', { path: `src/mod${id}.js`, old_string: '1', new_string: '2' }),
      result(`e${id}`, 'Updated.'),
    );
  }).flat();

/** A rule with a file of rules, a first task, and a second one that is being worked on. */
const session = (rules: readonly string[], said = rule): Message[] => [
  opening(rules, said),
  assistant('Noted.'),
  user(firstTask),
  ...work(1, 4),
  assistant('All of them are raised.'),
  user('Now the same for src/mod06.js to src/mod09.js.'),
  ...work(6, 3),
];

/** What is missing in the view of a session beside tools of this number of words. */
const missingBeside = async (tools: number, rules: readonly string[], window: number) => {
  const manager = managerOf(session(rules), inWindow(window));
  manager.setTools([{ name: 'deploy', description: words(tools, 'tool') }]);
  const { view } = await compressAgain(manager, 300);
  return [...rules, rule, firstTask].filter((line) => !shown(view).includes(line));
};

const shown = (view: readonly Message[]) => view.map(messageText).join('\n');
/** Words of what stays, and of a window in which that is most of the room, as system prompt and tools are in that of an agent. */
const narrow = { targetTokens: 420, ...inWindow(1_600) };

describe('after the next task', () => {
  test('a file of rules stays whole if all that the user said fits in a quarter of the window', async () => {
    const rules = rulesOf(40);
    const { view } = await compressed(session(rules), 300, inWindow(2_400));
    const text = shown(view);
    expect(rules.filter((line) => !text.includes(line))).toEqual([]);
    expect(text).toContain(rule);
  });

  test('what the user typed stays, whatever a program put into the same message', async () => {
    const { view } = await compressed(session([]), narrow.targetTokens, narrow);
    expect(shown(view)).toContain(rule);
    expect(shown(view)).not.toContain('skill');
  });

  test('a short rule and a short task stay beside a file of rules that does not fit', async () => {
    const { view } = await compressed(session(rulesOf(300)), narrow.targetTokens, narrow);
    expect(shown(view)).toContain(rule);
    expect(shown(view)).toContain(firstTask);
  });

  test('of a file of rules that does not fit, some rules stay, however small the target is', async () => {
    const rules = rulesOf(300);
    const { view } = await compressed(session(rules), 60, narrow);
    expect(rules.filter((line) => shown(view).includes(line)).length).toBeGreaterThan(0);
  });

  test('a quarter of the window is one of the whole window, tools included', async () => {
    expect(await missingBeside(1_300, rulesOf(40), 2_400)).toEqual([]);
  });

  test('a file of rules may take nearly all that is left beside tools and the newest results', async () => {
    expect(await missingBeside(1_500, rulesOf(40), 2_400)).toEqual([]);
  });

  test('of a file of rules that has no room beside the tools, as many lines stay as have some', async () => {
    const missing = await missingBeside(1_850, rulesOf(60), 2_400);
    expect(missing).not.toContain(rule);
    expect(missing).not.toContain(firstTask);
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.length).toBeLessThan(45);
  });

  test.each([
    ['where it left alone', session],
    [
      'where an answer of a word came behind it',
      (rules: readonly string[]) => [opening(rules, rule), assistant('Noted.'), user(firstTask)],
    ],
  ])('a file of rules that had no room for a while is whole again, %s', async (_case, before) => {
    const rules = rulesOf(60);
    const missingIn = (view: readonly Message[]) => rules.filter((line) => !shown(view).includes(line));
    const manager = managerOf(before(rules), inWindow(2_400));
    manager.append(call('log', 'read', { path: 'build.log' }));
    manager.append(result('log', words(1_950, 'line')));
    expect(missingIn((await compressAgain(manager, 2_000)).view).length).toBeGreaterThan(0);
    for (const message of work(20, 2)) manager.append(message);
    expect(missingIn((await compressAgain(manager, 300)).view)).toEqual([]);
  });

  test('a file of rules stays whole however much the user says after it', async () => {
    const rules = rulesOf(60);
    const { view } = await compressed(session(rules, `${rule} ${words(250, 'more')}`), 420, inWindow(2_400));
    expect(rules.filter((line) => !shown(view).includes(line))).toEqual([]);
  });

  test('what the user told stays beside a file of rules, as it would without one', async () => {
    const told = 'The customer in this is Vexa, and their modules are the ones with even numbers.';
    for (const rules of [[], rulesOf(40)]) {
      const messages = [
        opening(rules, rule),
        assistant('Noted.'),
        user(told),
        ...session([], 'Hello.').slice(1),
      ];
      const { view } = await compressed(messages, 420, inWindow(2_400));
      expect(shown(view)).toContain(told);
    }
  });
});
