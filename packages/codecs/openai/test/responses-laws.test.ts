import { type ResponseInputItem, responsesCodec } from '@ctx/codec-openai';
import { anyResponses } from '@ctx/fuzz';
import { testCodec } from '@ctx/testing';

/** A conversation that is refused, and the place that the error names. */
const at = (place: string, conversation: unknown) => ({ conversation, place });
/** Items may have fields that no type lists. */
const input = (...items: object[]) => items as ResponseInputItem[];
const user = (content: string | object[]) => ({ role: 'user', content });
const thought = (id: string) => ({
  type: 'reasoning',
  id: `rs_${id}`,
  summary: [{ type: 'summary_text', text: `thinking of ${id}` }],
  encrypted_content: 'Z0FBQUFB',
});
const answer = (id: string, ...content: object[]) => {
  return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
};
const says = (text: string) => ({ type: 'output_text', text, annotations: [] });
/** An item that the provider, or the client, has completed. */
const done = (type: string, more: object) => ({ type, status: 'completed', ...more });
const call = (id: string, json: string) =>
  done('function_call', { id: `fc_${id}`, call_id: id, name: 'read', arguments: json });
const output = (id: string, text: unknown) => ({ type: 'function_call_output', call_id: id, output: text });

const fixtures: Record<string, ResponseInputItem[]> = {
  'reasoning with its message and its calls': input(
    user('read both'),
    thought('a'),
    { ...answer('a', says('I will')), phase: 'commentary' },
    call('a', '{"path":"a"}'),
    call('b', '{"path": '),
    output('a', 'A'),
    { ...output('b', [{ type: 'input_text', text: 'B', x_unknown: 1 }]), x_unknown: 2 },
    thought('b'),
    answer('b', says('Half way.')),
    thought('c'),
    call('c', '{"path":"c"}'),
    output('c', 'x'.repeat(1_000_000)),
    thought('d'),
    answer('d', says('done'), { type: 'refusal', refusal: 'No more.' }),
  ),
  'images and files, known by an id too': input(
    user([
      { type: 'input_text', text: 'what is this?', x_unknown: 1 },
      { type: 'input_image', image_url: 'https://example.org/a.png', detail: 'low', x_unknown: 2 },
      { type: 'input_image', file_id: 'file-1', detail: 'auto' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a', x_unknown: 3 },
      { type: 'input_file', file_url: 'https://example.org/a.pdf' },
      { type: 'input_file', file_id: 'file-2' },
      { type: 'hologram', x: 1 },
    ]),
    call('a', '{}'),
    output('a', [
      { type: 'input_image', image_url: 'https://example.org/b.png', detail: 'high' },
      { type: 'input_file', file_id: 'file-3' },
    ]),
  ),
  'custom tools with lists, reused ids and `__proto__`': input(
    user('\ud800'),
    { type: 'custom_tool_call', id: 'ctc_a', call_id: 'a', name: 'exec', input: 'await tools.read("a")' },
    { type: 'custom_tool_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'A' }] },
    { type: 'custom_tool_call', call_id: 'a', name: 'exec', input: '{ "__proto__": {"x":1} }' },
    { type: 'custom_tool_call_output', call_id: 'a', output: '' },
    call('__proto__', '12345678901234567890'),
    output('__proto__', 'a'),
  ),
  'messages without content': input(
    { role: 'system', content: '' },
    user(''),
    user([]),
    user([{ type: 'input_text', text: '' }]),
    thought('a'),
    answer('a'),
    { ...call('a', '{}') },
    output('a', ''),
    { role: 'user', content: null },
  ),
  'calls without ids, and two with the same': input(
    user('read all'),
    { ...call('a', '{"path":"a"}'), call_id: '' },
    { ...call('b', '{"path":"b"}'), call_id: '' },
    { ...output('a', 'A'), call_id: '' },
    { ...output('b', 'B'), call_id: '' },
    { ...call('c', '{"path":"c"}'), call_id: 'x' },
    { ...call('d', '{"path":"d"}'), call_id: 'x' },
    { ...output('c', 'C'), call_id: 'x' },
    { ...output('d', 'D'), call_id: 'x' },
    { ...call('e', '{"path":"e"}'), call_id: '' },
    { ...output('e', 'E'), call_id: '' },
  ),
  'an output without a call': input(
    { ...output('x', 'who asked?'), name: 'read' },
    user('hm'),
    { type: 'function_call_output', name: 'read', output: 'nobody' },
    { ...output('y', 'nobody'), call_id: null },
    user('oh'),
  ),
};

testCodec<ResponseInputItem[]>({
  name: 'openai-responses',
  codec: responsesCodec,
  fixtures,
  nativesOf: (items) => items,
  madeUpIds: /^unnamed-/,
  /** The API reads an id only to find the reasoning that an item needs. */
  blocksOf: (items) => items.flatMap(blocksOf),
  keptFields: ['x_unknown'],
  conversations: anyResponses,
  refused: {
    'a value that is neither text nor a list': at('input', 5),
    'an item that is null': at('input[0]', [null]),
    'an item without a type': at('input[0].type', [{}]),
    'an unknown role': at('input[1].role', [user('a'), { role: 'robot', content: 'hi' }]),
    'content that is a number': at('input[0].content', [{ role: 'user', content: 5 }]),
    'a part that is a string': at('input[0].content[0]', [{ role: 'user', content: ['x'] }]),
    'a part without a type': at('input[0].content[0].type', [{ role: 'user', content: [{}] }]),
    'a call without an id': at('input[2].call_id', [
      user('a'),
      thought('a'),
      { type: 'function_call', name: 'a', arguments: '{}' },
    ]),
    'arguments that are an object': at('input[0].arguments', [
      { type: 'function_call', call_id: 'a', name: 'a', arguments: {} },
    ]),
    'an output without the id of its call': at('input[0].call_id', [
      { type: 'custom_tool_call_output', output: 'x' },
    ]),
    'an output that is a number': at('input[0].output', [output('a', 5)]),
    'a screenshot that is a text': at('input[0].output', [
      { type: 'computer_call_output', call_id: 'a', output: 'x' },
    ]),
    'a summary that is a text': at('input[0].summary', [{ type: 'reasoning', id: 'rs_a', summary: 'x' }]),
  },
});

function blocksOf(item: ResponseInputItem): unknown[] {
  if ('content' in item && item.type !== 'reasoning')
    return Array.isArray(item.content) ? item.content : [item.content];
  const { id: _id, ...rest } = item as { id?: string };
  return [JSON.stringify(rest)];
}
