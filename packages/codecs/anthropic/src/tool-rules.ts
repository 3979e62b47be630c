import { isFields, repeated } from '@ctx/core/codec';
import { type Located, ofType, type Rule } from './rule.js';

/** What the Messages API demands of calls and results. */
export const toolRules: Record<string, Rule> = {
  /** "Each `tool_use` block must have a corresponding `tool_result` block in the next message." */
  'tool-use-answered': ({ turns, blocks }) =>
    turns.flatMap((turn) => {
      const answered = new Set(ofType(blocks[turn.next], 'tool_result').map(resultId));
      return ofType(turn.blocks, 'tool_use')
        .filter((call) => !answered.has(callId(call)))
        .map((call) => ({
          index: call.index,
          detail: `The call "${callId(call)}" has no result in the next message.`,
        }));
    }),

  /** "Each `tool_result` block must have a corresponding `tool_use` block in the previous message." */
  'tool-result-has-call': ({ turns, blocks, messages }) =>
    blocks.flatMap((found, index) => {
      if (messages[index]?.role !== 'user') return [];
      const turn = turns.find((one) => one.next === index);
      const calls = new Set(ofType(turn?.blocks, 'tool_use').map(callId));
      return ofType(found, 'tool_result')
        .filter((result) => !calls.has(resultId(result)))
        .map((result) => ({ index, detail: `The message before it makes no call "${resultId(result)}".` }));
    }),

  /** "each tool_use must have a single result. Found multiple `tool_result` blocks with id" */
  'tool-result-once': ({ blocks }) =>
    blocks.flatMap((found) =>
      repeated(ofType(found, 'tool_result'), resultId).map((result) => ({
        index: result.index,
        detail: `The call "${resultId(result)}" is answered twice.`,
      })),
    ),

  /** Results come before anything else in their message. After text, the API does not find them. */
  'tool-results-first': ({ blocks }) =>
    blocks.flatMap((found, index) => {
      const results = found.map(({ block }) => block.type === 'tool_result');
      const late = results.lastIndexOf(true) >= results.filter(Boolean).length;
      return late ? [{ index, detail: 'A tool_result comes after another block.' }] : [];
    }),

  /** "`tool_use` ids must be unique", in the whole conversation. */
  'tool-use-id-unique': ({ turns }) =>
    repeated(
      turns.flatMap((turn) => ofType(turn.blocks, 'tool_use')),
      callId,
    ).map((call) => ({
      index: call.index,
      detail: `The id "${callId(call)}" was used before.`,
    })),

  /** "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" */
  'tool-use-id-form': ({ turns }) =>
    turns
      .flatMap((turn) => ofType(turn.blocks, 'tool_use'))
      .filter((call) => !/^[a-zA-Z0-9_-]+$/.test(callId(call)))
      .map((call) => ({
        index: call.index,
        detail: `The id ${JSON.stringify(callId(call))} has other characters.`,
      })),

  /** "tool_use.input: Input should be a valid dictionary" */
  'tool-use-input-object': ({ turns }) =>
    turns
      .flatMap((turn) => ofType(turn.blocks, 'tool_use'))
      .filter(({ block }) => !isFields(block.input))
      .map((call) => ({
        index: call.index,
        detail: `The input of the call "${callId(call)}" is not an object.`,
      })),

  /** "`tool_use` blocks can only be in `assistant` messages", "`tool_result` blocks can only be in `user` messages" */
  'tool-block-role': ({ messages, blocks }) =>
    messages.flatMap(({ role }, index) => {
      const foreign = role === 'user' ? 'tool_use' : 'tool_result';
      return ofType(blocks[index], foreign).map(() => ({
        index,
        detail: `A ${role} message holds a ${foreign}.`,
      }));
    }),

  /** "content cannot be empty if `is_error` is true", "all content must be type `text` if `is_error` is true" */
  'error-result-text': ({ blocks }) =>
    blocks
      .flatMap((found) => ofType(found, 'tool_result'))
      .filter(({ block }) => block.is_error === true && !isText(block.content))
      .map((result) => ({
        index: result.index,
        detail: `The failed result "${resultId(result)}" is not text.`,
      })),
};

function callId({ block }: Located): string {
  return String(block.id);
}

function resultId({ block }: Located): string {
  return String(block.tool_use_id);
}

function isText(content: unknown): boolean {
  if (!Array.isArray(content)) return typeof content === 'string' && content !== '';
  return content.length > 0 && content.every((item) => isFields(item) && item.type === 'text');
}
