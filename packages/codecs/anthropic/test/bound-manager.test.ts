import { type AnthropicRequest, anthropicCodec } from '@ctx/codec-anthropic';
import { ContextManager, defineStrategy, seededRandom } from '@ctx/core';
import { ThinkingSigner } from '@ctx/servers';
import { wordCounter } from '@ctx/testing';

type Request = AnthropicRequest;

const tools = [{ name: 'read', input_schema: { type: 'object' } }];
const text = (value: string) => ({ type: 'text', text: value });

/** Thinks in every possible way: before, between and after its words. */
function answer(turn: number) {
  const thinking = { type: 'thinking', thinking: turn % 3 === 0 ? 'so' : '' };
  const use = (id: string) => ({ type: 'tool_use', id: `${id}_${turn}`, name: 'read', input: { turn } });
  const said = text(`step ${turn} `.repeat(10).trim());
  return [
    [thinking, use('a')],
    [thinking, said, use('a'), use('b')],
    [{ type: 'redacted_thinking' }, thinking, said],
    [said, use('a')],
    [thinking, said, thinking, use('a')],
  ][turn % 5] as { type: string; id?: string }[];
}

const halve = defineStrategy({
  name: 'halve',
  emits: ['drop'],
  plan: ({ view }) => {
    const exchanges = [...new Set(view.filter(({ pinned }) => !pinned).map(({ exchange }) => exchange))];
    const leaving = new Set(exchanges.slice(1, Math.ceil(exchanges.length / 2)));
    const messages = view.filter(({ exchange, pinned }) => leaving.has(exchange) && !pinned);
    return {
      edits:
        messages.length === 0
          ? []
          : [{ type: 'drop', messages: messages.map(({ id }) => id), reason: 'old' }],
    };
  },
});

const shorten = defineStrategy({
  name: 'shorten',
  emits: ['replace'],
  plan: ({ view }) => ({
    edits: view.slice(0, -4).flatMap(({ id, message, pinned }) =>
      message.role === 'tool' && !pinned
        ? message.content.map((_part, part) => ({
            type: 'replace' as const,
            message: id,
            part,
            text: '[cleared]',
            reason: 'old',
          }))
        : [],
    ),
  }),
});

/** Anthropic's side: signs the thinking of each answer, and refuses a request before whose thinking something has changed. */
function provider() {
  const signer = new ThinkingSigner();
  const accepted: Request[] = [];
  const refused: string[] = [];
  const respond = (request: Request) => {
    const [broken] = anthropicCodec.validate(request);
    const problem = broken === undefined ? signer.refusal(request) : `${broken.rule}: ${broken.detail}`;
    if (problem !== undefined) {
      refused.push(problem);
      return undefined;
    }
    const content = signer.sign(request, answer(accepted.length)) as { type: string; id?: string }[];
    accepted.push(request);
    return { role: 'assistant' as const, content };
  };
  return { accepted, refused, respond };
}

/** A conversation of an agent that compresses, takes compressions back and rewinds; ends with the first refusal. */
async function converse(reasoning: 'bound' | 'kept' | 'dropped', seed: number) {
  const { accepted, refused, respond } = provider();
  const random = seededRandom(seed);
  const options = {
    config: { contextWindow: 1_000_000, minMessagesToKeep: 1, throttleMs: 0, leadingUser: true, reasoning },
    counter: wordCounter,
  };
  let manager = new ContextManager(options);
  for (const message of anthropicCodec.toMessages({
    system: 'be kind',
    messages: [{ role: 'user', content: 'go' }],
  }))
    manager.append(message);
  const done = { compressed: 0, undone: 0, rewound: 0, thinking: 0 };
  for (let turn = 0; turn < 40; turn += 1) {
    // Through JSON, as over a wire.
    const request: Request = JSON.parse(
      JSON.stringify({ ...anthropicCodec.fromMessages(manager.view()), tools }),
    );
    const broken = anthropicCodec.validate(request, { before: accepted });
    const answered = respond(request);
    expect({ turn, broken: broken.length > 0 }).toEqual({ turn, broken: answered === undefined });
    if (answered === undefined) break;
    done.thinking += JSON.stringify(request).split('"signature"').length - 1;
    listen(manager, answered);
    await change(manager, random, done);
    if (random() < 0.1)
      manager = ContextManager.restore(JSON.parse(JSON.stringify(manager.snapshot())), options);
  }
  return { ...done, refused, accepted };
}

function listen(
  manager: ContextManager,
  { role, content }: { role: 'assistant'; content: { type: string; id?: string }[] },
): void {
  const calls = content.filter(({ type }) => type === 'tool_use');
  const results = calls.map(({ id }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [text(`${id} says `.repeat(20).trim())],
  }));
  const next = { role: 'user', content: results.length > 0 ? results : 'go on' };
  const messages = [{ role, content }, next] as Request['messages'];
  for (const message of anthropicCodec.toMessages({ messages })) manager.append(message);
}

async function change(
  manager: ContextManager,
  random: () => number,
  done: Record<string, number>,
): Promise<void> {
  const dice = random();
  if (dice < 0.2) {
    const { record } = await manager.compress({ strategy: dice < 0.1 ? halve : shorten, targetTokens: 1 });
    if (record !== undefined) done.compressed = Number(done.compressed) + 1;
  } else if (dice < 0.27) {
    const record = manager.history.at(-1);
    if (record === undefined) return;
    manager.undo(record.id);
    done.undone = Number(done.undone) + 1;
  } else if (dice < 0.32) {
    const asked = manager.transcript.filter(({ message }) => message.role === 'user');
    const target = asked[Math.floor(random() * asked.length)];
    if (target === undefined || asked.length < 3) return;
    manager.rewindTo(target.id);
    done.rewound = Number(done.rewound) + 1;
  } else if (dice < 0.36) {
    manager.append({ role: 'system', content: `It is ${dice} now.` });
  } else if (dice < 0.4) {
    const messages = [{ role: 'system', content: 'Be brief.' }] as Request['messages'];
    for (const message of anthropicCodec.toMessages({ messages })) manager.append(message);
  }
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

test('a manager for bound reasoning is never refused, and sends the thinking that is still bound', async () => {
  const total = { compressed: 0, undone: 0, rewound: 0, thinking: 0 };
  for (const seed of seeds) {
    const talk = await converse('bound', seed);
    expect({ seed, refused: talk.refused }).toEqual({ seed, refused: [] });
    expect(talk.accepted).toHaveLength(40);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += talk[key];
  }
  expect(total.compressed).toBeGreaterThan(20);
  expect(total.undone).toBeGreaterThan(5);
  expect(total.rewound).toBeGreaterThan(3);
  expect(total.thinking).toBeGreaterThan(500);
}, 60_000);

test('a manager that keeps all reasoning is refused after the first compression', async () => {
  for (const seed of seeds.slice(0, 3)) {
    const { refused } = await converse('kept', seed);
    expect(refused).toEqual([expect.stringContaining('The block is bound to a different conversation.')]);
  }
}, 60_000);

test('a manager that drops all reasoning is never refused, and sends none', async () => {
  for (const seed of seeds.slice(0, 3)) {
    const { refused, thinking } = await converse('dropped', seed);
    expect({ refused, thinking }).toEqual({ refused: [], thinking: 0 });
  }
}, 60_000);
