import { equal } from '../base/equal.js';
import {
  isErrorResult,
  itemsOf,
  type Message,
  messageText,
  outputText,
  type ToolResultPart,
  toolCallsOf,
} from './message.js';

/** The first line of the text that a result without a call becomes. */
const strayResult = /^\[Result of [^\]\n]{1,200}: (failed|its call is not in the conversation)\]\n/;

/** How ids begin that codecs make up for calls without one. */
const unnamed = /^unnamed[-_]/;

/** True for a result without a call, as `resultsInPlace` makes a text of it: nobody has said it. */
export function isStrayResult(message: Message): boolean {
  return message.role === 'user' && strayResult.test(messageText(message));
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly block: Block;
  result?: ToolResultPart;
}

/** A message with what follows it: the messages with results of its calls, and texts for results that have none. */
interface Block {
  readonly head: readonly Message[];
  readonly number: number;
  readonly results: Message[];
  readonly texts: Message[];
}

/** A result that does not follow its call. */
interface Stray {
  readonly message: Message;
  readonly result: ToolResultPart;
  readonly block: Block;
}

/**
 * A history in which each result follows its call, as every provider demands: results that come before their call or later than something
 * else are moved to it, one that is there twice is left out, and one without a call becomes a text. The same list if there is nothing to
 * mend.
 */
export function resultsInPlace(messages: readonly Message[]): readonly Message[] {
  const { blocks, calls, strays } = blocksOf(messages);
  if (strays.length === 0) return messages;
  const answered = new Set(blocks.filter(({ results }) => results.length > 0));
  for (const stray of strays) {
    const call = openCallFor(stray, calls);
    if (call !== undefined) {
      call.result = stray.result;
      call.block.results.push(moved(stray, call, answered.has(call.block)));
    } else if (!calls.some((one) => isSame(one.result, stray.result))) stray.block.texts.push(asText(stray));
  }
  return blocks.flatMap(({ head, results, texts }) => [...head, ...results, ...texts]);
}

function blocksOf(messages: readonly Message[]) {
  const blocks: Block[] = [];
  const calls: Call[] = [];
  const strays: Stray[] = [];
  let open: readonly Call[] = [];
  const begin = (...head: readonly Message[]) => {
    const block = { head, number: blocks.length, results: [], texts: [] };
    blocks.push(block);
    return block;
  };
  for (const message of messages) {
    if (message.role !== 'tool') {
      const block = begin(message);
      open = toolCallsOf(message).map(({ toolCallId: id, toolName: name }) => ({ id, name, block }));
      calls.push(...open);
      continue;
    }
    const block = blocks.at(-1) ?? begin();
    const staying = message.content.filter((result) => {
      const call = open.find(({ id, result: known }) => id === result.toolCallId && known === undefined);
      if (call === undefined) strays.push({ message, result, block });
      else call.result = result;
      return call !== undefined;
    });
    if (staying.length === message.content.length) block.results.push(message);
    else if (staying.length > 0) block.results.push({ ...message, content: staying });
  }
  return { blocks, calls, strays };
}

/** The nearest call before a result that has none yet, otherwise the nearest after it. Where calls have no ids, its tool tells. */
function openCallFor({ result, block }: Stray, calls: readonly Call[]): Call | undefined {
  const { toolCallId, toolName } = result;
  const isNamed = !unnamed.test(toolCallId);
  const open = calls.filter(
    ({ id, name, result: known }) => known === undefined && (isNamed ? id === toolCallId : name === toolName),
  );
  const before = open.findLast((call) => call.block.number <= block.number);
  return before ?? open[0];
}

/** Where calls have no ids, a result that is there twice has no call of its own: its tool and its words tell. */
function isSame(one: ToolResultPart | undefined, other: ToolResultPart): boolean {
  if (one === undefined || !equal(one.output, other.output)) return false;
  return unnamed.test(other.toolCallId)
    ? one.toolName === other.toolName
    : one.toolCallId === other.toolCallId;
}

/** @param isBehind whether other results come before it, with which some forms put it into one native message */
function moved({ message, result }: Stray, { id: toolCallId }: Call, isBehind: boolean): Message {
  if (!isBehind && message.content.length === 1 && result.toolCallId === toolCallId) return message;
  const { id: _, native: __, ...rest } = message;
  return { ...rest, content: [{ ...result, toolCallId }] } as Message;
}

function asText({ message: { createdAt }, result }: Stray): Message {
  const { toolName, output } = result;
  const what = isErrorResult(result) ? 'failed' : 'its call is not in the conversation';
  const media = itemsOf(result).filter(({ type }) => type === 'image' || type === 'file');
  const name = toolName === 'unknown' ? 'a tool' : toolName.replace(/[\]\n]/g, ' ').slice(0, 100);
  const text = `[Result of ${name}: ${what}]\n${outputText(output)}`;
  return {
    role: 'user',
    content: media.length === 0 ? text : [{ type: 'text', text }, ...media],
    ...(createdAt !== undefined && { createdAt }),
  } as Message;
}
