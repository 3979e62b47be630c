import { assistant, call, result, user, words } from '@ctx/testing';
import { agentTexts } from '../src/agent-texts.js';
import { createContextManager } from '../src/index.js';

const task = user('Raise the revision of each module. Never touch mod03.');

test.each(agentTexts)('"%s" takes no task’s place', async (text) => {
  const manager = createContextManager({ config: { contextWindow: 2_000, pipeline: ['oldest-removal'] } });
  const steps = (name: string) =>
    Array.from({ length: 8 }, (_, at) => [
      call(`${name}${at}`, 'read'),
      result(`${name}${at}`, words(200)),
    ]).flat();
  for (const message of [
    task,
    ...steps('a'),
    assistant('I had begun to'),
    user(`${text} and more`),
    ...steps('b'),
  ])
    manager.append(message);
  await manager.checkAndCompress({ beforeSend: true });
  expect(manager.history).toHaveLength(1);
  expect(manager.view()).toContain(task);
});
