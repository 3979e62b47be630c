import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
import { conversationReader } from './conversations.js';

type Messages = AnthropicConversation['messages'];
type System = NonNullable<AnthropicConversation['system']>;

/** Conversations in the format of Anthropic's Messages API. */
export const readAnthropic = conversationReader({
  format: 'anthropic',
  toMessages: (natives) => anthropicCodec.toMessages({ messages: natives as Messages }),
  systemMessages: (system) => anthropicCodec.toMessages({ system: system as System, messages: [] }),
});
