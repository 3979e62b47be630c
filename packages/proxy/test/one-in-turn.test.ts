import { oneInTurn } from '../src/one-in-turn.js';

test('of several that wait, one goes on in each turn of the event loop, in the order in which they came', async () => {
  const pause = oneInTurn();
  const log: string[] = [];
  const each = async (name: string) => {
    await pause();
    log.push(name);
    setImmediate(() => log.push('turn'));
  };
  await Promise.all(['a', 'b', 'c'].map(each));
  expect(log).toEqual(['a', 'turn', 'b', 'turn', 'c']);
});
