import { storedConversation } from '@ctx/codec-openai';

test.each([
  [
    { previous_response_id: 'resp_a', input: 'go' },
    { kind: 'previous-response', id: 'resp_a' },
  ],
  [{ conversation: 'conv_a' }, { kind: 'conversation', id: 'conv_a' }],
  [{ conversation: { id: 'conv_a' } }, { kind: 'conversation', id: 'conv_a' }],
  [{ input: [{ role: 'user', content: 'a' }, { id: 'msg_a' }] }, { kind: 'item-reference', id: 'msg_a' }],
])('%j is stored elsewhere', (body, stored) => {
  expect(storedConversation(body)).toEqual(stored);
});

test.each([
  [undefined],
  [{}],
  [{ previous_response_id: null, conversation: null, input: 'go' }],
  [
    {
      input: [
        { type: 'function_call', id: 'fc_a' },
        { role: 'user', content: 'a' },
      ],
    },
  ],
])('%j is in the request', (body) => {
  expect(storedConversation(body)).toBeUndefined();
});
