import type { Warning } from '@ctx/conversation';
import type { ContextManager } from '@ctx/core';
import { words } from '@ctx/testing';
import type {
  AgentInputItem,
  CallModelInputFilterArgs,
  Model,
  ModelRequest,
  ModelResponse,
  StreamEvent,
} from '@openai/agents';
import { contextInputFilter, contextModel, contextProvider } from '../src/index.js';

const turns = (count: number, name = 'file'): AgentInputItem[] => [
  ...Array.from({ length: count }, (_, turn): AgentInputItem[] => [
    { role: 'user', content: `Look at ${name}${turn}.ts` },
    {
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: words(60, `${name}${turn}`) }],
    },
  ]).flat(),
  { role: 'user', content: 'And now?' },
];
const request = (input: ModelRequest['input'], more: Partial<ModelRequest> = {}): ModelRequest => ({
  input,
  modelSettings: {},
  tools: [],
  handoffs: [],
  outputType: 'text',
  tracing: false,
  ...more,
});
const response = { usage: { inputTokens: 321 }, output: [] } as unknown as ModelResponse;
const tooLong = Object.assign(new Error("This model's maximum context length is 2000 tokens."), {
  status: 400,
});
const lengthOf = ({ input }: ModelRequest) => input.length;

/** What ctx told while it worked, and options that listen. */
function listening() {
  const managers: [string, ContextManager][] = [];
  const warnings: Warning[] = [];
  return {
    managers,
    warnings,
    options: {
      config: { contextWindow: 4_000 },
      onManager: (manager: ContextManager, key: string) => managers.push([key, manager]),
      onWarning: (warning: Warning) => warnings.push(warning),
    },
  };
}

/** A model that does what the test says. */
function modelThat(answer: (request: ModelRequest, number: number) => readonly object[] | Error) {
  const sent: ModelRequest[] = [];
  const ask = (next: ModelRequest) => {
    sent.push(next);
    return answer(next, sent.length);
  };
  const model: Model = {
    getResponse: async (next) => {
      const said = ask(next);
      if (said instanceof Error) throw said;
      return response;
    },
    async *getStreamedResponse(next) {
      const said = ask(next);
      if (said instanceof Error) throw said;
      for (const event of said) {
        if (event instanceof Error) throw event;
        yield event as StreamEvent;
      }
    },
  };
  return { model, sent };
}

async function streamed(model: Model, asked: ModelRequest): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of model.getStreamedResponse(asked)) events.push(event);
  return events;
}

