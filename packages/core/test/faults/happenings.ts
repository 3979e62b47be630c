import { ContextManager } from '@ctx/core';
import { assistant, call, result, transcript, user, words } from '@ctx/testing';
import type { World } from './world.js';

/** What a host may do while a call is awaited. */
export const happenings = {
  nothing: () => {},
  append: (world) => world.append(user('Wait, one thing more.')),
  'append an exchange': (world) =>
    world.append(...transcript(call('late', 'read'), result('late', words(30, 'late')), assistant('So.'))),
  'rewind far': (world) => world.rewindTo(1),
  'rewind a little': (world) => world.rewindTo(Math.max(1, world.manager.transcript.length - 6)),
  undo: ({ manager }) => {
    const newest = manager.history.at(-1);
    if (newest !== undefined) manager.undo(newest.id);
  },
  pin: ({ manager }) => {
    const shown = new Set(manager.view());
    const id = manager.transcript.find(({ message }, at) => at > 3 && shown.has(message))?.id;
    if (id !== undefined) manager.pin(id);
  },
  unpin: ({ manager }) => {
    const [id] = manager.snapshot().pins;
    if (id !== undefined) manager.unpin(id);
  },
  setTools: ({ manager }) => manager.setTools([{ name: 'read', description: words(20, 'tool') }]),
  reportUsage: ({ manager }) => {
    manager.view();
    manager.reportUsage({ inputTokens: manager.stats().countedTokens + 7 });
  },
  restore: ({ manager, options }) => {
    const copy = ContextManager.restore(JSON.parse(JSON.stringify(manager.snapshot())), options);
    expect(copy.view()).toEqual(manager.view());
  },
  'another check': (world) => void world.begin(world.manager.checkAndCompress({ beforeSend: true })),
  recover: (world) =>
    void world.begin(
      world.manager.recover({ status: 400, message: "This model's maximum context length is 100 tokens." }),
    ),
  'the caller aborts': (world) => world.abort(),
  'the caller aborts, after a rewind': (world) => {
    world.rewindTo(1);
    world.abort();
  },
} satisfies Record<string, (world: World) => void>;

export type Happening = keyof typeof happenings;
