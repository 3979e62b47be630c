import type { Message, Summarizer } from '@ctx/core';
import { assistant, call, result, user, wordCounter } from '@ctx/testing';
import { createSummarizer } from '../src/index.js';
import { answering, requestFor } from './condensing.js';

const condensings = 200;
const maxTokens = 800;

/** The work that a step takes, in countable units. */
interface Work {
  /** Bytes of notes for the record. */
  readonly notes: number;
  /** Characters that a tokenizer counts if it remembers texts. */
  readonly counted: number;
  /** How often the content of a message is read. */
  readonly looks: number;
}

/** A message that reports when its content is read. */
function watched(message: Message, look: () => void): Message {
  const { content, ...rest } = message;
  return Object.defineProperty({ ...rest }, 'content', {
    enumerable: true,
    get() {
      look();
      return content;
    },
  }) as Message;
}

/** The messages between two summaries, different each time. */
function round(number: number): Message[] {
  return [
    user(`Please always keep rule ${number} of the ${number}th part in mind.`),
    ...[1, 2, 3].flatMap((step) => {
      const id = `${number}.${step}`;
      const [tool, input] =
        step === 1 ? ['write', { path: `src/part-${id}.ts` }] : ['bash', { command: `test ${id}` }];
      return [
        call(id, tool as string, input),
        result(
          id,
          step === 3 ? `TypeError: thing${id} is undefined` : `line${id} says value${id}\n`.repeat(3),
        ),
      ].flat();
    }),
    assistant(`I decided on way${number} because of reason${number}. It works in case${number}.`),
  ] as Message[];
}

async function workOf(summarizer: Summarizer): Promise<Work[]> {
  let [counted, looks] = [0, 0];
  const known = new Map<string, number>();
  const tokensOf = (text: string) => {
    const tokens = known.get(text) ?? wordCounter.count(text);
    if (!known.has(text)) counted += text.length;
    known.set(text, tokens);
    return tokens;
  };
  const originals: { message: Message; number: number }[] = [];
  const work: Work[] = [];
  let summary: Message | undefined;
  for (let number = 1; number <= condensings; number += 1) {
    const said = round(number).map((message) => watched(message, () => (looks += 1)));
    for (const message of said) originals.push({ message, number: originals.length + 1 });
    [counted, looks] = [0, 0];
    const messages = summary === undefined ? said : [summary, ...said];
    const { text, notes } = await summarizer.summarize(
      requestFor(messages, { originals: [...originals], maxTokens, tokensOf }),
    );
    summary = { ...user(text), summary: true };
    work.push({ notes: JSON.stringify(notes).length, counted, looks });
  }
  return work;
}

const { model } = answering('They worked on the parts, one after the other.');
const most = (work: readonly Work[], figure: keyof Work) => Math.max(...work.map((one) => one[figure]));

test('neither the notes nor the texts that are read grow with the number of earlier summaries', async () => {
  const work = await workOf(createSummarizer({ model }));
  const [early, late] = [work.slice(50, 100), work.slice(-50)];
  for (const figure of ['notes', 'counted', 'looks'] as const)
    expect(most(late, figure)).toBeLessThanOrEqual(1.2 * most(early, figure));
});
