import { type AnyModelMessage, modelMessageCodec } from '@ctx/codec-ai-sdk';

const custom = (anthropic: object) => ({ type: 'custom', providerOptions: { anthropic } });

/** Outputs of results, and whether they bring tools into the conversation. */
test.each<[string, boolean, object]>([
  ['Anthropic’s', true, { type: 'json', value: [{ type: 'tool_reference', toolName: 'read' }] }],
  [
    'OpenAI’s',
    true,
    { type: 'json', value: { tools: [{ type: 'function', name: 'read', defer_loading: true }] } },
  ],
  ['those of a namespace', true, { type: 'json', value: { tools: [{ type: 'namespace', name: 'crm' }] } }],
  [
    'a search by the client',
    true,
    { type: 'content', value: [custom({ type: 'tool-reference', toolName: 'read' })] },
  ],
  ['a list of something else', false, { type: 'json', value: { tools: [{ name: 'hammer' }, null, 'saw'] } }],
  ['a text', false, { type: 'text', value: 'tool_reference' }],
  ['a web search', false, { type: 'json', value: [{ type: 'web_search_result', url: 'a' }] }],
])('tools that a search found stay in the conversation: %s', (_, isPinned, output) => {
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: {} };
  const result = { type: 'tool-result', toolCallId: 'c', toolName: 'search', output };
  const byProvider = [{ role: 'assistant', content: [{ ...call, providerExecuted: true }, result] }];
  const byClient = [
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ];
  for (const messages of [byProvider, byClient])
    expect(modelMessageCodec.toMessages(messages as AnyModelMessage[]).at(-1)?.pinned === true).toBe(
      isPinned,
    );
});
