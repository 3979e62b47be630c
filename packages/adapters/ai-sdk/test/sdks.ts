import * as ai6 from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import * as ai5 from 'ai-v5';
import { MockLanguageModelV2 } from 'ai-v5/test';
import * as ai7 from 'ai-v7';
import { MockLanguageModelV4 } from 'ai-v7/test';

/** A call of a model, as far as the versions of the SDK agree. */
export interface Call {
  readonly prompt: Said[];
  readonly tools?: readonly object[];
  readonly abortSignal?: AbortSignal;
  readonly temperature?: number;
}
export interface Said {
  readonly role: string;
  readonly content: unknown;
}
export interface Model {
  readonly specificationVersion: string;
  doGenerate(call: Call): PromiseLike<Answer>;
  doStream(call: Call): PromiseLike<{ readonly stream: ReadableStream<Part>; readonly request?: object }>;
}
export interface Answer {
  readonly content: readonly object[];
  readonly [field: string]: unknown;
}
export type Part = { readonly type: string } & Readonly<Record<string, unknown>>;
/** What `generateText` and the others of one version are called with and give, as far as the tests use it. */
interface Texts {
  generateText(request: object): Promise<{ text: string; response: { messages: Said[] } }>;
  streamText(request: object): {
    consumeStream(): PromiseLike<void>;
    readonly text: PromiseLike<string>;
    readonly response: PromiseLike<{ messages: Said[] }>;
    /** Version 7 only: the messages of all steps; `response` has those of the last. */
    readonly responseMessages?: PromiseLike<Said[]>;
  };
  stepCountIs(steps: number): unknown;
  tool(definition: object): unknown;
  jsonSchema(schema: object): unknown;
  wrapLanguageModel(wrapped: { model: unknown; middleware: unknown }): Model;
  Agent: new (
    settings: object,
  ) => { generate(call: object): Promise<{ text: string; response: { messages: Said[] } }> };
}

/** A version of the AI SDK, with models whose answers a test gives. */
export interface Sdk {
  readonly name: string;
  readonly ai: Texts;
  model(answers: Partial<Model>, id?: { provider: string; modelId: string }): Model;
  /** The end of an answer that reports tokens. */
  finished(reason: 'stop' | 'tool-calls', inputTokens: number): object;
}

type Mock = new (answers: never) => unknown;
const modelOf =
  (Mock: Mock): Sdk['model'] =>
  (answers, id = { provider: 'openai.chat', modelId: 'gpt-5' }) =>
    new Mock({ ...id, ...answers } as never) as Model;

const inParts = (total: number) => {
  return { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
};
const finishedInParts: Sdk['finished'] = (reason, inputTokens) => ({
  finishReason: { unified: reason, raw: undefined },
  usage: { inputTokens: inParts(inputTokens), outputTokens: inParts(1) },
});

export const sdks: readonly Sdk[] = [
  {
    name: 'version 5',
    ai: { ...ai5, Agent: ai5.Experimental_Agent } as unknown as Texts,
    model: modelOf(MockLanguageModelV2 as unknown as Mock),
    finished: (finishReason, inputTokens) => ({
      finishReason,
      usage: { inputTokens, outputTokens: 1, totalTokens: inputTokens + 1 },
    }),
  },
  {
    name: 'version 6',
    ai: { ...ai6, Agent: ai6.ToolLoopAgent } as unknown as Texts,
    model: modelOf(MockLanguageModelV3 as unknown as Mock),
    finished: finishedInParts,
  },
  {
    name: 'version 7',
    ai: { ...ai7, Agent: ai7.ToolLoopAgent } as unknown as Texts,
    model: modelOf(MockLanguageModelV4 as unknown as Mock),
    finished: finishedInParts,
  },
];

/** A stream of parts that come one by one when they are read. */
export function streamOf(
  parts: readonly (Part | Error)[],
  onRead: (read: number | 'cancelled') => void = () => {},
) {
  let at = 0;
  return new ReadableStream<Part>(
    {
      pull(controller) {
        const part = parts[at];
        at += 1;
        onRead(at);
        if (part === undefined) controller.close();
        else if (part instanceof Error) controller.error(part);
        else controller.enqueue(part);
      },
      cancel: () => onRead('cancelled'),
    },
    { highWaterMark: 0 },
  );
}

export async function partsOf(stream: ReadableStream<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream as unknown as AsyncIterable<Part>) parts.push(part);
  return parts;
}
