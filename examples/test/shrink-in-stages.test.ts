import { messageText } from '@ctx/core';
import { main } from '../shrink-in-stages.js';

test('results are cleared first, then files are folded, and nothing leaves the conversation', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation();
  const { record, folded, kept } = await main();
  const lines = log.mock.calls.map(([line]) => String(line));

  expect(record?.stages.map(({ strategy }) => strategy)).toEqual(['tool-results', 'file-folding']);
  expect(record?.tokensAfter).toBeLessThanOrEqual(26_000);
  expect(record?.messagesAfter).toBe(record?.messagesBefore);
  expect(kept).toBe(record?.messagesBefore);
  expect(messageText(folded as NonNullable<typeof folded>)).toMatch(
    /## File Context: .*\.ts\n(class|interface|function) /,
  );
  expect(lines[1]).toMatch(/^tool-results: \d+ edits, \d+ tokens left$/);
});
