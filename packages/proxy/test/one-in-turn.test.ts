import { oneInTurn } from '../src/one-in-turn.js';

test('of several that wait, one goes on in each turn, in the order in which they came', async () => {
  const log: string[] = [];
  let turns = 0;
  const pause = oneInTurn(async () => {
    turns += 1;
    log.push('turn');
  });
  const wait = async (name: string) => {
    await pause();
    log.push(`${name} after ${turns}`);
  };
  await Promise.all(['a', 'b', 'c'].map(wait));
  await wait('d');
  const went = log.filter((one) => one !== 'turn');
  expect(went.map((one) => one[0])).toEqual(['a', 'b', 'c', 'd']);
  expect(turns).toBe(4);
});

test('the event loop turns between two of them', async () => {
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
