import type { ResponseInputItem } from '@ctx/codec-openai';
import fc from 'fast-check';
import {
  argumentTexts,
  type Fields,
  field,
  merged,
  pairsOf,
  shapesIn,
  sideOf,
  stepsOf,
} from './native-shapes.js';

/** The name zq900001 stands in a call, and again in its result; zq900002 in a request for approval, and in the answer. */
const { content, extra, one, plain } = shapesIn`
  odd         {prompt_cache_breakpoint: {mode: §}}
  text        {type: input_text, text: §}
  text        {type: input_text, text: ""}
  image       {type: input_image, image_url: https://example.org/§, detail: §}
  image       {type: input_image, image_url: data:image/§;base64,§, detail: low}
  image       {type: input_image, image_url: https://example.org/§, file_id: §}
  image       {type: input_image, file_id: §, detail: auto}
  file        {type: input_file, file_data: data:application/pdf;base64,¶, filename: §}
  file        {type: input_file, file_data: §}
  file        {type: input_file, file_url: https://example.org/§, filename: §}
  file        {type: input_file, file_data: data:text/plain,§, file_url: §, file_id: §}
  file        {type: input_file, file_id: §}
  hologram    {type: hologram, x: §}
  output      {type: output_text, text: §, annotations: []}
  output      {type: output_text, text: §, annotations: [{type: url_citation, url: §, start_index: 1}]}
  output      {type: output_text, text: §, logprobs: [{token: §, logprob: -1}]}
  output      {type: refusal, refusal: §}
  type        {}
  type        {type: message}
  system      {role: system}
  system      {role: developer}
  user        {role: user}
  assistant   {role: assistant}
  answer      {type: message, id: msg_§, role: assistant, status: completed}
  answer      {type: message, id: msg_§, role: assistant, status: completed, phase: commentary}
  answer      {type: message, id: msg_§, role: assistant, status: incomplete}
  reasoning   {type: reasoning, id: rs_§, summary: [], encrypted_content: §}
  reasoning   {type: reasoning, id: rs_§, summary: [{type: summary_text, text: §}]}
  reasoning   {type: reasoning, id: rs_§, summary: [{type: summary_text, text: §, x_unknown: §}], content: [{type: reasoning_text, text: §}], encrypted_content: null, status: completed}
  hosted      {type: web_search_call, id: ws_§, status: completed, action: {type: search, query: §}}
  hosted      {type: file_search_call, id: §, status: completed, queries: [§], results: null}
  hosted      {type: code_interpreter_call, id: §, code: §, container_id: §, outputs: [], status: completed}
  hosted      {type: image_generation_call, id: §, status: completed, result: §}
  hosted      {type: mcp_call, id: §, server_label: §, name: §, arguments: "{}", output: §}
  hosted      {type: mcp_list_tools, id: §, server_label: §, tools: [{name: §, input_schema: {}}]}
  hosted      {type: tool_search_call, call_id: §, arguments: {query: §}, execution: client}
  hosted      {type: program, id: §, call_id: §, code: §, fingerprint: §}
  hosted      {type: teleport_call, id: §, to: §}
  other       {type: additional_tools, role: developer, tools: [{type: function, name: §}]}
  other       {type: compaction, encrypted_content: §, id: §}
  other       {type: compaction_trigger}
  other       {type: configuration_update, reasoning: {effort: §}}
  other       {type: function_call_output, name: §, output: §}
  other       {type: function_call_output, call_id: §, name: §, output: §}
  other       {type: item_reference, id: §}
  other       {id: msg_§}
  id          {}
  id          {id: fc_§, status: completed}
  screenshot  {type: computer_screenshot, image_url: data:image/png;base64,§}
  screenshot  {type: computer_screenshot, image_url: https://example.org/§, file_id: §}
  screenshot  {type: computer_screenshot, file_id: §}
  computer    {type: computer_call, action: {type: type, text: §}, pending_safety_checks: [{id: §}]}
  computer    {type: computer_call, actions: [{type: keypress, keys: [§]}], action: {type: type, text: §}}
  computed    {type: computer_call_output}
  local       {type: local_shell_call, id: §, action: {type: exec, command: [§], env: {A: §}}}
  localOutput {type: local_shell_call_output, id: §, output: §}
  shell       {type: shell_call, action: {commands: [§, §]}, environment: {type: local}}
  shellOutput {type: shell_call_output, output: [{stdout: §, stderr: §, outcome: {type: exit, exit_code: 1}}, {stdout: "", stderr: "", outcome: {type: timeout}}], max_output_length: 9}
  shellOutput {type: shell_call_output, output: [{stdout: "", stderr: "", outcome: {type: timeout}, x_unknown: §}], max_output_length: 9}
  patch       {type: apply_patch_call, status: completed, operation: {type: update_file, path: §, diff: §}}
  patch       {type: apply_patch_call, status: completed, operation: {type: delete_file, path: §}}
  patchOutput {type: apply_patch_call_output, status: failed, output: §}
  patchOutput {type: apply_patch_call_output, status: completed, output: null}
  request     {type: mcp_approval_request, id: zq900002, server_label: §, name: zq900001}
  response    {type: mcp_approval_response, approval_request_id: zq900002, approve: true, reason: §}
  response    {type: mcp_approval_response, approval_request_id: zq900002, approve: false, reason: §}
`;
const said = (role: string, ...parts: string[]) =>
  merged(plain(role), field('content', content(...parts)), plain('type'), extra);
const answered = merged(plain('answer'), field('content', fc.array(one('output'), { maxLength: 3 })), extra);
const inputParts = ['text', 'image', 'file', 'hologram'];

const more = merged(extra, plain('id'));
const called = fc.tuple(argumentTexts, content(...inputParts), more, more).chain(([given, output, a, b]) =>
  fc.constantFrom<[Fields, Fields]>(
    [
      { type: 'custom_tool_call', name: 'zq900001', input: given, ...a },
      { type: 'custom_tool_call_output', output, ...b },
    ],
    [
      { type: 'function_call', name: 'zq900001', arguments: given, namespace: '§', ...a },
      { type: 'function_call_output', output, ...b },
    ],
  ),
);
const computed = merged(one('computed'), field('output', plain('screenshot')));
const builtIn = fc.oneof(
  fc.tuple(one('local'), one('localOutput')),
  fc.tuple(one('shell'), plain('shellOutput')),
  fc.tuple(one('patch'), one('patchOutput')),
);

/** Calls that are made together, after the reasoning that led to them, and then their outputs. */
const exchange = fc
  .tuple(
    fc.array(one('reasoning'), { maxLength: 1 }),
    pairsOf(called, called, fc.tuple(one('computer'), computed), builtIn),
  )
  .map(([thought, pairs]) => [...thought, ...sideOf(pairs, 0, 'call_id'), ...sideOf(pairs, 1, 'call_id')]);
const approval = fc.tuple(merged(plain('request'), field('arguments', argumentTexts)), one('response'));

/** Inputs with every item and field that the Responses API knows, and some that it does not. */
export const anyResponses = stepsOf(
  [
    ...[said('system', 'text'), said('user', ...inputParts), said('assistant', 'output'), answered],
    ...[one('reasoning'), one('hosted'), one('other')],
  ],
  exchange,
  exchange,
  approval,
) as unknown as fc.Arbitrary<ResponseInputItem[]>;
