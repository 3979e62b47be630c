// Feeds a recorded session to a manager with a small window and prints every event of it.
// Run: npm run build && node --import tsx examples/subscribe-to-events.ts

import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ContextEvents } from '@ctx/core';
import { CompressionLevel } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { readSession } from '@ctx/sessions';

type EventName = keyof ContextEvents;

const file = fileURLToPath(new URL('sessions/did-you-mean.anthropic.jsonl', import.meta.url));
const levels = Object.keys(CompressionLevel);

export async function main() {
  const manager = createContextManager({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    config: { contextWindow: 14_000, pipeline: ['hybrid', 'oldest-removal'] },
  });
  const seen = new Map<EventName, number>();
  const say = (name: EventName, text: string) => {
    seen.set(name, (seen.get(name) ?? 0) + 1);
    if (name !== 'message-append') console.log(`${name.padEnd(18)} ${text}`);
  };

  manager.on('message-append', ({ message, tokens }) => say('message-append', `${message.id}: ${tokens}`));
  manager.on('usage-warning', ({ utilization }) =>
    say('usage-warning', `${Math.round(utilization * 100)} %`),
  );
  manager.on('level-change', ({ from, to }) => say('level-change', `${levels[from]} → ${levels[to]}`));
  manager.on('compression-start', ({ reason }) => say('compression-start', reason));
  manager.on('strategy-select', ({ strategy, chosen }) =>
    say('strategy-select', chosen === undefined ? strategy : `${strategy}, which took ${chosen}`),
  );
  manager.on('edit-reject', ({ strategy, invariant }) => say('edit-reject', `${strategy}: ${invariant}`));
  manager.on('fallback-use', ({ strategy, after }) => say('fallback-use', `${strategy} after ${after}`));
  manager.on('compression-end', ({ record }) =>
    say('compression-end', `${record.strategy}: ${record.tokensBefore} → ${record.tokensAfter} tokens`),
  );
  manager.on('compression-skip', ({ reason, strategy = 'all' }) =>
    say('compression-skip', `${strategy}: ${reason}`),
  );
  manager.on('compression-fail', ({ error }) => say('compression-fail', String(error)));
  manager.on('transcript-rewind', ({ removed, undone }) =>
    say('transcript-rewind', `${removed} messages taken back, ${undone.length} compressions undone`),
  );
  manager.on('archive-fail', ({ error }) => say('archive-fail', String(error)));
  manager.on('listener-fail', ({ event, error }) => say('listener-fail', `${event}: ${error}`));

  const { messages } = await readSession(file);
  for (const message of messages) {
    manager.append(message);
    if (manager.willCompress()) await manager.checkAndCompress({ beforeSend: true });
  }
  const middle = manager.transcript[Math.floor(messages.length / 2)];
  if (middle !== undefined) manager.rewindTo(middle.id);

  console.log(`${seen.get('message-append')} messages were appended, ${manager.view().length} are sent`);
  return { seen, stats: manager.stats(), messages };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
