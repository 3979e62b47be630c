import type { Codec } from '@ctx/core';
import { withBreakpoints } from './cache-breakpoints.js';
import { toMessages } from './decode.js';
import { fromMessages } from './encode.js';
import { losses } from './losses.js';
import type { AnthropicConversation } from './native-message.js';
import { validate } from './validate.js';

/** The system prompt and messages of Anthropic's Messages API. */
export const anthropicCodec: Codec<AnthropicConversation> = {
  name: 'anthropic',
  toMessages,
  fromMessages,
  settle: withBreakpoints,
  validate,
  losses,
};
