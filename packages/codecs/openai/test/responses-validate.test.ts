import { responsesCodec } from '@ctx/codec-openai';

const user = { role: 'user', content: 'go' };
const thought = (id = 'rs_a') => ({ type: 'reasoning', id, summary: [] });
const call = (id: string, more: object = {}) => {
  return { type: 'function_call', call_id: id, name: 'read', arguments: '{}', ...more };
};
const output = (id: string, more: object = {}) => {
  return { type: 'function_call_output', call_id: id, output: 'text', ...more };
};
const said = (...content: object[]) => ({ role: 'assistant', content });
const text = { type: 'output_text', text: 'a', annotations: [] };

const rulesOf = (...items: object[]) =>
  responsesCodec.validate(items).map(({ index, rule }) => `${index} ${rule}`);

test('what the API accepts', () => {
  expect(responsesCodec.validate('why?')).toEqual([]);
  expect(
    rulesOf(
      { type: 'additional_tools', role: 'developer', tools: [] },
      user,
      thought('rs_a'),
      call('a', { id: 'fc_a' }),
      thought('rs_b'),
      call('b'),
      output('b'),
      output('a', { output: [{ type: 'input_text', text: 'a' }] }),
      call('a'),
      output('a'),
      thought('rs_c'),
      said(text, { type: 'refusal', refusal: 'no' }),
      { type: 'item_reference', id: 'fc_z' },
      output('z'),
      { type: 'local_shell_call', id: 'lsh_a', call_id: 'sh', action: {} },
      { type: 'local_shell_call_output', id: 'lsh_a', output: '' },
      { type: 'mcp_approval_request', id: 'mcpr_a', name: 'send', arguments: '{}' },
      { type: 'compaction_trigger' },
    ),
  ).toEqual([]);
});

test.each<[string, object[], string[]]>([
  ['a call without an output', [user, call('a')], ['1 call-has-output']],
  ['an output before its call', [output('a'), call('a')], ['0 output-has-call', '1 call-has-output']],
  ['an output without a call', [user, output('a')], ['1 output-has-call']],
  ['two outputs', [call('a'), output('a'), output('a')], ['2 output-once']],
  ['two calls that wait with one id', [call('a'), call('a'), output('a')], ['1 call-id-unique']],
  ['reasoning at the end', [user, thought()], ['1 reasoning-has-item']],
  ['reasoning before the user', [thought(), user], ['0 reasoning-has-item']],
  ['an output that is missing', [call('a'), output('a', { output: undefined })], ['1 output-given']],
  ['a text of the user in an answer', [said({ type: 'input_text', text: 'a' })], ['0 content-type']],
  ['an answer’s text in a question', [{ role: 'user', content: [text] }], ['0 content-type']],
  ['a part that is not known', [{ role: 'user', content: [{ type: 'hologram' }] }], ['0 content-type']],
  [
    'an image and a file that are nowhere',
    [
      {
        role: 'user',
        content: [
          { type: 'input_image', detail: 'auto' },
          { type: 'input_file', filename: 'a' },
        ],
      },
    ],
    ['0 content-source', '0 content-source'],
  ],
  ['empty messages', [said(), { role: 'user', content: '' }], ['0 content-not-empty', '1 content-not-empty']],
  [
    'an id that stands twice',
    [said(text), thought('rs_a'), thought('rs_a'), said(text)],
    ['2 item-id-unique'],
  ],
  ['ids of another kind', [{ ...said(text), id: 'x' }], ['0 item-id-prefix']],
  ['a name with other characters', [call('a', { name: 'a.b' }), output('a')], ['0 tool-name']],
  [
    'a call id that is too long',
    [call('a'.repeat(65)), output('a'.repeat(65))],
    ['0 call-id-length', '1 call-id-length'],
  ],
  ['items after the trigger', [{ type: 'compaction_trigger' }, user], ['0 compaction-trigger-last']],
  [
    'tools after a call',
    [call('a'), output('a'), { type: 'additional_tools', role: 'developer', tools: [] }],
    ['2 additional-tools-first'],
  ],
  ['malformed items only', [call('a'), { role: 'robot' }, { type: 'function_call' }], ['1 form', '2 form']],
])('%s', (_title, items, expected) => {
  expect(rulesOf(...items)).toEqual(expected);
});

test('a value that is no input', () => {
  expect(responsesCodec.validate(5 as never)).toEqual([
    { index: -1, rule: 'form', detail: 'A text or a list of items was expected.' },
  ]);
});

test('an item misses the reasoning that it stood behind before', () => {
  const before = [[user, thought('rs_a'), call('a', { id: 'fc_a' })]];
  const now = [user, call('a', { id: 'fc_a' }), output('a')];
  expect(responsesCodec.validate(now, { before })).toEqual([
    {
      index: 1,
      rule: 'item-has-reasoning',
      detail: 'The item "fc_a" stood behind the reasoning "rs_a", which is gone.',
    },
  ]);
  expect(
    responsesCodec.validate([user, thought('rs_a'), call('a', { id: 'fc_a' }), output('a')], { before }),
  ).toEqual([]);
  expect(responsesCodec.validate([user, call('a'), output('a')], { before })).toEqual([]);
});
