import type { Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { type Work, workOf } from '../src/index.js';

const read = [call('1', 'Read', { file_path: 'src/a.ts' }), result('1', 'text')];
const wrote = [call('2', 'Write', { file_path: 'src/a.ts', content: 'x' }), result('2', 'ok')];
const booked = [call('3', 'get_reservation', { reservation_id: 'EHGLP3' }), result('3', '{}')];
const ran = [call('4', 'bash', { command: 'ls' }), result('4', 'src')];
const patched = [call('5', 'apply_patch', { input: '*** Begin Patch' }), result('5', 'ok')];
const executed = [call('6', 'exec_command', { cmd: 'ls' }), result('6', 'src')];
const report = assistant('It is in src/a.ts.');

test.each<[string, Message[], Work]>([
  ['a task, files read, a report', [user('Where is it?'), ...read, report], 'exploring'],
  ['the same with a terminal too', [user('Where is it?'), ...read, ...ran, report], 'exploring'],
  ['a terminal alone', [user('Where is it?'), ...ran, report], 'coding'],
  ['a file changed', [user('Fix it.'), ...read, ...wrote, report], 'coding'],
  ['a patch applied', [user('Fix it.'), ...read, ...patched, report], 'coding'],
  ['a patch alone', [user('Fix it.'), ...patched], 'coding'],
  ['commands of a tool with another name', [user('Fix it.'), ...executed, report], 'coding'],
  ['a second question', [user('Where is it?'), ...read, report, user('And then?'), report], 'coding'],
  ['no report at the end', [user('Where is it?'), ...read], 'coding'],
  ['tools without files', [user('My booking?'), ...booked, report], 'service'],
  ['no tools', [user('Hi'), assistant('Hello')], 'conversation'],
])('%s', (_what, messages, work) => {
  expect(workOf(transcript(...messages))).toBe(work);
});
