import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { ConversationThread } from './conversation-thread.js';
import { type ConversationCalls, channelOf, type ServerCalls, type ThreadStart } from './thread-calls.js';

const port = parentPort;
if (port === null) throw new Error('This file is the beginning of a thread.');
const thread = new ConversationThread(
  workerData as ThreadStart,
  (warning) => void server.warned.asEvent(warning),
);
const server = createBirpc<ServerCalls, ConversationCalls>(thread, {
  ...channelOf(port),
  bind: 'functions',
  timeout: -1,
});
