import { contextFetch } from '../src/index.js';
import { json, startServer } from './server.js';

const hiddenTool = {
  name: 'recall',
  description: 'Finds what was said.',
  parameters: { type: 'object' },
  run: async () => 'nothing',
};
const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }];
const call = { index: 0, id: 'c', type: 'function', function: { name: 'recall', arguments: '{}' } };
const used = { prompt_tokens: 100, completion_tokens: 4, total_tokens: 104 };

async function ask(stream: boolean) {
  const server = await startServer((response, _, number) => {
    const message = number === 1 ? { content: null, tool_calls: [call] } : { content: 'done' };
    const end = number === 1 ? 'tool_calls' : 'stop';
    if (!stream)
      return json(response, {
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: end }],
        usage: used,
      });
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
  const body = JSON.stringify({ model: 'gpt-5', stream, tools, messages: [{ role: 'user', content: 'hi' }] });
  return (await send(`${server.url}/chat/completions`, { method: 'POST', body })).text();
}

test('comments of a stream reach the agent, also those of answers that it does not see', async () => {
  const text = await ask(true);
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
