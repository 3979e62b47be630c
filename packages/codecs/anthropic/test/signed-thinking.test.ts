import { type AnthropicRequest, anthropicCodec, validate } from '@ctx/codec-anthropic';
import { seededRandom } from '@ctx/core';
import { ThinkingSigner } from '@ctx/servers';

type Request = AnthropicRequest;
type Block = Record<string, unknown>;
type Content = Request['messages'][number]['content'];

const signer = new ThinkingSigner();
const thinking = { type: 'thinking', thinking: '' };
const redacted = { type: 'redacted_thinking' };
const text = (value: string) => ({ type: 'text', text: value });
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: { id } });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `${id} says` });

const answers: Block[][] = [
  [thinking, use('a')],
  [redacted, text('now b'), thinking, use('b'), use('c')],
  [thinking, redacted, text('so far so good')],
  [text('d then'), use('d')],
  [thinking, use('e')],
  [thinking, text('done')],
];

/** The requests of a conversation, each with the answer to the one before it. */
function conversed(): Request[] {
  const requests: Request[] = [];
  let messages: Request['messages'] = [{ role: 'user', content: 'go' }];
  for (const answer of answers) {
    const request: Request = { system: 'be kind', tools: [{ name: 'read' }], messages };
    requests.push(request);
    const content = signer.sign(request, answer);
    const results = content.filter(({ type }) => type === 'tool_use').map(({ id }) => result(String(id)));
    const next = results.length > 0 ? results : [text('go on')];
    messages = [
      ...messages,
      { role: 'assistant', content: content as never },
      { role: 'user', content: next as never },
    ];
  }
  return [...requests, { system: 'be kind', tools: [{ name: 'read' }], messages }];
}

const isThinking = ({ type }: { type: string }) => type === 'thinking' || type === 'redacted_thinking';
const blocksOf = (content: Content) => (typeof content === 'string' ? [text(content)] : (content ?? []));

type Messages = Request['messages'];
type Change = (request: Request, random: () => number) => Request;
const inMessages =
  (change: (messages: Messages, random: () => number) => Messages): Change =>
  ({ messages, ...rest }, random) => ({ ...rest, messages: change(messages, random) });
const inOne = (change: (blocks: ReturnType<typeof blocksOf>, random: () => number) => unknown) =>
  inMessages((messages, random) => {
    const at = pick(messages, random);
    const { role, content } = messages[at] as Messages[number];
    return messages.with(at, { role, content: change(blocksOf(content), random) as never });
  });

const ephemeral = { cache_control: { type: 'ephemeral' } } as const;
const changes: Change[] = [
  (request) => ({ ...request, system: 'be brief' }),
  (request) => ({ ...request, system: [{ type: 'text', text: 'be kind', ...ephemeral }] }),
  (request) => ({ ...request, tools: [...(request.tools ?? []), { name: 'grep' }] }),
  inMessages((messages, random) => messages.toSpliced(pick(messages, random), 1)),
  inMessages((messages, random) =>
    messages.toSpliced(pick(messages, random), 0, { role: 'user', content: 'by the way' }),
  ),
  inOne((blocks, random) => blocks.toSpliced(pick(blocks, random), 1)),
  inMessages((messages, random) => {
    const first = Math.floor(random() * 12);
    let seen = 0;
    return messages.map(({ role, content }) => ({
      role,
      content: blocksOf(content).filter((block) => !isThinking(block) || ++seen > first) as never,
    }));
  }),
  inOne((blocks) => blocks.toReversed()),
  inMessages((messages) =>
    messages.flatMap(({ role, content }) =>
      blocksOf(content).map((block) => ({ role, content: [{ ...block, ...ephemeral }] as never })),
    ),
  ),
];

function pick(list: readonly unknown[], random: () => number): number {
  return Math.floor(random() * list.length);
}

const ruled = (request: Request, before: readonly Request[]) =>
  validate(request, { before }).filter(({ rule }) => rule === 'thinking-bound');

test('a conversation as it was sent is accepted', () => {
  const requests = conversed();
  requests.forEach((request, index) => {
    expect(signer.refusal(request)).toBeUndefined();
    expect(ruled(request, requests.slice(0, index))).toEqual([]);
    expect(anthropicCodec.fromMessages(anthropicCodec.toMessages(request)).messages).toEqual(
      request.messages,
    );
  });
});

test('the rule finds what the signatures show, and nothing else', () => {
  const requests = conversed();
  const random = seededRandom(7);
  const verdicts = { refused: 0, accepted: 0 };
  for (let run = 0; run < 400; run += 1) {
    let request = structuredClone(requests.at(-1)) as Request;
    for (let count = Math.floor(random() * 3); count >= 0; count -= 1) {
      request = (changes[pick(changes, random)] as Change)(request, random);
    }
    const found = ruled(request, requests);
    const refusal = signer.refusal(request);
    expect({ run, refused: found.length > 0 }).toEqual({ run, refused: refusal !== undefined });
    if (refusal === undefined) verdicts.accepted += 1;
    else {
      verdicts.refused += 1;
      expect(refusal).toMatch(
        new RegExp(
          `^messages\\.${found[0]?.index}\\.content\\.\\d+: Invalid .signature. in .thinking. block`,
        ),
      );
    }
  }
  expect(Math.min(verdicts.refused, verdicts.accepted)).toBeGreaterThan(50);
});

test('a signature of another server is refused, without a word about the prefix', () => {
  const [, request] = conversed() as [Request, Request];
  const [first, , last] = request.messages as [never, never, never];
  const forged = { role: 'assistant', content: [{ ...thinking, signature: 'c2ln' }, use('a')] } as never;
  expect(signer.refusal({ ...request, messages: [first, forged, last] })).toBe(
    'messages.1.content.0: Invalid `signature` in `thinking` block',
  );
});
