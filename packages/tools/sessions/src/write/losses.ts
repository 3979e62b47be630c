import { modelMessageCodec } from '@ctx/codec-ai-sdk';
import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec, responsesCodec } from '@ctx/codec-openai';
import { type Message, type Part, partsOf } from '@ctx/core';
import type { SessionFormat } from '../session.js';

type Lost = 'system' | Exclude<Part['type'], 'text' | 'tool-call' | 'tool-result'>;

/** What the files of an agent have no place for. A result that is not text is written as text. */
const without: Readonly<Record<SessionFormat, readonly Lost[]>> = {
  'claude-code': ['system'],
  cline: ['file'],
  codex: [],
  continue: ['reasoning', 'file', 'opaque'],
  copilot: ['image', 'file', 'opaque'],
  gemini: ['system'],
  opencode: ['system', 'opaque'],
  pi: ['file'],
  qwen: ['system'],
  openai: [],
  anthropic: [],
  'ai-sdk': [],
  langchain: ['file', 'opaque'],
};

/** Files in the form of an API: its codec knows what is lost. */
const codecs: Partial<Record<SessionFormat, Pick<typeof anthropicCodec, 'losses'>>> = {
  'claude-code': anthropicCodec,
  codex: responsesCodec,
  openai: openaiCodec,
  anthropic: anthropicCodec,
  'ai-sdk': modelMessageCodec,
};

/** How many parts or fields of each kind a format has no place for. Empty if everything can be written. */
export function writingLosses(messages: readonly Message[], format: SessionFormat): Record<string, number> {
  const lost: Record<string, number> = {};
  const count = (what: string) => {
    lost[what] = (lost[what] ?? 0) + 1;
  };
  const add = (what: Lost) => {
    if (without[format].includes(what)) count(what);
  };
  for (const { what } of codecs[format]?.losses(messages) ?? []) count(what);
  for (const message of messages) {
    if (message.role === 'system') add('system');
    for (const { type } of partsOf(message))
      if (type !== 'text' && type !== 'tool-call' && type !== 'tool-result') add(type);
  }
  return lost;
}
