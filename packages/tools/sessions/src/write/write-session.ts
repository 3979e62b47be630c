import { modelMessageCodec } from '@ctx/codec-ai-sdk';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import type { SessionFormat } from '../session.js';
import { writeClaudeCode } from './claude-code.js';
import { writeCline } from './cline.js';
import { writeCodex } from './codex.js';
import { writeContinue } from './continue.js';
import { writeCopilot } from './copilot.js';
import { writeGemini, writeQwen } from './gemini.js';
import { writeLangChain } from './langchain.js';
import { writeOpencode } from './opencode.js';
import { writePi } from './pi.js';
import { asDocument, type SessionWriter, type WritableSession } from './writing.js';

const writers: Readonly<Record<SessionFormat, SessionWriter>> = {
  'claude-code': writeClaudeCode,
  cline: writeCline,
  codex: writeCodex,
  continue: writeContinue,
  copilot: writeCopilot,
  gemini: writeGemini,
  opencode: writeOpencode,
  pi: writePi,
  qwen: writeQwen,
  openai: ({ messages }) => asDocument({ messages: openaiCodec.fromMessages(messages) }),
  anthropic: ({ messages }) => asDocument(anthropicCodec.fromMessages(messages)),
  'ai-sdk': ({ messages }) => asDocument(modelMessageCodec.fromMessages(messages)),
  langchain: writeLangChain,
};

/**
 * Writes the messages of a session in a format, so that `readSession` reads the same messages from it. The same session always gives the
 * same text. `writingLosses` says what the format has no place for.
 */
export function writeSession(session: WritableSession, format: SessionFormat): string {
  return writers[format](session);
}
