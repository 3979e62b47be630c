// Records examples/sessions: a scripted agent reads, greps, edits and runs tests in a copy of this repository.
// Run: npm run build && node --import tsx examples/record-session.ts

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { bpeCounter, type Codec, MessageCounter, toolCallsOf } from '@ctx/core';
import { copyRepository } from './recording/copy-repository.js';
import { didYouMean } from './recording/did-you-mean.js';
import { handOver } from './recording/hand-over.js';
import { lateCheck } from './recording/late-check.js';
import { toAnthropic, toOpenai } from './recording/native.js';
import { play } from './recording/play.js';
import type { Task } from './recording/task.js';
import { toolsIn } from './recording/tools.js';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(repository, 'examples/sessions');
const source = 'sessions';

function entriesOf(task: Task) {
  const root = copyRepository(repository);
  try {
    return play(task, toolsIn(root, repository));
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Writes the lines of a session and returns its row of the table in the README. */
async function save<Native>(
  name: string,
  { codec, native, lines }: { codec: Codec<Native>; native: Native; lines: readonly unknown[] },
): Promise<string> {
  const [violation] = codec.validate(native);
  if (violation !== undefined) throw new Error(`${name}: ${JSON.stringify(violation)}`);
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

  const messages = codec.toMessages(native);
  const counter = new MessageCounter(bpeCounter(), { message: 3, conversation: 3 });
  await counter.load();
  const tokens = messages.reduce((sum, message) => sum + counter.message(message).tokens, 0);
  const calls = messages.flatMap(toolCallsOf).length;
  const row = `| \`${name}\` | ${messages.length} | ${calls} | ${tokens} |`;
  console.log(row);
  return row;
}

export async function main(): Promise<void> {
  const { system } = lateCheck;
  const late = toOpenai(system, entriesOf(lateCheck));
  const request = toAnthropic(didYouMean.system, entriesOf(didYouMean));
  const handedOver = toOpenai(handOver.system, entriesOf(handOver));
  const rows = [
    await save('late-check.openai.jsonl', {
      codec: openaiCodec,
      native: late,
      lines: [{ id: lateCheck.id, source, system, messages: late.slice(1) }],
    }),
    await save('did-you-mean.anthropic.jsonl', {
      codec: anthropicCodec,
      native: request,
      lines: [{ id: didYouMean.id, source, ...request }],
    }),
    await save('hand-over.openai.jsonl', { codec: openaiCodec, native: handedOver, lines: handedOver }),
  ];
  const readme = join(folder, 'README.md');
  const table = ['| file | messages | tool calls | tokens |', '|---|---:|---:|---:|', ...rows].join('\n');
  const marked = /(<!-- sessions -->\n)[\s\S]*(<!-- \/sessions -->)/;
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(marked, `$1${table}\n$2`));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
