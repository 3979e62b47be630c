import { ContextRequests, contextFetch } from '@ctx/fetch';
import type { Figures } from './figures.js';
import { timed } from './timing.js';

const url = 'http://127.0.0.1/v1/chat/completions';
const answered = async () => Response.json({ usage: {} });
const bodyOf = (messages: readonly unknown[]) => JSON.stringify({ model: 'gpt-5', messages });

/** A step of an agent: a call, its result of so many lines, and what it says of it. */
function stepOf(at: number, lines: number): readonly unknown[] {
  const id = `call-${at}`;
  const call = { name: 'read', arguments: JSON.stringify({ path: `src/${at}.ts` }) };
  const content = Array.from(
    { length: lines },
    (_, line) => `const value${at} = load(${line}, ${at * line});`,
  );
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: id, content: content.join('\n') },
    { role: 'assistant', content: `File ${at} has ${lines} values.` },
    { role: 'user', content: `And src/${at + 1}.ts?` },
  ];
}

const stepsOf = (count: number, lines: number) =>
  Array.from({ length: count }, (_, at) => stepOf(at, lines)).flat();

/** The first request of conversations that are many times larger than the window. */
export async function giantRequests(figures: Figures): Promise<void> {
  const question = { role: 'user', content: 'What is in src?' };
  const bodies = {
    'of 25 MB in one message': bodyOf([question, ...stepOf(0, 700_000).slice(0, 2)]),
    'of 200,000 messages': bodyOf([question, ...stepsOf(50_000, 1)]),
  };
  for (const [name, body] of Object.entries(bodies)) {
    const send = contextFetch({ send: answered, onWarning: () => {} });
    const { ms: taken } = await timed(
      () => {},
      () => send(url, { method: 'POST', body }),
      { maxRuns: 1 },
    );
    figures.step(name);
    figures.below(`contextFetch, a body ${name}`, taken, 5_000);
  }
}

/** The requests of a conversation that fits, each of which has a step more than the one before. */
export async function laterRequests(figures: Figures): Promise<void> {
  const requests = new ContextRequests({ config: { contextWindow: 10_000_000 } });
  const messages: unknown[] = [{ role: 'user', content: 'What is in src?' }, ...stepsOf(100, 40)];
  await requests.send(url, { method: 'POST', body: bodyOf(messages) }, { send: answered });
  let step = 100;
  const { ms: taken } = await timed(
    () => {
      messages.push(...stepOf(step++, 4));
      return new TextEncoder().encode(bodyOf(messages));
    },
    (body) => requests.send(url, { method: 'POST', body }, { send: answered }),
    { maxRuns: 200 },
  );
  figures.step('later requests');
  figures.below('contextFetch, a request of 170 kB with one step more', taken, 1);
}
