import { setImmediate } from 'node:timers/promises';

/**
 * Gives a function that resolves after the event loop has turned. Of several that wait, one goes on in each turn: with a slice of each
 * conversation that is read or compressed, a turn would take as long as all of them.
 */
export function oneInTurn(turn: () => Promise<unknown> = () => setImmediate()): () => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    last = last.then(turn);
    return last;
  };
}
