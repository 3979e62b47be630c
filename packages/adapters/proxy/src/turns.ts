import { setImmediate } from 'node:timers/promises';

/** Functions that resolve after the event loop has turned. */
export interface Turns {
  /** For what a request waits for: reading it. */
  readonly soon: () => Promise<void>;
  /** For long work: compressing. It goes on when nobody waits for reading. */
  readonly later: () => Promise<void>;
}

/**
 * Of several that wait, one goes on in each turn of the event loop, in the order in which they came: with a slice of each conversation that is
 * at work, a turn would take as long as all of them.
 */
export function oneInTurn(): Turns {
  const [soon, later]: [(() => void)[], (() => void)[]] = [[], []];
  let isTurning = false;
  const turn = async () => {
    isTurning = true;
    while (soon.length + later.length > 0) {
      await setImmediate();
      (soon.shift() ?? later.shift())?.();
    }
    isTurning = false;
  };
  const waitIn = (queue: (() => void)[]) => () =>
    new Promise<void>((resolve) => {
      queue.push(resolve);
      if (!isTurning) void turn();
    });
  return { soon: waitIn(soon), later: waitIn(later) };
}
