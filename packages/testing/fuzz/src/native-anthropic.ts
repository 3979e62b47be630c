import type { Random } from './random.js';
import { randomSpeech, randomText, textOf } from './text.js';

type Json = Record<string, unknown>;

/** A conversation of Anthropic's Messages API with every kind of block, including those that no type lists. */
export function randomAnthropic(random: Random): Json {
  const text = () => textOf(random.chance(0.8) ? randomSpeech(random, 20) : randomText(random, 20));
  const extra = () =>
    random.maybe(0.15, () => ({
      [random.pick(['x_unknown', 'cache_control'])]: random.pick<unknown>([{ type: 'ephemeral' }, null, 3]),
    })) ?? {};
  const words = () => ({ type: 'text', text: text(), ...extra() });
  const media = (): Json => ({
    ...random.pick<Json>([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        title: 'a',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inside' }] } },
      { type: 'search_result', source: 'x', title: 'y', content: [{ type: 'text', text: 'found' }] },
      { type: 'hologram', depth: 2 },
    ]),
    ...extra(),
  });
  const thought = (): Json =>
    random.chance(0.7)
      ? { type: 'thinking', thinking: random.pick([text(), '']), signature: 'c2ln' }
      : { type: 'redacted_thinking', data: 'c2VjcmV0' };
  const content = (make: () => Json, most = 3) =>
    random.chance(0.3) ? text() : random.list(random.int(1, most), make);
  const messages: Json[] = [];
  const turns = random.int(1, 6);
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({
      role: 'user',
      content: content(() => (random.chance(0.7) ? words() : media())),
      ...extra(),
    });
    if (random.chance(0.05)) messages.push({ role: 'system', content: content(words, 2) });
    if (random.chance(0.7)) messages.push(...calls(random, { text, words, media, thought, extra }, turn));
    else
      messages.push({
        role: 'assistant',
        content: random.pick([text(), [...random.list(random.int(0, 2), thought), words()], []]),
        ...extra(),
      });
    if (random.chance(0.05))
      messages.push({ role: 'assistant', content: [{ type: 'compaction', content: text() }] });
  }
  const system = random.pick<unknown>([undefined, text(), [words()], [words(), words()], '']);
  return {
    ...(system !== undefined && { system }),
    ...random.maybe(0.2, () => ({ tools: [{ name: 'read' }] })),
    messages,
  };
}

interface Makers {
  readonly text: () => string;
  readonly words: () => Json;
  readonly media: () => Json;
  readonly thought: () => Json;
  readonly extra: () => Json;
}

function calls(random: Random, { text, words, media, thought, extra }: Makers, turn: number): Json[] {
  const ids = random.list(random.int(1, 3), (index) => `toolu_${turn}_${index}`);
  const uses = ids.map((id) => ({
    type: 'tool_use',
    id,
    name: random.pick(['read', 'toString']),
    input: random.pick<unknown>([
      { path: 'a' },
      {},
      { __proto__: 1 },
      { deep: { list: [1, null, 'x'] } },
      'text',
    ]),
    ...extra(),
  }));
  const server = random.chance(0.1)
    ? [
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      ]
    : [];
  const said = random.chance(0.5) ? [words()] : [];
  const between = random.chance(0.2) ? [thought()] : [];
  const asked = {
    role: 'assistant',
    content: [...random.list(random.int(0, 2), thought), ...said, ...server, ...between, ...uses],
    ...extra(),
  };
  const results = ids.map((id) => ({
    type: 'tool_result',
    tool_use_id: id,
    ...random.pick<Json>([
      { content: text() },
      { content: [words(), ...random.list(random.int(0, 1), media)] },
      {},
      { content: [] },
      { content: '' },
    ]),
    ...random.maybe(0.2, () => ({ is_error: random.chance(0.7) })),
    ...extra(),
  }));
  const beside = random.chance(0.3) ? [words()] : [];
  return [
    asked,
    {
      role: 'user',
      content: random.chance(0.1) ? [...beside, ...results] : [...results, ...beside],
      ...extra(),
    },
  ];
}
