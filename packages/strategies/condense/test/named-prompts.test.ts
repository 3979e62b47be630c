import { promptOf } from '../src/named-prompts.js';
import { summaryPrompt } from '../src/prompt.js';

test('the structured prompt has the seven sections, and asks for the user’s own words', () => {
  const prompt = promptOf('structured');
  expect(prompt).toMatch(
    /^Your task is to create a detailed summary of the conversation so far, paying close attention/,
  );
  expect(prompt.match(/^ {2}\d\. .*?:/gm)).toHaveLength(7);
  expect(prompt).toContain('- "[Verbatim user quote]" (Message #X)');
  expect(prompt).toMatch(/Output only the summary, without additional commentary\.$/);
});

test('the short prompt has four points', () => {
  const prompt = promptOf('short');
  expect(prompt).toMatch(/^Please provide a concise summary of the conversation so far,\nfocusing on:\n/);
  expect(prompt.match(/^- .+$/gm)).toHaveLength(4);
  expect(prompt).toMatch(/Keep the summary brief but comprehensive\.$/);
});

test('a text is taken as it stands; nothing is the built-in prompt', () => {
  expect(promptOf('In three lines.')).toBe('In three lines.');
  for (const nothing of [undefined, '', ' \n']) expect(promptOf(nothing)).toBe(summaryPrompt);
});

test.each(['structred', 'constructor', 'x'])('the name %j is refused', (name) => {
  expect(() => promptOf(name)).toThrow(expect.objectContaining({ code: 'config-invalid', place: 'prompt' }));
});
