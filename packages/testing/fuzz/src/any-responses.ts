import type { ResponseInputItem } from '@ctx/codec-openai';
import { unique, uniqueData } from '@ctx/testing';
import fc from 'fast-check';
import { contentOf, type Fields, oddFields, stepsOf } from './native-fields.js';

const { extra, oneOf } = oddFields(
  { x_unknown: unique },
  { x_unknown: true, x_count: 3 },
  { x_list: [unique, { deep: unique }] },
  { prompt_cache_breakpoint: { mode: unique } },
);

const textItem = oneOf({ type: 'input_text', text: unique }, { type: 'input_text', text: '' });
const inputItem = fc.oneof(
  textItem,
  oneOf(
    { type: 'input_image', image_url: `https://example.org/${unique}`, detail: unique },
    { type: 'input_image', image_url: `data:image/${unique};base64,${unique}`, detail: 'low' },
    { type: 'input_image', image_url: `https://example.org/${unique}`, file_id: unique },
    { type: 'input_image', file_id: unique, detail: 'auto' },
  ),
  oneOf(
    { type: 'input_file', file_data: `data:application/pdf;base64,${uniqueData}`, filename: unique },
    { type: 'input_file', file_data: unique },
    { type: 'input_file', file_url: `https://example.org/${unique}`, filename: unique },
    { type: 'input_file', file_data: `data:text/plain,${unique}`, file_url: unique, file_id: unique },
    { type: 'input_file', file_id: unique },
  ),
  oneOf({ type: 'hologram', x: unique }),
);
const outputItem = oneOf(
  { type: 'output_text', text: unique, annotations: [] },
  { type: 'output_text', text: unique, annotations: [{ type: 'url_citation', url: unique, start_index: 1 }] },
  { type: 'output_text', text: unique, logprobs: [{ token: unique, logprob: -1 }] },
  { type: 'refusal', refusal: unique },
);

const said = (role: string, item: fc.Arbitrary<Fields>) =>
  fc
    .tuple(contentOf(item), fc.constantFrom<Fields>({}, { type: 'message' }), extra)
    .map(([content, type, more]) => ({ ...type, role, content, ...more }));
const answered = fc
  .tuple(
    fc.array(outputItem, { maxLength: 3 }),
    fc.constantFrom<Fields>({}, { phase: 'commentary' }, { status: 'incomplete' }),
    extra,
  )
  .map(([content, more, others]) => ({
    type: 'message',
    id: `msg_${unique}`,
    role: 'assistant',
    status: 'completed',
    content,
    ...more,
    ...others,
  }));
const reasoning = oneOf(
  { type: 'reasoning', id: `rs_${unique}`, summary: [], encrypted_content: unique },
  { type: 'reasoning', id: `rs_${unique}`, summary: [{ type: 'summary_text', text: unique }] },
  {
    type: 'reasoning',
    id: `rs_${unique}`,
    summary: [{ type: 'summary_text', text: unique, x_unknown: unique }],
    content: [{ type: 'reasoning_text', text: unique }],
    encrypted_content: null,
    status: 'completed',
  },
);
const hosted = oneOf(
  {
    type: 'web_search_call',
    id: `ws_${unique}`,
    status: 'completed',
    action: { type: 'search', query: unique },
  },
  { type: 'file_search_call', id: unique, status: 'completed', queries: [unique], results: null },
  {
    type: 'code_interpreter_call',
    id: unique,
    code: unique,
    container_id: unique,
    outputs: [],
    status: 'completed',
  },
  { type: 'image_generation_call', id: unique, status: 'completed', result: unique },
  { type: 'mcp_call', id: unique, server_label: unique, name: unique, arguments: '{}', output: unique },
  { type: 'mcp_list_tools', id: unique, server_label: unique, tools: [{ name: unique, input_schema: {} }] },
  { type: 'tool_search_call', call_id: unique, arguments: { query: unique }, execution: 'client' },
  { type: 'program', id: unique, call_id: unique, code: unique, fingerprint: unique },
  { type: 'teleport_call', id: unique, to: unique },
);
const other = oneOf(
  { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: unique }] },
  { type: 'compaction', encrypted_content: unique, id: unique },
  { type: 'compaction_trigger' },
  { type: 'configuration_update', reasoning: { effort: unique } },
  { type: 'function_call_output', name: unique, output: unique },
  { type: 'function_call_output', call_id: unique, name: unique, output: unique },
  { type: 'item_reference', id: unique },
  { id: `msg_${unique}` },
);

