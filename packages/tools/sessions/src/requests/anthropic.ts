import { type AnthropicRequest, anthropicCodec } from '@ctx/codec-anthropic';
import { conversationReader } from './conversations.js';

type Messages = AnthropicRequest['messages'];
type System = NonNullable<AnthropicRequest['system']>;

/** Conversations in the format of Anthropic's Messages API. */
export const readAnthropic = conversationReader({
  format: 'anthropic',
  toMessages: (natives) => anthropicCodec.toMessages({ messages: natives as Messages }),
  systemMessages: (system) => anthropicCodec.toMessages({ system: system as System, messages: [] }),
});
