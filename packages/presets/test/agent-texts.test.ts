import { assistant, call, result, user, words } from '@ctx/testing';
import { agentTexts } from '../src/agent-texts.js';
import { createContextManager } from '../src/index.js';

const task = user('Raise the revision of each module. Never touch mod03.');

/** Notices as agents send them, which are recognised by their form. */
const notices = [
  '<tick>14:02</tick>',
  '<heartbeat>\nNothing has happened since.\n</heartbeat>',
  '<task-notification>The build has ended.</task-notification>',
  '<subagent_notification>{"status":"done"}</subagent_notification>',
  '[Your previous response had no visible output. Please continue and produce a user-visible response.]',
  '[System: You previously generated thoughts but failed to provide a final user-facing response. Please ensure you provide your final answer or call a tool now.]',
];
const texts = [...agentTexts.map((beginning) => `${beginning} and more`), ...notices];

test.each(texts)('"%s" takes no task’s place', async (text) => {
  const manager = createContextManager({ config: { contextWindow: 2_000, pipeline: ['oldest-removal'] } });
  const steps = (name: string) =>
    [...'12345678'].flatMap((at) => [call(`${name}${at}`, 'read'), result(`${name}${at}`, words(200))]);
  for (const message of [task, ...steps('a'), assistant('I had begun to'), user(text), ...steps('b')])
    manager.append(message);
  await manager.checkAndCompress({ beforeSend: true });
  expect(manager.history).toHaveLength(1);
  expect(manager.view()).toContain(task);
});
