import { anthropicCodec } from '@ctx/codec-anthropic';
import { asLines, type SessionWriter, uuidOf } from './writing.js';

/** Lines of Claude Code. Its files hold no system prompt. */
export const writeClaudeCode: SessionWriter = ({ id, messages, model }) => {
  const said = messages.filter(({ role }) => role !== 'system');
  const times = said.map(({ createdAt }) => createdAt).filter((time) => time !== undefined);
  const natives = anthropicCodec.fromMessages(said).messages;
  return asLines(
    natives.map(({ role, content }, index) => ({
      parentUuid: index === 0 ? null : uuidOf(id, index - 1),
      isSidechain: false,
      userType: 'external',
      sessionId: id,
      type: role,
      message:
        role === 'assistant'
          ? { id: `msg_${uuidOf(id, index)}`, type: 'message', role, model: model ?? 'unknown', content }
          : { role, content },
      uuid: uuidOf(id, index),
      // Several messages may have become one, so only the number of those before it is known.
      timestamp: new Date((times[0] ?? 0) + index).toISOString(),
    })),
  );
};
