import type { Random } from './random.js';
import { randomSpeech, randomText, textOf } from './text.js';

type Json = Record<string, unknown>;

/** A conversation of OpenAI's Chat Completions with every kind of message and part, including those that no type lists. */
export function randomOpenAi(random: Random): Json[] {
  const text = () => textOf(random.chance(0.8) ? randomSpeech(random, 20) : randomText(random, 20));
  const extra = () =>
    random.maybe(0.15, () => ({
      [random.pick(['x_unknown', 'name', 'cache_control', 'annotations'])]: random.pick<unknown>([
        { type: 'ephemeral' },
        'ada',
        3,
        [],
      ]),
    })) ?? {};
  const part = (): Json =>
    random.pick<() => Json>([
      () => ({ type: 'text', text: text() }),
      () => ({
        type: 'image_url',
        image_url: {
          url: random.pick(['https://example.org/a.png', 'data:image/png;base64,iVBORw0KGgo=']),
          ...extra(),
        },
      }),
      () => ({
        type: 'file',
        file: random.pick<Json>([
          { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a' },
          { file_id: 'f' },
          {},
        ]),
      }),
      () => ({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }),
      () => ({ type: 'hologram', depth: { x: [1, 2] } }),
    ])();
  const parts = (make = part) => random.list(random.int(0, 3), () => ({ ...make(), ...extra() }));
  const said = () =>
    random.pick<() => unknown>([text, text, () => '', () => parts(() => ({ type: 'text', text: text() }))])();
  const messages: Json[] = random.chance(0.7)
    ? [{ role: random.pick(['system', 'developer']), content: said(), ...extra() }]
    : [];
  const turns = random.int(1, 6);
  for (let turn = 0; turn < turns; turn += 1) {
    const kind = random.weighted({ user: 4, assistant: 3, calls: 4, called: 0.5, refusal: 0.5, system: 0.5 });
    switch (kind) {
      case 'user':
        messages.push({ role: 'user', content: random.chance(0.5) ? said() : parts(), ...extra() });
        break;
      case 'assistant':
        messages.push({
          role: 'assistant',
          content: random.pick([said(), null]),
          ...random.maybe(0.1, () => ({ tool_calls: random.pick([[], null]) })),
          ...extra(),
        });
        break;
      case 'calls':
        messages.push(...calls(random, text, extra, turn));
        break;
      case 'called':
        messages.push(
          {
            role: 'assistant',
            content: null,
            function_call: { name: 'run', arguments: random.pick(['{}', '{"a":', '']) },
          },
          { role: 'function', name: 'run', content: random.pick([text(), null]) },
        );
        break;
      case 'refusal':
        messages.push({
          role: 'assistant',
          content: random.pick([
            null,
            [
              { type: 'refusal', refusal: text() },
              { type: 'text', text: text() },
            ],
          ]),
          refusal: text(),
          ...random.maybe(0.3, () => ({ audio: { id: 'a' } })),
        });
        break;
      case 'system':
        messages.push({ role: random.pick(['system', 'developer']), content: said(), ...extra() });
        break;
      default:
        kind satisfies never;
    }
  }
  return messages;
}

function calls(random: Random, text: () => string, extra: () => Json, turn: number): Json[] {
  const ids = random.list(random.int(1, 3), (index) =>
    random.pick([`call_${turn}_${index}`, `call_${turn}_${index}`, `__proto__${index}`, `again-${index}`]),
  );
  const unique = [...new Set(ids)];
  const tool_calls = unique.map((id) =>
    random.chance(0.15)
      ? { id, type: 'custom', custom: { name: 'sh', input: text() }, ...extra() }
      : {
          id,
          type: 'function',
          function: {
            name: random.pick(['read', 'toString']),
            arguments: random.pick([
              '{"path":"a"}',
              '{"path":',
              '',
              '"text"',
              'null',
              '{ "a":1, "a" : 2.0 }',
              '{"__proto__":{"x":1}}',
              '12345678901234567890',
            ]),
          },
          ...extra(),
        },
  );
  const results = unique.map((id) => ({
    role: 'tool',
    tool_call_id: id,
    content: random.chance(0.7)
      ? text()
      : random.list(random.int(0, 2), () => ({ type: 'text', text: text(), ...extra() })),
    ...extra(),
  }));
  return [
    { role: 'assistant', content: random.pick([null, text(), '', undefined]), tool_calls, ...extra() },
    ...results,
  ];
}
