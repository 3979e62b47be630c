import { summaryRequest } from '../src/prompt.js';

const asked = { history: 'the record', boundary: 'f00', summaryTokens: 1_000 };

test('a model is told its length in tokens and in words, and the history comes last', () => {
  const request = summaryRequest(asked);
  expect(request).toContain('At most 1000 tokens, which are some 700 words.');
  expect(request.endsWith('\n\n<history-f00>\nthe record\n</history-f00>')).toBe(true);
});

test('the caller’s instructions are passed on if there are any', () => {
  expect(summaryRequest({ ...asked, instructions: 'mind the port' })).toContain('wants: mind the port\n');
  expect(summaryRequest(asked)).not.toContain('wants:');
});
