import { type Fields, isFields } from '@ctx/core/codec';
import {
  anyOf,
  count,
  first,
  inside,
  list,
  type Misfit,
  misfitOf,
  object,
  oneOf,
  record,
  type Shape,
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
  return (
    misfitOf(converse, request) ??
    blocksMisfit(request.system, 'system') ??
    first((request.messages as Fields[]).entries(), ([index, { content }]) =>
      blocksMisfit(content, `messages[${index}].content`),
    )
  );
}

function blocksMisfit(blocks: unknown, place: string): Misfit | undefined {
  return first(((blocks ?? []) as Fields[]).entries(), ([at, block]) => {
    const misfit = blockMisfit(block, `${place}[${at}]`, members);
    if (misfit !== undefined || !isFields(block.toolResult)) return misfit;
    return first((block.toolResult.content as Fields[]).entries(), ([index, item]) =>
      blockMisfit(item, `${place}[${at}].toolResult.content[${index}]`, resultMembers),
    );
  });
}

function blockMisfit(
  block: Fields,
  place: string,
  shapes: Readonly<Record<string, Shape>>,
): Misfit | undefined {
  const [name = 'text', ...others] = Object.keys(block);
  const shape = shapes[name];
  if (shape === undefined || others.length > 0 || block[name] === undefined)
    return { place: inside(place, others[0] ?? name), problem: 'is not known, or not alone' };
  return misfitOf(shape, block[name], inside(place, name));
}