/** A name that stands in a call, and again in its result. */
const tool = 'zq900001';
/** The same for the id of a request for approval. */
const approvalId = 'zq900002';
const given = fc.constantFrom(
  '{}',
  '',
  'null',
  `{"path":"${unique}","all":true,"lines":[1,2]}`,
  `{"path": "${unique}`,
  '{"n":12345678901234567890}',
);
const more = fc.tuple(extra, fc.constantFrom<Fields>({}, { id: `fc_${unique}`, status: 'completed' }));

type Pair = readonly [call: Fields, output: Fields];
const called: fc.Arbitrary<Pair> = fc
  .tuple(given, contentOf(inputItem), fc.boolean(), more, more)
  .map(([text, output, custom, [a, b], [c, d]]) => [
    custom
      ? { type: 'custom_tool_call', name: tool, input: text, ...a, ...b }
      : { type: 'function_call', name: tool, arguments: text, namespace: unique, ...a, ...b },
    { type: custom ? 'custom_tool_call_output' : 'function_call_output', output, ...c, ...d },
  ]);
const screenshots = fc.constantFrom<Fields>(
  { image_url: `data:image/png;base64,${unique}` },
  { image_url: `https://example.org/${unique}`, file_id: unique },
  { file_id: unique },
);
const computer: fc.Arbitrary<Pair> = fc.tuple(screenshots, extra, extra).chain(([shown, a, b]) =>
  fc.constantFrom<Pair>(
    [
      {
        type: 'computer_call',
        action: { type: 'type', text: unique },
        pending_safety_checks: [{ id: unique }],
        ...a,
      },
      { type: 'computer_call_output', output: { type: 'computer_screenshot', ...shown }, ...b },
    ],
    [
      {
        type: 'computer_call',
        actions: [{ type: 'keypress', keys: [unique] }],
        action: { type: 'type', text: unique },
      },
      { type: 'computer_call_output', output: { type: 'computer_screenshot', ...shown }, ...b },
    ],
  ),
);
const builtIn: fc.Arbitrary<Pair> = fc.tuple(extra, extra).chain(([a, b]) =>
  fc.constantFrom<Pair>(
    [
      {
        type: 'local_shell_call',
        id: unique,
        action: { type: 'exec', command: [unique], env: { A: unique } },
        ...a,
      },
      { type: 'local_shell_call_output', id: unique, output: unique, ...b },
    ],
    [
      {
        type: 'shell_call',
        action: { commands: [unique, unique] },
        environment: { type: 'local' },
        ...a,
      },
      {
        type: 'shell_call_output',
        output: [
          { stdout: unique, stderr: unique, outcome: { type: 'exit', exit_code: 1 } },
          { stdout: '', stderr: '', outcome: { type: 'timeout' }, ...b },
        ],
        max_output_length: 9,
      },
    ],
    [
      {
        type: 'apply_patch_call',
        status: 'completed',
        operation: { type: 'update_file', path: unique, diff: unique },
      },
      { type: 'apply_patch_call_output', status: 'failed', output: unique, ...b },
    ],
    [
      {
        type: 'apply_patch_call',
        status: 'completed',
        operation: { type: 'delete_file', path: unique },
        ...a,
      },
      { type: 'apply_patch_call_output', status: 'completed', output: null },
    ],
  ),
);

/** Calls that are made together, after the reasoning that led to them, and then their outputs. */
const exchange = fc
  .tuple(
    fc.array(reasoning, { maxLength: 1 }),
    fc.array(fc.oneof(called, called, computer, builtIn), { minLength: 1, maxLength: 3 }),
  )
  .map(([thought, pairs]) => [
    ...thought,
    ...pairs.map(([call], at) => ({ ...call, call_id: `call_${at}` })),
    ...pairs.map(([, output], at) => ({ ...output, call_id: `call_${at}` })),
  ]);
const approval = fc.tuple(given, fc.boolean(), extra).map(([text, approve, others]) => [
  { type: 'mcp_approval_request', id: approvalId, server_label: unique, name: tool, arguments: text },
  { type: 'mcp_approval_response', approval_request_id: approvalId, approve, reason: unique, ...others },
]);

/** Inputs with every item and field that the Responses API knows, and some that it does not. */
export const anyResponses = stepsOf(
  [
    ...[said('system', textItem), said('developer', textItem), said('user', inputItem)],
    ...[said('assistant', outputItem), answered, reasoning, hosted, other],
  ],
  exchange,
  exchange,
  approval,
) as unknown as fc.Arbitrary<ResponseInputItem[]>;
