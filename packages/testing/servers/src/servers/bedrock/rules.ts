import { type Fields, isFields } from '@ctx/core/codec';
import { Refusal } from '../dialect.js';
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
  anyOf('context citations'),
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
    ...anyOf('additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig outputConfig'),
    ...anyOf('performanceConfig promptVariables requestMetadata serviceTier'),
  },
);

/** The first thing in a request that its shape does not allow. */
function misfitIn(request: Fields): Misfit | undefined {
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

/** Bedrock's error for a request that breaks a rule. */
export function invalid(message: string): Refusal {
  return refusal('invalid', message);
}

export function refusal(
  kind: Refusal['kind'],
  message: string,
  status = 400,
  type = 'ValidationException',
): Refusal {
  return new Refusal(kind, status, message, { message }, { 'x-amzn-errortype': type });
}

/** Refuses what the Converse API refuses, for a model of Anthropic. */
export function checkConverse(request: Fields, signatures: ReadonlyMap<unknown, unknown>): void {
  const misfit = misfitIn(request);
  if (misfit !== undefined) throw invalid(`The format of ${misfit.place} is invalid: it ${misfit.problem}.`);
  const messages = request.messages as Fields[];
  if (messages[0]?.role !== 'user')
    throw invalid(
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    );
  if (messages.some(({ role }, at) => role === messages[at - 1]?.role))
    throw invalid(
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
    );
  if (messages.at(-1)?.role !== 'user')
    throw invalid(
      'The model does not support assistant message prefill. The conversation must end with a user message.',
    );
  for (const [at, { text }] of ((request.system ?? []) as Fields[]).entries())
    checkText(text, `system.${at}`);
  for (const [index, message] of messages.entries()) checkContent(message, index, signatures);
  checkPairs(request, messages);
}

export const blocksOf = ({ content }: Fields) => content as Fields[];
/** What the blocks of a message hold under a name. */
export const membersOf = (message: Fields | undefined, name: string): Fields[] =>
  message === undefined
    ? []
    : blocksOf(message)
        .map((block) => block[name])
        .filter(isFields);

function checkText(text: unknown, place: string): void {
  if (typeof text === 'string' && text.trim() === '')
    throw invalid(
      `The text field in the ContentBlock object at ${place} is blank. Add text to the text field, and try again.`,
    );
}

function checkContent(message: Fields, index: number, signatures: ReadonlyMap<unknown, unknown>): void {
  const place = `messages.${index}.content`;
  const blocks = blocksOf(message);
  if (blocks.length === 0)
    throw invalid(
      `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`,
    );
  for (const [at, block] of blocks.entries()) {
    checkText(block.text, `${place}.${at}`);
    const owner = block.toolResult !== undefined || block.image !== undefined ? 'user' : message.role;
    const isOfModel = block.toolUse !== undefined || block.reasoningContent !== undefined;
    if (message.role !== (isOfModel ? 'assistant' : owner))
      throw invalid(`${place}.${at}: The role ${String(message.role)} can't have this block.`);
    const { reasoningText } = (block.reasoningContent ?? {}) as Fields;
    if (isFields(reasoningText) && signatures.get(reasoningText.signature) !== reasoningText.text)
      throw invalid(`${place}.${at}: Invalid \`signature\` in \`thinking\` block`);
  }
}

const idsOf = (message: Fields | undefined, name: string) =>
  membersOf(message, name).map(({ toolUseId }) => String(toolUseId));

/** Results answer all calls of the message before, and nothing else. */
function checkPairs({ toolConfig }: Fields, messages: readonly Fields[]): void {
  for (const [index, message] of messages.entries()) {
    const due = idsOf(messages[index - 1], 'toolUse');
    const given = idsOf(message, 'toolResult');
    const missing = due.filter((id) => !given.includes(id));
    if (missing.length > 0)
      throw invalid(
        `Expected toolResult blocks at messages.${index}.content for the following Ids: ${missing.join(', ')}`,
      );
    if (given.length > due.length || new Set(given).size < given.length)
      throw invalid(
        `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`,
      );
    if (given.length > 0 && toolConfig === undefined)
      throw invalid('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  }
}
