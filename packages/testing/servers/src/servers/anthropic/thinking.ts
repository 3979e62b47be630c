import { type Fields, isFields } from '@ctx/core/codec';
import { blocksOf, isThinking } from './blocks.js';
import { type MessagesRequest, ThinkingSigner } from './thinking-signer.js';
import { invalid } from './words.js';

/** Models whose thinking needs a signature only. Binding to the prefix came with the models 5.1. */
const unbound = /^claude-(\d|(opus|sonnet|haiku)-[34]\b|\w+-5(-\d{8})?$)/;

/** Thinking that is signed, bound to what was before it, and may not be altered. */
export class BoundThinking {
  readonly #signer = new ThinkingSigner();
  /** The thinking of each signature. */
  readonly #thoughts = new Map<unknown, unknown>();

  /** True if a request wants the model to think. */
  static isOn({ thinking }: Fields): boolean {
    return isFields(thinking) && thinking.type !== 'disabled';
  }

  sign(request: Fields, blocks: readonly Fields[]): Fields[] {
    const signed = this.#signer.sign(request as unknown as MessagesRequest, blocks);
    for (const block of signed.filter(isThinking)) this.#thoughts.set(block.signature, block.thinking);
    return signed;
  }

  /** Refuses thinking that was altered or moved, and a turn whose thinking is missing. */
  check(request: Fields): void {
    const messages = request.messages as Fields[];
    const binding = isFields(request.thinking) ? request.thinking.block_binding : undefined;
    const isFree =
      unbound.test(String(request.model)) ||
      (isFields(binding) && binding.prefix_mismatch_behavior === 'drop_block');
    const refusal = this.#signer.refusal(request as unknown as MessagesRequest);
    const isBound = refusal?.includes('bound to a different conversation') === true;
    if (refusal !== undefined && !(isFree && isBound)) throw invalid(refusal);
    for (const [index, message] of messages.entries())
      for (const [at, block] of blocksOf(message).entries()) this.#checkText(block, index, at);
    if (isFields(request.thinking) && request.thinking.type === 'enabled') checkTurn(messages);
  }

  /** What the server says of thinking that it dropped, if the request has it dropped and not refused. */
  dropped(request: Fields): Fields {
    const binding = isFields(request.thinking) ? request.thinking.block_binding : undefined;
    if (!isFields(binding) || binding.prefix_mismatch_behavior !== 'drop_block') return {};
    const refusal = this.#signer.refusal(request as unknown as MessagesRequest);
    const [path] = refusal?.split(':') ?? [];
    const one = { type: 'thinking_dropped', path, reason: 'prefix_binding_mismatch' };
    return { input_transformations: refusal === undefined ? [] : [one] };
  }

  /** A client that was shown no thinking sends an empty text. */
  #checkText({ type, signature, thinking }: Fields, index: number, at: number): void {
    if (type !== 'thinking' || thinking === '' || this.#thoughts.get(signature) === thinking) return;
    throw invalid(
      `messages.${index}.content.${at}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
    );
  }
}

/** After the newest prompt, an answer with calls begins with its thinking. */
function checkTurn(messages: readonly Fields[]): void {
  const prompt = messages.findLastIndex(
    (message) => message.role === 'user' && !blocksOf(message).some(({ type }) => type === 'tool_result'),
  );
  for (const [index, message] of messages.entries()) {
    if (index <= prompt || message.role !== 'assistant' || messages[index - 1]?.role === 'assistant')
      continue;
    const blocks = blocksOf(message);
    const [first] = blocks;
    if (first === undefined || isThinking(first) || !blocks.some(({ type }) => type === 'tool_use')) continue;
    const found = String(first.type);
    throw invalid(
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
    );
  }
}
