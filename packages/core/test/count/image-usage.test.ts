import { ContextManager, type Message } from '@ctx/core';
import { words } from '@ctx/testing';

/** A picture of 1280 × 800 pixels, which is counted with 1,334 tokens. */
const picture = (() => {
  const bytes = Buffer.alloc(15_000, 7);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(1280, 16);
  bytes.writeUInt32BE(800, 20);
  return bytes.toString('base64');
})();

const shot = (at: number): Message[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: `c${at}`, toolName: 'look', input: { at } }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: `c${at}`,
        toolName: 'look',
        output: { type: 'content', value: [{ type: 'image', image: picture }] },
      },
    ],
  },
];

test.each([300, 1_105, 1_365, 5_000])('reported usage teaches that a picture costs %i tokens', (each) => {
  const manager = new ContextManager({ config: { contextWindow: 200_000 } });
  manager.append({ role: 'user', content: 'Look at every page.' });
  for (let at = 0; at < 12; at += 1) {
    for (const message of shot(at)) manager.append(message);
    const { countedTokens } = manager.stats();
    const text = countedTokens - (at + 1) * 1_334;
    manager.request();
    manager.reportUsage({ inputTokens: text + (at + 1) * each });
  }
  const before = manager.stats().currentTokens;
  for (const message of shot(12)) manager.append(message);
  expect(Math.abs(manager.stats().currentTokens - before - each)).toBeLessThan(0.1 * each);
  // Texts are not what was wrong.
  const withPictures = manager.stats();
  manager.append({ role: 'user', content: words(2_000) });
  const text = manager.stats();
  const growth = text.currentTokens - withPictures.currentTokens;
  const counted = text.countedTokens - withPictures.countedTokens;
  expect(growth / counted).toBeGreaterThan(0.8);
  expect(growth / counted).toBeLessThan(1.25);
});
