import type { Message } from '@ctx/core';
import { assistant, call, result, system, user } from '@ctx/testing';
import { oldTextsOf, seenEditsOf, sightOf } from '../src/edits.js';
import { sessionOf } from './small-cut.js';

const editing = (input: unknown) => oldTextsOf(call('1', 'edit', input));

const diff = `diff --git a/a.ts b/a.ts
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,3 @@ function first
 one
-two
+2
 three
@@ -9,2 +9,1 @@
 nine
-ten
--- a/b.ts
+++ b/b.ts
@@ -1 +1 @@
-other
+another`;
const hunks = [['one', 'two', 'three'], ['nine', 'ten'], ['other']];
const patch = `*** Begin Patch
*** Add File: new.ts
+fresh
*** Update File: a.ts
@@ class First
 one
-two
+2
*** Update File: b.ts
 other
+line
*** End Patch`;
const patched = [['one', 'two'], ['other']];

describe('the text that an edit replaces', () => {
  test.each(['old_string', 'oldText', 'old_str', 'oldString'])('stands in the argument %s', (name) => {
    expect(editing({ path: 'a.ts', [name]: '  one;\n\n  two;' })).toEqual([['one;', 'two;']]);
  });

  test.each<[string, unknown, string[][]]>([
    ['`search` beside `replace`', { search: 'one', replace: 'two' }, [['one']]],
    ['not in `search` alone, which is a query', { search: 'one' }, []],
    [
      'each of `edits`',
      { edits: [{ oldText: 'one' }, { oldText: 'two', newText: '2' }] },
      [['one'], ['two']],
    ],
    ['the hunks of a unified diff', { diff }, hunks],
    ['those within a command', { command: `git apply <<'EOF'\n${diff}\nEOF\nnpm test` }, hunks],
    ['a patch for apply_patch', { input: patch }, patched],
    ['a patch that is all of the input', patch, patched],
    [
      'a patch in a command',
      { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF\nls -la`] },
      patched,
    ],
    [
      'the first half of a block',
      { diff: '------- SEARCH\none\ntwo\n=======\n2\n+++++++ REPLACE' },
      [['one', 'two']],
    ],
    ['nowhere in a read', { path: 'a.ts' }, []],
    ['nowhere in a command that only shows', { command: 'git diff' }, []],
    ['nowhere in a file that quotes a patch', { path: 'a.ts', content: '@@ -1 +1 @@\n-one\n+two' }, []],
  ])('stands in %s', (_where, input, texts) => {
    expect(editing(input)).toEqual(texts);
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

  test.each<[string, boolean, ...Message[]]>([
    ['in one piece in what the agent wrote', true, call('1', 'write', { content: 'one();\ntwo();' })],
    ['not in one piece if its lines are apart', false, result('1', 'one();\n…\ntwo();')],
    ['nor in two messages', false, assistant('one();'), assistant('two();')],
  ])('whole, and %s', (_how, block, ...view) => {
    expect(sight(...view)).toEqual({ whole: true, block });
  });

  test('not, if one of its lines is missing', () => {
    const view = [system('one();'), result('1', '[… 1 line left out …]')];
    expect(sight(...view)).toEqual({ whole: false, block: false });
  });

  test('in one piece only if each of its texts is', () => {
    const view = [result('1', 'one();\n…\ntwo();\nthree();')];
    expect(sightOf([['one();'], ['two();', 'three();']], view)).toEqual({ whole: true, block: true });
    expect(sightOf([['one();', 'two();'], ['three();']], view)).toEqual({ whole: true, block: false });
  });
});
