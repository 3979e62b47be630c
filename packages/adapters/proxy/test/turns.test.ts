import { oneInTurn } from '../src/open-requests.js';

/** Notes who goes on, and in which turn of the event loop. */
function logging() {
  const turns = oneInTurn();
  const names: string[] = [];
  const times: number[] = [];
  let time = 0;
  let isOver = false;
  const tick = () => {
    time += 1;
    if (!isOver) setImmediate(tick);
  };
  tick();
  const each = async (when: 'soon' | 'later', name: string) => {
    await turns[when]();
    names.push(name);
    times.push(time);
  };
  const end = () => {
    isOver = true;
  };
  return { names, times, each, end };
}

test('of several that wait, one goes on in each turn of the event loop, in the order in which they came', async () => {
  const { names, times, each, end } = logging();
  await Promise.all(['a', 'b', 'c'].map((name) => each('soon', name)));
  end();
  expect(names).toEqual(['a', 'b', 'c']);
  expect(new Set(times).size).toBe(3);
});

test('what a request waits for goes before long work', async () => {
  const { names, each, end } = logging();
  await Promise.all([each('later', 'a'), each('later', 'b'), each('soon', 'c'), each('soon', 'd')]);
  end();
  expect(names).toEqual(['c', 'd', 'a', 'b']);
});

test('who comes when nobody waits any more is served as well', async () => {
  const { names, each, end } = logging();
  await each('later', 'a');
  await new Promise((resolve) => setImmediate(resolve));
  await each('soon', 'b');
  end();
  expect(names).toEqual(['a', 'b']);
});
