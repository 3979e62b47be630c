import { ContextManager, type Message } from '@ctx/core';
import { call, result, transcript, words } from '@ctx/testing';
import { png } from '../png.js';

/** Counted with 1,334 tokens. */
const picture = png(1280, 800, 15_000);

const shot = (at: number): Message[] => {
  const output = { type: 'content', value: [{ type: 'image', image: picture }] } as const;
  return transcript(call(`c${at}`, 'look', { at }), result(`c${at}`, output));
};

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
