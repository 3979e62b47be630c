import type { CompressionRecord, Message, ModelId } from '@ctx/core';
import { createContextManager, profileNames } from '@ctx/presets';
import { figure } from '../terminal/shown.js';
import type { Column } from '../terminal/table.js';

/** Models that each get a different choice. */
const models: readonly ModelId[] = [
  { provider: 'openai', model: 'gpt-5' },
  { provider: 'openai', model: 'o3' },
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'google', model: 'gemini-1.5-pro' },
  { provider: 'ollama', model: 'llama3.1' },
];

export const choiceColumns: readonly Column[] = [
  { title: 'model' },
  { title: 'profile' },
  { title: 'edits by each strategy', isFlexible: true },
  { title: 'tokens', align: 'right' },
  { title: 'messages', align: 'right' },
];

/** The results of both profiles for a conversation, a row for the session's model and for each other model. */
export async function choiceRows(messages: readonly Message[], own: ModelId): Promise<string[][]> {
  const rows: string[][] = [];
  const ids = own.model === undefined || isListed(own) ? models : [own, ...models];
  for (const id of ids) {
    for (const profile of profileNames) rows.push(await choiceRow(messages, id, profile));
  }
  return rows;
}

async function choiceRow(
  messages: readonly Message[],
  id: ModelId,
  profile: (typeof profileNames)[number],
): Promise<string[]> {
  const now = messages.findLast(({ createdAt }) => createdAt !== undefined)?.createdAt;
  const managerFor = (contextWindow: number) => {
    const config = { profile, contextWindow, throttleMs: 0 };
    const manager = createContextManager({ ...id, config, ...(now !== undefined && { now: () => now }) });
    for (const message of messages) manager.append(message);
    return manager;
  };
  const large = managerFor(100_000_000);
  await large.simulate();
  const manager = managerFor(large.stats().currentTokens);
  const { record } = await manager.checkAndCompress({ beforeSend: true });
  if (record === undefined) return [id.model ?? '', profile, 'nothing may leave', '–', '–'];
  return [
    id.model ?? '',
    profile,
    record.stages.map(stageText).join(', '),
    figure(record.tokensAfter),
    figure(record.messagesAfter),
  ];
}

function stageText({ strategy, chosen, edits }: CompressionRecord['stages'][number]): string {
  const name = chosen === undefined ? strategy : `${strategy} (${chosen})`;
  return `${name} ${figure(edits)}`;
}

function isListed({ model }: ModelId): boolean {
  return models.some((one) => one.model === model);
}
