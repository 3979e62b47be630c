import { refuse } from '../base/errors.js';
import { inSlices, inSteps } from '../base/slices.js';
import type { CompressionOutcome } from '../compress/record.js';
import type { Message } from '../transcript/message.js';
import { messagesIn } from '../transcript/parse-message.js';
import { ContextManager } from './context-manager.js';
import type { CompressOptions, ManagerOptions } from './manager-options.js';
import { optionFaults } from './option-faults.js';

export interface CompressMessagesOptions extends ManagerOptions, Pick<CompressOptions, 'strategy'> {
  /** Tokens to get down to. */
  readonly targetTokens: number;
}

/**
 * Compresses a list of messages once, whatever the trigger says. The input is not changed.
 * @throws ValidationError, ConfigError, ContextOverflowError if `config.contextWindow` is given and nothing fits
 */
export async function compressMessages(
  messages: Iterable<Message>,
  given: CompressMessagesOptions,
): Promise<CompressionOutcome & { readonly messages: readonly Message[] }> {
  refuse(optionFaults(given, 'compressMessages'));
  const { targetTokens, strategy, ...options } = given;
  const config = {
    ...options.config,
    contextWindow: options.config?.contextWindow ?? Number.MAX_SAFE_INTEGER,
  };
  const said = messagesIn(messages, 'messages');
  const manager = new ContextManager({ ...options, config });
  await inSlices(
    inSteps(said, (message) => manager.append(message)),
    options.slices,
  );
  const outcome = await manager.compress({ strategy, targetTokens });
  return { ...outcome, messages: manager.view() };
}
