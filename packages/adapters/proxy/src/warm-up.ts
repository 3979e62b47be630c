import { memoryStateStore } from '@ctx/conversation';
import { ContextRequests } from '@ctx/fetch';

/** Tokens. Small, so that the history below does not fit. */
const contextWindow = 4_000;
/** Turns of the history: so many that what reads it is compiled. */
const turns = 120;

let warm: Promise<void> | undefined;

/**
 * Sends a made-up history to nobody, twice: it is compressed, and continued as after a restart. What is loaded and compiled on first use is so
 * before the first request comes, which would wait for it and hold up others. Once in a thread, however many proxies it starts.
 */
export function warmUp(): Promise<void> {
  warm ??= sendTwice();
  return warm;
}

async function sendTwice(): Promise<void> {
  const states = memoryStateStore();
  const send = async () => Response.json({ usage: {} });
  const messages = Array.from({ length: turns }, (_, turn) => turnOf(turn)).flat();
  const body = JSON.stringify({
    model: 'warm-up',
    messages: [...messages, { role: 'user', content: 'And now?' }],
  });
  for (let time = 0; time < 2; time += 1) {
    const requests = new ContextRequests({ config: { contextWindow }, states, onWarning: () => {} });
    await requests.send('http://127.0.0.1/v1/chat/completions', { method: 'POST', body }, { send });
  }
}

function turnOf(turn: number): unknown[] {
  const id = `call-${turn}`;
  const call = { name: 'read', arguments: `{"path":"src/${turn}.ts"}` };
  const content = Array.from({ length: 10 }, (_, line) => `const value${turn * line} = load(${line});`).join(
    '\n',
  );
  return [
    { role: 'user', content: `Look at src/${turn}.ts.` },
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: id, content },
    { role: 'assistant', content: `It has ${turn} exports.` },
  ];
}
