import type { Message } from '@ctx/core';
import { assistant, call, result, system, user } from '@ctx/testing';
import { oldTextsOf, seenEditsOf, sightOf } from '../src/edits.js';
import { sessionOf } from './small-cut.js';

const editing = (input: unknown) => oldTextsOf(call('1', 'edit', input));

describe('the text that an edit replaces', () => {
  test.each(['old_string', 'oldText', 'old_str', 'oldString'])('stands in the argument %s', (name) => {
    expect(editing({ path: 'a.ts', [name]: '  one;\n\n  two;' })).toEqual([['one;', 'two;']]);
  });

  test('stands in `search` beside `replace`; without it this is a query', () => {
    expect(editing({ search: 'one', replace: 'two' })).toEqual([['one']]);
    expect(editing({ search: 'one' })).toEqual([]);
  });

  test('stands in each of `edits`', () => {
    expect(
      editing({
        edits: [
          { oldText: 'one', newText: '1' },
          { oldText: 'two', newText: '2' },
        ],
      }),
    ).toEqual([['one'], ['two']]);
  });

  test('is the context and the removed lines of each hunk of a unified diff', () => {
    const diff = [
      'diff --git a/a.ts b/a.ts',
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1,3 +1,3 @@ function first',
      ' one',
      '-two',
      '+2',
      ' three',
      '@@ -9,2 +9,1 @@',
      ' nine',
      '-ten',
      '--- a/b.ts',
      '+++ b/b.ts',
      '@@ -1 +1 @@',
      '-other',
      '+another',
    ].join('\n');
    const hunks = [['one', 'two', 'three'], ['nine', 'ten'], ['other']];
    expect(editing({ diff })).toEqual(hunks);
    expect(editing({ command: `git apply <<'EOF'\n${diff}\nEOF\nnpm test` })).toEqual(hunks);
  });

  test('is the same of a patch for apply_patch, as an argument and within a command', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.ts',
      '+fresh',
      '*** Update File: a.ts',
      '@@ class First',
      ' one',
      '-two',
      '+2',
      '*** Update File: b.ts',
      ' other',
      '+line',
      '*** End Patch',
    ].join('\n');
    const hunks = [['one', 'two'], ['other']];
    expect(editing({ input: patch })).toEqual(hunks);
    expect(editing(patch)).toEqual(hunks);
    expect(editing({ command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF\nls -la`] })).toEqual(
      hunks,
    );
  });

  test('is the first half of a block to search and replace', () => {
    expect(editing({ diff: '------- SEARCH\none\ntwo\n=======\n2\n+++++++ REPLACE' })).toEqual([
      ['one', 'two'],
    ]);
  });

  test('is missing from a call that reads, runs, or writes a file that quotes a patch', () => {
    expect(editing({ path: 'a.ts' })).toEqual([]);
    expect(editing({ command: 'git diff' })).toEqual([]);
    expect(editing({ path: 'a.test.ts', content: '@@ -1 +1 @@\n-one\n+two' })).toEqual([]);
  });
});

const edit = call('2', 'edit', { path: 'a.ts', old_string: 'one();\ntwo();', new_string: 'three();' });

describe('an edit counts', () => {
  test('if the agent had seen every line that it replaces', () => {
    const session = sessionOf(user('go'), call('1', 'read'), result('1', '1\tone();\n2\ttwo();'), edit);
    expect(seenEditsOf(session)).toEqual([undefined, undefined, undefined, [['one();', 'two();']]]);
  });

  test('not if a line was never said before', () => {
    expect(seenEditsOf(sessionOf(user('one();'), edit, user('two();')))[1]).toBeUndefined();
  });
});

describe('what an edit replaces is in a view', () => {
  const sight = (...view: Message[]) => sightOf([['one();', 'two();']], view);

  test.each([
    ['as it was read', 'one();\ntwo();'],
    ['with numbers of lines', '   11→  one();\n   12→  two();'],
    ['with other indentation and a blank line', '\tone();\n\n\ttwo();'],
    ['with the marks of a diff', '-one();\n-two();'],
    ['as a search found it', 'src/a.ts:11:one();\nsrc/a.ts:12:two();'],
    ['inside of JSON', JSON.stringify({ output: '  one();\n  two();\n' })],
  ])('in one piece %s', (_how, text) => {
    expect(sight(user('go'), result('1', text))).toEqual({ whole: true, block: true });
  });

  test('in one piece in what the agent wrote', () => {
    expect(sight(call('1', 'write', { content: 'one();\ntwo();' }))).toEqual({ whole: true, block: true });
  });

  test('whole, but not in one piece, if its lines are apart', () => {
    expect(sight(result('1', 'one();\n…\ntwo();'))).toEqual({ whole: true, block: false });
    expect(sight(assistant('one();'), assistant('two();'))).toEqual({ whole: true, block: false });
  });

  test('not, if one of its lines is missing', () => {
    expect(sight(system('one();'), result('1', '[… 1 line left out …]'))).toEqual({
      whole: false,
      block: false,
    });
  });

  test('in one piece only if each of its texts is', () => {
    const view = [result('1', 'one();\n…\ntwo();\nthree();')];
    expect(sightOf([['one();'], ['two();', 'three();']], view)).toEqual({ whole: true, block: true });
    expect(sightOf([['one();', 'two();'], ['three();']], view)).toEqual({ whole: true, block: false });
  });
});
