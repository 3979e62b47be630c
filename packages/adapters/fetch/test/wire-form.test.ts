import { type AnsweringForm, recordAfter, wholeHistory } from '../src/hidden/hidden-records.js';
import { modelOf, outputTokensOf, wireForms } from '../src/wire-form.js';

test.each([
  { max_completion_tokens: 7, max_tokens: 9 },
  { max_tokens: 7 },
  { max_output_tokens: 7 },
  { generationConfig: { maxOutputTokens: 7 } },
  { inferenceConfig: { maxTokens: 7 } },
  { options: { num_predict: 7 } },
])('the tokens that an answer may have are read from %j', (body) => {
  expect(outputTokensOf(body)).toBe(7);
});

test.each([
  ['/v1beta/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro'],
  ['/v1/publishers/anthropic/models/claude-sonnet-4%4020250514:rawPredict', 'claude-sonnet-4@20250514'],
  ['/model/anthropic.claude-v1%3A0/converse-stream', 'anthropic.claude-v1:0'],
  ['/model/anthropic.claude-v1:0/invoke', 'anthropic.claude-v1:0'],
  ['/v1/chat/completions', undefined],
])('the model in the path %s', (path, model) => {
  const url = new URL(`http://host${path}`);
  expect(modelOf({}, url)).toBe(model);
  expect(modelOf({ model: 'named' }, url)).toBe('named');
});

test.each([true, false])(
  'results of a hidden call join those of the agent (it has sent some: %s)',
  (isSent) => {
    const form = wireForms.find(({ provider }) => provider === 'anthropic') as AnsweringForm;
    const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'recall', output: 'found' } as const;
    const asked = { role: 'user', content: 'Go on' };
    const entries = [{ role: 'assistant', content: [call('a', 'recall'), call('b', 'read')] }];
    const results = [{ role: 'tool' as const, content: [result] }];
    const record = recordAfter([asked], { entries, results }, form, 'recall');
    const shown = { role: 'assistant', content: [call('b', 'read')] };
    const sent = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'b', content: 'text of a file' }],
    };
    const { list, used } = wholeHistory([asked, shown, ...(isSent ? [sent] : [])], [record], form, 'recall');
    expect(used).toEqual([record]);
    expect(list).toHaveLength(3);
    expect(JSON.stringify(list[2])).toContain('found');
    expect(JSON.stringify(list[2]).includes('text of a file')).toBe(isSent);
  },
);
