import { contextFetch } from '../src/index.js';
import { hiddenCall, hiddenTool, requestWithTools } from './hidden-tool.js';
import { startServer } from './server.js';

const used = { prompt_tokens: 100, completion_tokens: 4, total_tokens: 104 };

async function streamed() {
  const server = await startServer((response, _, number) => {
    const message = number === 1 ? hiddenCall : { content: 'done' };
    const end = number === 1 ? 'tool_calls' : 'stop';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (data: object) => `id: ${number}\ndata: ${JSON.stringify({ id: 'x', ...data })}\n\n`;
    response.write(`: keepalive ${number}\n\nretry: 500\n\n`);
    response.write(
      event({ choices: [{ index: 0, delta: { role: 'assistant', ...message }, finish_reason: null }] }),
    );
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: end }] }));
    response.end(`${event({ choices: [], usage: used })}:end\n\ndata: [DONE]\n\n`);
  });
  const send = contextFetch({ hiddenTool, onWarning: () => {} });
  const body = JSON.stringify({ ...requestWithTools, stream: true });
  return (await send(`${server.url}/chat/completions`, { method: 'POST', body })).text();
}

test('comments of a stream reach the agent, also those of answers that it does not see', async () => {
  const text = await streamed();
  expect(text.match(/^(?::|retry).*$/gm)).toEqual([
    ': keepalive 1',
    'retry: 500',
    ': end',
    ': keepalive 2',
    'retry: 500',
    ': end',
  ]);
  expect(text).toContain('id: 2\n');
  expect(text).not.toContain('recall');
});
