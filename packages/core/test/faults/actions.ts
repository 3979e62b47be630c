import type { CompressionOutcome } from '@ctx/core';
import type { Simulation } from '../../src/compress/record.js';
import { moreMessages, type World } from './world.js';

export type Come = CompressionOutcome | Simulation;

const overflow = { status: 400, message: "This model's maximum context length is 100 tokens." };

/** Every call of a manager that waits for something, each on its own manager with the conversation. */
export const actions = {
  checkAndCompress: ({ manager }, signal) => manager.checkAndCompress({ signal }),
  'checkAndCompress below the trigger, before a send': (world, signal) => {
    world.rewindTo(10);
    return world.manager.checkAndCompress({ signal, beforeSend: true });
  },
  add: (world, signal) => {
    const [message] = moreMessages;
    if (message === undefined) throw new Error('Nothing to add.');
    world.said = [...world.said, message];
    return world.manager.add(message, { signal });
  },
  compress: ({ manager }, signal) =>
    manager.compress({ signal, targetTokens: 50, instructions: 'Be brief.' }),
  'compress by one strategy': ({ manager }, signal) =>
    manager.compress({ signal, strategy: 'stepping', targetTokens: 50 }),
  simulate: ({ manager }) => manager.simulate({ targetTokens: 50 }),
  recover: ({ manager }, signal) => manager.recover(overflow, { signal }),
} satisfies Record<string, (world: World, signal: AbortSignal) => Promise<Come>>;

export type ActionName = keyof typeof actions;
