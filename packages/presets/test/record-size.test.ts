import type { CompressionRecord, Message } from '@ctx/core';
import { assistant, call, result, transcript, user } from '@ctx/testing';
import { createContextManager } from '../src/index.js';

/** What an agent does for one request, never the same. */
function work(number: number): Message[] {
  const steps = [1, 2].flatMap((step) => {
    const id = `${number}.${step}`;
    const lines = [...'012345'].map((line) => `part${id} has value${line}x${number} in place${line}`);
    return [
      step === 1
        ? call(id, 'read', { path: `src/part-${id}.ts` })
        : call(id, 'bash', { command: `npm test part-${id}` }),
      result(id, step === 2 && number % 3 === 0 ? `TypeError: thing${id} is undefined` : lines.join('\n')),
    ];
  });
  return transcript(
    user(`Please always keep rule ${number} of part ${number} in mind.`),
    ...steps,
    assistant(`I decided on way${number} because of reason${number}.`),
  );
}

async function recordsWith(pipeline: string[] | undefined, compressions: number) {
  const manager = createContextManager({
    counter: { count: (text) => Math.ceil(text.length / 4) },
    config: {
      contextWindow: 3000,
      throttleMs: 0,
      trigger: { fraction: 0.8 },
      target: { fraction: 0.5 },
      ...(pipeline !== undefined && { pipeline: [...pipeline] }),
    },
  });
  const records: CompressionRecord[] = [];
  for (let number = 1; records.length < compressions && number < 10 * compressions; number += 1) {
    for (const message of work(number)) manager.append(message);
    const { record } = await manager.checkAndCompress();
    if (record !== undefined) records.push(record);
  }
  return records;
}

const bytesOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

test.each<[string, number, string[] | undefined]>([
  ['the default pipeline', 24, undefined],
  ['condense', 36, ['condense']],
  ['relevance', 24, ['relevance']],
  ['tool-results and oldest-removal', 60, ['tool-results', 'oldest-removal']],
  ['importance', 60, ['importance']],
  ['middle-removal', 60, ['middle-removal']],
  ['hybrid', 60, ['hybrid']],
  ['smart-truncation', 60, ['smart-truncation']],
  ['file-folding and oldest-removal', 60, ['file-folding', 'oldest-removal']],
])('a record of %s does not grow with the compressions before it', async (_name, compressions, pipeline) => {
  const records = await recordsWith(pipeline, compressions);
  expect(records).toHaveLength(compressions);
  const sixth = compressions / 6;
  const [early, late] = [records.slice(sixth, 2 * sixth), records.slice(-sixth)];
  for (const part of [
    (record: CompressionRecord) => record,
    ({ stages }: CompressionRecord) => stages.map(({ notes }) => notes ?? {}),
    ({ edits }: CompressionRecord) => edits,
  ]) {
    const sizes = (some: readonly CompressionRecord[]) => mean(some.map((record) => bytesOf(part(record))));
    expect(sizes(late)).toBeLessThanOrEqual(1.25 * sizes(early));
  }
});
