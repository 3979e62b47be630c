import { responsesCodec } from '@ctx/codec-openai';
import type { ContextManager, Message } from '@ctx/core';
import { createContextManager } from '@ctx/presets';
import { Random } from './random.js';

type Item = Record<string, unknown>;

/** Of a history; `CTX_RUNS` times four. */
const seeds = Array.from({ length: Math.ceil(4 * Number(process.env.CTX_RUNS ?? 1)) }, (_, seed) => seed + 1);

/** What a response holds: reasoning, words, calls of every kind. */
function responseOf(random: Random, turn: number): Item[] {
  const ids = random.list(random.int(0, 3), (index) => `${turn}_${index}`);
  const thought = (id: string): Item => ({
    type: 'reasoning',
    id: `rs_${turn}${id}`,
    summary: [],
    encrypted_content: 'Z0FB'.repeat(random.int(10, 400)),
  });
  const words: Item = {
    type: 'message',
    id: `msg_${turn}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: wordsOf(random), annotations: [] }],
  };
  const searched: Item = {
    type: 'web_search_call',
    id: `ws_${turn}`,
    status: 'completed',
    action: { type: 'search' },
  };
  return [
    ...(random.chance(0.8) ? [thought('')] : []),
    ...(random.chance(0.2) ? [searched] : []),
    ...(ids.length === 0 || random.chance(0.4) ? [words] : []),
    ...ids.flatMap((id, index) => [
      ...(index > 0 && random.chance(0.2) ? [thought(id)] : []),
      callOf(random, id),
    ]),
  ];
}

function callOf(random: Random, id: string): Item {
  return random.pick<Item>([
    { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'read', arguments: '{"path":"src/a.ts"}' },
    { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'bash', arguments: '{"command":"npm test"}' },
    {
      type: 'custom_tool_call',
      id: `ctc_${id}`,
      call_id: id,
      name: 'exec',
      input: `await read("${wordsOf(random)}")`,
    },
    { type: 'shell_call', call_id: id, action: { commands: ['ls -R'] }, status: 'completed' },
    {
      type: 'computer_call',
      id: `cu_${id}`,
      call_id: id,
      action: { type: 'screenshot' },
      status: 'completed',
    },
  ]);
}

function outputOf(random: Random, { type, call_id }: Item): Item {
  const text = wordsOf(random).repeat(random.int(1, 30));
  switch (type) {
    case 'shell_call': {
      const output = [{ stdout: text, stderr: 'warning', outcome: { type: 'exit', exit_code: 0 } }];
      return { type: 'shell_call_output', call_id, output };
    }
    case 'computer_call': {
      const output = {
        type: 'computer_screenshot',
        image_url: `data:image/png;base64,${'A'.repeat(40_000)}`,
      };
      return { type: 'computer_call_output', call_id, output };
    }
    case 'custom_tool_call':
      return { type: 'custom_tool_call_output', call_id, output: [{ type: 'input_text', text }] };
    default:
      return { type: 'function_call_output', call_id, output: text };
  }
}

function wordsOf(random: Random): string {
  return `${random.pick(['the parser fails', 'a test is red', 'all is well'])} at line ${random.int(1, 999)} `.repeat(
    random.int(1, 10),
  );
}

/** Everything that an agent sends in a run, request by request. */
async function run(seed: number, manager: ContextManager): Promise<Item[][]> {
  const random = new Random(seed);
  const sent: Item[][] = [];
  const input: Item[] = [];
  const say = (...items: Item[]) => {
    for (const message of responsesCodec.toMessages(items, { after: said })) {
      manager.append(message);
      said.push(message);
    }
    input.push(...items);
  };
  const said: Message[] = [];
  say({ type: 'additional_tools', role: 'developer', tools: [] }, { role: 'developer', content: 'be kind' });
  for (let turn = 0; turn < 40; turn += 1) {
    const isDone = input.at(-1)?.role === 'assistant' || input.at(-1)?.type === 'web_search_call';
    if (turn === 0 || isDone || random.chance(0.1)) say({ role: 'user', content: wordsOf(random) });
    if (random.chance(0.03)) say({ type: 'compaction', encrypted_content: 'Z0FB' });
    await manager.checkAndCompress({ beforeSend: true });
    const request = responsesCodec.fromMessages(manager.request()) as unknown as Item[];
    sent.push(request);
    const response = responseOf(random, turn);
    say(...response);
    say(...response.filter(({ call_id: id }) => id !== undefined).map((call) => outputOf(random, call)));
  }
  expect(responsesCodec.validate(input)).toEqual([]);
  expect(responsesCodec.fromMessages(said).every((item, index) => (item as unknown) === input[index])).toBe(
    true,
  );
  return sent;
}

test.each(['kept', 'bound', 'dropped'] as const)(
  'every request is one that the API accepts, with reasoning %s',
  async (reasoning) => {
    for (const seed of seeds) {
      const pipeline = new Random(seed).pick([
        undefined,
        ['oldest-removal'],
        ['middle-removal'],
        ['smart-truncation'],
        ['tool-results'],
        ['hybrid'],
        ['sliding-window'],
        ['condense'],
      ]);
      const manager = createContextManager({
        provider: 'openai',
        model: 'gpt-5',
        config: { contextWindow: 6000, reserve: 500, reasoning, ...(pipeline && { pipeline }) },
      });
      const sent = await run(seed, manager);
      expect(manager.history.length).toBeGreaterThan(0);
      sent.forEach((request, at) => {
        expect({
          seed,
          at,
          found: responsesCodec.validate(request, { before: sent.slice(Math.max(0, at - 3), at) }),
        }).toEqual({
          seed,
          at,
          found: [],
        });
        expect(request[0]).toMatchObject({ type: 'additional_tools' });
      });
    }
  },
);
