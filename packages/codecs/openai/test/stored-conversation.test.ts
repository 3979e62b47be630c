import { requireWholeInput, storedConversation } from '@ctx/codec-openai';
import { CtxError } from '@ctx/core';

test.each([
  [
    { previous_response_id: 'resp_a', input: 'go' },
    { kind: 'previous-response', id: 'resp_a' },
    'previous_response_id',
  ],
  [{ conversation: 'conv_a' }, { kind: 'conversation', id: 'conv_a' }, 'conversation'],
  [{ conversation: { id: 'conv_a' } }, { kind: 'conversation', id: 'conv_a' }, 'conversation'],
  [
    { input: [{ role: 'user', content: 'a' }, { id: 'msg_a' }] },
    { kind: 'item-reference', id: 'msg_a' },
    'input',
  ],
])('%j is stored elsewhere', (body, stored, place) => {
  expect(storedConversation(body)).toEqual(stored);
  const error = thrownBy(() => requireWholeInput(body));
  expect(CtxError.isInstance(error) && { code: error.code, place: error.place, value: error.value }).toEqual({
    code: 'conversation-stored',
    place,
    value: stored.id,
  });
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
  expect(() => requireWholeInput(body)).not.toThrow();
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
