import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { responsesCodec } from '@ctx/codec-openai';
import { Transcript } from '@ctx/core/kit';
import { testWithFiles } from '@ctx/testing';

const rollouts = ['agentv-019ed836', 'agentv-019f03e0'].map((name) =>
  join(__dirname, `../../../../../shared/data/codex/${name}.jsonl`),
);

interface Line {
  readonly type: string;
  readonly payload: { readonly replacement_history?: object[] };
}

/** What was sent in the end, and what was after each compaction. */
function inputsOf(file: string): object[][] {
  const inputs: object[][] = [[]];
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { type, payload } = JSON.parse(line) as Line;
    if (type === 'response_item') inputs.at(-1)?.push(payload);
    if (type === 'compacted') inputs.push([...(payload.replacement_history ?? [])]);
  }
  return inputs;
}

testWithFiles('real sessions come back as the same objects, together and piece by piece', rollouts, () => {
  for (const input of rollouts.flatMap(inputsOf)) {
    const decoded = responsesCodec.toMessages(input);
    const back = responsesCodec.fromMessages(decoded);
    expect(back).toHaveLength(input.length);
    expect(back.every((item, index) => item === input[index])).toBe(true);
    expect(responsesCodec.fromMessages(JSON.parse(JSON.stringify(decoded)))).toEqual(input);
    expect(responsesCodec.losses(decoded)).toEqual([]);

    const transcript = new Transcript();
    for (const message of decoded) transcript.append(message);
    expect(decoded).toEqual(
      decoded.flatMap((message, index) =>
        responsesCodec.toMessages(responsesCodec.fromMessages([message]), { after: decoded.slice(0, index) }),
      ),
    );
  }
});

testWithFiles('real sessions break no rule but the end of the recording', rollouts, () => {
  const [short, long] = rollouts.map((file) => inputsOf(file).map((input) => responsesCodec.validate(input)));
  // The recording ends while two calls run; its call ids and items are otherwise as the API sent them.
  expect(short?.map((found) => found.map(({ rule }) => rule))).toEqual([
    ['call-has-output', 'call-has-output'],
  ]);
  expect(long).toEqual(long?.map(() => []));
});
