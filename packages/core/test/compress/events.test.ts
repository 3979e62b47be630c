import type { ContextEvents } from '@ctx/core';
import { SafeEmitter } from '../../src/compress/events.js';

const rewound: ContextEvents['transcript-rewind'] = { to: 'm1', removed: 1, undone: [] };

test('a listener hears its event until it is removed', () => {
  const emitter = new SafeEmitter();
  const heard: unknown[] = [];
  const stop = emitter.on('transcript-rewind', (event) => heard.push(event));
  emitter.emit('transcript-rewind', rewound);
  stop();
  emitter.emit('transcript-rewind', rewound);
  expect(heard).toEqual([rewound]);
});

test('off removes a listener from its own event only', () => {
  const emitter = new SafeEmitter();
  const listener = jest.fn();
  emitter.on('transcript-rewind', listener);
  emitter.on('level-change', listener);
  emitter.off('transcript-rewind', listener);
  emitter.emit('transcript-rewind', rewound);
  emitter.emit('level-change', { from: 0, to: 1 });
  expect(listener.mock.calls).toEqual([[{ from: 0, to: 1 }]]);
});

test('a listener that throws or rejects is reported with its event, and the others still hear', async () => {
  const emitter = new SafeEmitter();
  const failures: unknown[] = [];
  const heard: string[] = [];
  emitter.on('listener-fail', ({ event, error }) => failures.push([event, error]));
  emitter.on('transcript-rewind', () => {
    throw 'thrown';
  });
  emitter.on('transcript-rewind', async () => {
    throw 'rejected';
  });
  emitter.on('transcript-rewind', () => heard.push('other'));
  emitter.emit('transcript-rewind', rewound);
  await Promise.resolve();
  await Promise.resolve();
  expect(heard).toEqual(['other']);
  expect(failures).toEqual([
    ['transcript-rewind', 'thrown'],
    ['transcript-rewind', 'rejected'],
  ]);
});

test('a listener of several events is reported for the one it failed on, and only once', () => {
  const emitter = new SafeEmitter();
  const failures: string[] = [];
  const failing = () => {
    throw new Error('always');
  };
  emitter.on('listener-fail', ({ event }) => failures.push(event));
  for (const name of ['transcript-rewind', 'level-change', 'listener-fail'] as const)
    emitter.on(name, failing);
  emitter.emit('level-change', { from: 0, to: 1 });
  emitter.emit('transcript-rewind', rewound);
  expect(failures).toEqual(['level-change', 'transcript-rewind']);
});
