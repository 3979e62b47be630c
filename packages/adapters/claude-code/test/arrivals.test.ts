import { shortened } from '@ctx/claude-code';

test('a large result keeps its beginning and end, and says where all of it is', () => {
  const text = Array.from({ length: 4_000 }, (_, line) => `line ${line} of the log`).join('\n');
  const cut = shortened(text, '/home/x/ctx/call.txt') ?? '';
  expect(cut.length).toBeLessThan(text.length / 4);
  expect(cut).toMatch(/^line 0 of the log\n/);
  expect(cut).toMatch(/line 3999 of the log$/);
  expect(cut).toContain('all of it: /home/x/ctx/call.txt');
});

test('a result of the usual size stays as it is', () => {
  expect(shortened('ok', '/x')).toBeUndefined();
});
