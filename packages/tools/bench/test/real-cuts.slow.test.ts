import { testWithFiles } from '@ctx/testing';
import { commonAtoms, cutsOf, loadCounter, recallOf } from '../src/index.js';
import { realFiles, realSessions } from './real-sessions.js';
import { expectEverything } from './recall-of-copies.js';

testWithFiles('an identical copy keeps everything on cuts of the real sessions', realFiles, async () => {
  const sessions = await realSessions();
  const tokensOf = await loadCounter();
  const common = commonAtoms(sessions);
  const cuts = sessions.flatMap(({ messages }) => cutsOf(messages, { tokensOf, common, shares: [0.5, 0.8] }));
  expect(cuts.length).toBeGreaterThan(30);
  for (const one of cuts) {
    const recall = recallOf(one, one.prefix, { budget: one.prefixTokens + one.systemTokens, tokensOf });
    expectEverything(recall);
    expect(recall).toMatchObject({ inBudget: true, validAnthropic: true, validOpenai: true });
  }
});