describe('a model', () => {
  test('is sent the very same request if nothing has to leave', async () => {
    const { model, sent } = modelThat(() => []);
    const { options, managers } = listening();
    const asked = [request('Hi'), request(turns(2), { systemInstructions: 'Be brief.' })];
    const ours = contextModel(model, options);
    for (const one of asked) expect(await ours.getResponse(one)).toBe(response);
    expect(sent[0]).toBe(asked[0]);
    expect(sent[1]).toBe(asked[1]);
    expect(managers[1]?.[1].stats().currentTokens).toBe(321);
  });

  test('is sent less of what is too long, in the items that came; instructions, tools and handoffs are counted', async () => {
    const more = {
      systemInstructions: words(300, 'rule'),
      tools: [
        { type: 'function', name: 'read', description: words(300, 'tool'), parameters: {}, strict: true },
      ],
      handoffs: [
        { toolName: 'to', toolDescription: words(300, 'hand'), inputJsonSchema: {}, strictJsonSchema: true },
      ],
    } as unknown as Partial<ModelRequest>;
    const kept = [];
    for (const parts of [{}, more]) {
      const { model, sent } = modelThat(() => []);
      const { options, managers } = listening();
      const input = turns(60);
      await contextModel(model, options).getResponse(request(input, parts));
      const [next] = sent;
      const items = next?.input as AgentInputItem[];
      expect(items.at(-1)).toBe(input.at(-1));
      expect(items.filter((item) => input.includes(item)).length).toBeGreaterThan(items.length / 2);
      expect(next?.systemInstructions).toBe(parts.systemInstructions);
      kept.push({
        length: JSON.stringify(items).length,
        system: managers[0]?.[1].budget().systemTokens ?? 0,
      });
    }
    expect(kept[1]?.length).toBeLessThan(kept[0]?.length ?? 0);
    expect((kept[1]?.system ?? 0) - (kept[0]?.system ?? 0)).toBeGreaterThan(900);
  });

  test('is sent a smaller request after an overflow, and other errors pass at once', async () => {
    const { model, sent } = modelThat((_, number) => (number === 1 ? tooLong : []));
    const { options } = listening();
    expect(await contextModel(model).getResponse(request(turns(20)))).toBe(response);
    expect(sent.map(lengthOf)).toEqual([41, expect.any(Number)]);
    expect(sent.map(lengthOf)[1]).toBeLessThan(41);
    for (const error of [tooLong, Object.assign(new Error('Rate limit reached'), { status: 429 })]) {
      const failing = modelThat(() => error);
      await expect(contextModel(failing.model, options).getResponse(request(turns(5)))).rejects.toBe(error);
      await expect(streamed(contextModel(failing.model, options), request(turns(5)))).rejects.toBe(error);
      expect(failing.sent.length).toBeLessThanOrEqual(error === tooLong ? 8 : 2);
    }
  });

  const started = { type: 'response_started' };
  const created = { type: 'model', event: { type: 'response.created' } };
  const failed = {
    type: 'model',
    event: {
      type: 'response.failed',
      response: { error: { code: 'context_length_exceeded', message: 'zu lang' } },
    },
  };
  const ended = new Error(
    'OpenAI Responses request ended with unsuccessful terminal state "response.failed".',
  );
  const delta = { type: 'output_text_delta', delta: 'ok' };

  test('that overflows in its stream is asked again, as long as nothing was said', async () => {
    const { model, sent } = modelThat((_, number) =>
      number === 1 ? [started, created, failed, ended] : [started, delta],
    );
    expect(await streamed(contextModel(model), request(turns(20)))).toEqual([started, delta]);
    expect(sent).toHaveLength(2);
    const late = modelThat(() => [started, delta, failed, ended]);
    const events: StreamEvent[] = [];
    const reading = (async () => {
      for await (const event of contextModel(late.model).getStreamedResponse(request(turns(20))))
        events.push(event);
    })();
    await expect(reading).rejects.toBe(ended);
    expect(events).toEqual([started, delta, failed]);
    expect(late.sent).toHaveLength(1);
  });

  test('whose stream fails for another reason passes on all its events', async () => {
    const { model } = modelThat(() => [started, { ...created }, new Error('cut off')]);
    const events: StreamEvent[] = [];
    const reading = (async () => {
      for await (const event of contextModel(model).getStreamedResponse(request(turns(2))))
        events.push(event);
    })();
    await expect(reading).rejects.toThrow('cut off');
    expect(events).toEqual([started, created]);
  });

  test('whose server keeps the conversation is left alone, with one warning', async () => {
    const { model, sent } = modelThat(() => []);
    const { options, warnings } = listening();
    const ours = contextModel(model, options);
    for (const more of [{ previousResponseId: 'r1' }, { conversationId: 'c1' }]) {
      const asked = request(turns(60), more);
      await ours.getResponse(asked);
      expect(sent.at(-1)).toBe(asked);
    }
    expect(warnings.map(({ code }) => code)).toEqual(['conversation-stored']);
  });

  test('gets the request as it came if ctx fails', async () => {
    const { model, sent } = modelThat(() => []);
    const { options, warnings } = listening();
    const asked = request([
      { type: 'function_call_result', callId: '', name: 'read', status: 'completed', output: 'secret' },
    ]);
    const ours = contextModel(model, options);
    for (let time = 0; time < 2; time += 1) {
      await ours.getResponse(asked);
      expect(sent.at(-1)).toBe(asked);
    }
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('secret');
  });

  test('of a provider is known by its name; fifty conversations at once never mix', async () => {
    const { model, sent } = modelThat(() => []);
    const { options, managers } = listening();
    const asked: (string | undefined)[] = [];
    const provider = contextProvider(
      {
        getModel: (name) => {
          asked.push(name);
          return model;
        },
      },
      { ...options, config: {}, conversation: () => undefined },
    );
    const ours = await provider.getModel('gpt-4.1');
    expect(await provider.getModel('gpt-4.1')).toBe(ours);
    expect(asked).toEqual(['gpt-4.1', 'gpt-4.1']);
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const history = turns(6, `agent${at}x`);
        for (let length = 1; length <= history.length; length += 2)
          await ours.getResponse(request(history.slice(0, length)));
      }),
    );
    expect(managers).toHaveLength(50);
    expect(managers[0]?.[1].stats().maxTokens).toBe(1_047_576);
    for (const { input } of sent) expect(new Set(JSON.stringify(input).match(/agent\d+x/g)).size).toBe(1);
  });
});

describe('a filter', () => {
  const args = (input: AgentInputItem[], agent: object = {}) =>
    ({
      modelData: { input, instructions: 'Be brief.' },
      agent: { model: 'gpt-4.1', tools: [], handoffs: [], ...agent },
      context: undefined,
    }) as unknown as CallModelInputFilterArgs;

  test('asks for the items themselves, and gives them back where nothing touches them', async () => {
    const { options, managers } = listening();
    const filter = contextInputFilter({ ...options, conversation: () => 'ann' });
    expect(filter.preserveInputIdentity).toBe(true);
    const few = turns(2);
    const { input, instructions } = await filter(args(few));
    expect(instructions).toBe('Be brief.');
    expect(input).toHaveLength(few.length);
    expect(input.every((item, at) => item === few[at])).toBe(true);
    const many = turns(60);
    const shorter = await filter(args(many));
    expect(shorter.input.length).toBeLessThan(many.length);
    const added = shorter.input.filter((item) => !many.includes(item));
    expect(added.length).toBeLessThanOrEqual(2);
    expect(shorter.input.at(-1)).toBe(many.at(-1));
    expect(managers.map(([key]) => key)).toEqual(['ann']);
  });

  test('gives what came if ctx fails', async () => {
    const { options, warnings } = listening();
    const given = args(turns(60), { tools: undefined });
    expect(await contextInputFilter(options)(given)).toBe(given.modelData);
    expect(warnings).toHaveLength(1);
  });
});
