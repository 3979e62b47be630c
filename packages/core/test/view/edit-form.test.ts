import { editCopy, plainEdit } from '../../src/view/edits/index.js';

const drop = { type: 'drop', messages: ['a', 'b'], reason: 'old' };
const dropCalls = { type: 'drop-calls', messages: ['a', 'b'], calls: ['c'], reason: 'old' };
const replace = { type: 'replace', message: 'a', part: 0, text: 'less', reason: 'long' };
const merge = { type: 'merge', messages: ['a', 'b'], text: 'in short', placement: 'first', reason: 'old' };

test.each([drop, dropCalls, replace, merge, { ...merge, placement: 'last' }])(
  'an edit of the documented form is accepted unchanged: %j',
  (edit) => {
    expect(plainEdit(edit)).toEqual(edit);
    expect(editCopy(edit)).toEqual(edit);
  },
);

test('other fields of an edit are left out', () => {
  expect(plainEdit({ ...drop, note: 'mine' })).toEqual(drop);
});

test.each([
  ['a value that is not an object', undefined],
  ['a list', [drop]],
  ['an edit without a reason', { ...drop, reason: undefined }],
  ['a drop of nothing', { ...drop, messages: [] }],
  ['a drop of a single id', { ...drop, messages: 'ab' }],
  ['a drop with an invalid id', { ...drop, messages: ['a', 1] }],
  ['a drop of calls of no message', { ...dropCalls, messages: [] }],
  ['a drop of no calls', { ...dropCalls, calls: [] }],
  ['a replace of no message', { ...replace, message: undefined }],
  ['a replace without a text', { ...replace, text: undefined }],
  ['a replace of a part before the first', { ...replace, part: -1 }],
  ['a replace of half a part', { ...replace, part: 0.5 }],
  ['a merge of nothing', { ...merge, messages: [] }],
  ['a merge without a text', { ...merge, text: undefined }],
  ['a merge without a place', { ...merge, placement: undefined }],
  ['a merge at another place', { ...merge, placement: 'middle' }],
])('%s is not an edit', (_title, value) => {
  expect(plainEdit(value)).toBeUndefined();
  expect(editCopy(value)).toBeUndefined();
});

test('any edit with a type counts as one that a resolver may know', () => {
  expect(editCopy({ type: 'shorten', by: [1] })).toEqual({ type: 'shorten', by: [1] });
  expect(editCopy({ type: 1 })).toBeUndefined();
  expect(plainEdit({ type: 'shorten', reason: 'long' })).toBeUndefined();
});

test('an object that throws when it is read is not an edit', () => {
  const trap = {
    get type(): string {
      throw new Error('not for you');
    },
  };
  expect(plainEdit(trap)).toBeUndefined();
  expect(editCopy(trap)).toBeUndefined();
});
