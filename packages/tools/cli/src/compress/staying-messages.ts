import type { ContextManager, invariantNames, Plan, PlanContext } from '@ctx/core';

/** Tokens of what no compression may take away, by the reason. */
export interface Staying {
  readonly system: number;
  readonly pinned: number;
  /** The task, and the newest message of the user. */
  readonly user: number;
  readonly unread: number;
}

const kindOf: Partial<Record<(typeof invariantNames)[number], keyof Staying>> = {
  'system-stays': 'system',
  'pinned-stays': 'pinned',
  'newest-user-stays': 'user',
  'task-stays': 'user',
  'tool-pairs': 'unread',
  'unread-stays': 'unread',
};

/** What has to stay of the view as it is now. */
export async function stayingIn(manager: ContextManager): Promise<Staying> {
  const { stages } = await manager.simulate({ strategy: looking });
  const notes = stages[0]?.notes as { readonly staying: Staying } | undefined;
  return notes?.staying ?? { system: 0, pinned: 0, user: 0, unread: 0 };
}

/** Changes nothing, and notes what it sees. */
const looking = {
  name: 'looking',
  emits: [],
  plan: ({ view }: PlanContext): Plan => {
    const staying = { system: 0, pinned: 0, user: 0, unread: 0 };
    for (const { protectedBy, tokens } of view) {
      const kind = protectedBy === undefined ? undefined : kindOf[protectedBy];
      if (kind !== undefined) staying[kind] += tokens;
    }
    return { edits: [], notes: { staying } };
  },
};
