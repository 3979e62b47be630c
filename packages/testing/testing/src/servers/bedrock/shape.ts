import { type Fields, isFields } from '@ctx/core/codec';
import {
  anyOf,
  count,
  list,
  type Misfit,
  misfitOf,
  object,
  oneOf,
  record,
  type Shape,
  type Step,
  text,
} from '../shape.js';

/** Bytes go over the wire as base64. */
const source = object({}, { bytes: text, s3Location: record });
const image = object({ format: oneOf('png', 'jpeg', 'gif', 'webp'), source });
const document = object(
  {
    format: text,
    name: text,
    source: object({}, { bytes: text, s3Location: record, text, content: list(record) }),
  },
  anyOf('context', 'citations'),
);

/** What each member of a block holds. A block has one member. */
const members = {
  text,
  image,
  document,
  video: record,
  audio: record,
  cachePoint: object({ type: oneOf('default') }, { ttl: text }),
  guardContent: record,
  citationsContent: record,
  searchResult: record,
  toolUse: object({ toolUseId: text, name: text, input: record }, { type: text }),
  toolResult: object(
    { toolUseId: text, content: list(record) },
    { status: oneOf('success', 'error'), type: text },
  ),
  reasoningContent: object(
    {},
    { reasoningText: object({ text }, { signature: text }), redactedContent: text },
  ),
} satisfies Readonly<Record<string, Shape>>;

const resultMembers = { json: record, text, image, document, video: record, searchResult: record };

const converse: Shape = object(
  { messages: list(object({ role: oneOf('user', 'assistant'), content: list(record) }), 1) },
  {
    system: list(record),
    inferenceConfig: object(
      {},
      { maxTokens: count, temperature: count, topP: count, stopSequences: list(text) },
    ),
    toolConfig: object({ tools: list(record, 1) }, anyOf('toolChoice')),
    ...anyOf('additionalModelRequestFields', 'additionalModelResponseFieldPaths', 'guardrailConfig'),
    ...anyOf('outputConfig', 'performanceConfig', 'promptVariables', 'requestMetadata', 'serviceTier'),
  },
);

/** The first thing in a request that its shape does not allow. */
export function misfitIn(request: Fields): Misfit | undefined {
  const misfit = misfitOf(converse, request);
  if (misfit !== undefined) return misfit;
  for (const [at, block] of ((request.system ?? []) as Fields[]).entries()) {
    const wrong = blockMisfit(block, ['system', at], members);
    if (wrong !== undefined) return wrong;
  }
  for (const [index, message] of (request.messages as Fields[]).entries())
    for (const [at, block] of (message.content as Fields[]).entries()) {
      const wrong = misfitOfBlock(block, ['messages', index, 'content', at]);
      if (wrong !== undefined) return wrong;
    }
  return undefined;
}

function misfitOfBlock(block: Fields, path: readonly Step[]): Misfit | undefined {
  const misfit = blockMisfit(block, path, members);
  if (misfit !== undefined || !isFields(block.toolResult)) return misfit;
  for (const [at, item] of (block.toolResult.content as Fields[]).entries()) {
    const wrong = blockMisfit(item, [...path, 'toolResult', 'content', at], resultMembers);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function blockMisfit(
  block: Fields,
  path: readonly Step[],
  shapes: Readonly<Record<string, Shape>>,
): Misfit | undefined {
  const [name, ...others] = Object.keys(block);
  if (name === undefined || others.length > 0)
    return { path: [...path, others[0] ?? 'text'], value: block, problem: { kind: 'unknown' } };
  const shape = shapes[name];
  if (shape === undefined) return { path: [...path, name], value: block[name], problem: { kind: 'unknown' } };
  return misfitOf(shape, block[name], [...path, name]);
}
