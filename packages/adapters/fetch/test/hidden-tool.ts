export const hiddenTool = {
  name: 'recall',
  description: 'Finds what was said.',
  parameters: { type: 'object' },
  run: async () => 'nothing',
};
/** What the fields of a message are that calls it. */
export const hiddenCall = {
  content: null,
  tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'recall', arguments: '{}' } }],
};
const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }];
export const requestWithTools = { model: 'gpt-5', tools, messages: [{ role: 'user', content: 'hi' }] };
