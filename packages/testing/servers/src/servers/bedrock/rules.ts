import { type Fields, isFields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { misfitOf, shapesIn } from '../shape.js';

/** The body of a request; bytes go over the wire as base64. */
const converse = shapesIn(`
  call      = {toolUseId: string, name: string, input: object, type?: string}
  image     = {format: 'png' | 'jpeg' | 'gif' | 'webp', source: {bytes?: string, s3Location?: object}}
  document  = {format: string, name: string, context?, citations?,
               source: {bytes?: string, s3Location?: object, text?: string, content?: [object]}}
  media     = {text?: string, image?: image, document?: document, video?: object, searchResult?: object}
  result    = {toolUseId: string, content: [{...media, json?: object}], status?: 'success' | 'error',
               type?: string}
  reasoning = {reasoningText?: {text: string, signature?: string}, redactedContent?: string}
  block     = {...media, audio?: object, cachePoint?: {type: 'default', ttl?: string}, guardContent?: object,
               citationsContent?: object, toolUse?: call, toolResult?: result, reasoningContent?: reasoning}
  inference = {maxTokens?: number, temperature?: number, topP?: number, stopSequences?: [string]}
  request   = {messages: [{role: 'user' | 'assistant', content: [block]}]+, system?: [block],
               inferenceConfig?: inference, toolConfig?: {tools: [object]+, toolChoice?},
               additionalModelRequestFields?, additionalModelResponseFieldPaths?, guardrailConfig?,
               outputConfig?, performanceConfig?, promptVariables?, requestMetadata?, serviceTier?}
`)('request');

/** Refuses what the Converse API refuses, for a model of Anthropic. */
export function checkConverse(request: Fields, signatures: ReadonlyMap<unknown, unknown>): void {
  const misfit = misfitOf(converse, request);
  if (misfit !== undefined) throw invalid(`The format of ${misfit.place} is invalid: it ${misfit.problem}.`);
  checkMembers(request.system, 'system');
  const messages = request.messages as Fields[];
  if (messages[0]?.role !== 'user')
    throw invalid('A conversation must start with a user message. Try again with such a conversation.');
  if (messages.some(({ role }, at) => role === messages[at - 1]?.role))
    throw invalid('A conversation must alternate between user and assistant roles.');
  if (messages.at(-1)?.role !== 'user')
    throw invalid(
      'The model does not support assistant message prefill. The conversation must end with a user message.',
    );
  for (const [at, { text }] of ((request.system ?? []) as Fields[]).entries())
    checkText(text, `system.${at}`);
  for (const [index, message] of messages.entries()) checkContent(message, index, signatures);
  checkPairs(request, messages);
}

/** A block has one member. */
function checkMembers(blocks: unknown, place: string): void {
  for (const [at, block] of ((blocks ?? []) as Fields[]).entries()) {
    if (Object.keys(block).length !== 1)
      throw invalid(`The format of ${place}[${at}] is invalid: it has not just one member.`);
    if (isFields(block.toolResult))
      checkMembers(block.toolResult.content, `${place}[${at}].toolResult.content`);
  }
}

export const blocksOf = ({ content }: Fields) => content as Fields[];
/** What the blocks of a message hold under a name. */
export const membersOf = (message: Fields = { content: [] }, name: string): Fields[] =>
  blocksOf(message)
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
  checkMembers(blocks, `messages[${index}].content`);
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
