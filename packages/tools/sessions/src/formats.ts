import { ClaudeCode } from './claude-code/claude-code.js';
import { Cline } from './cline/cline.js';
import { Codex } from './codex/codex.js';
import { Continue } from './continue/continue.js';
import { Copilot } from './copilot/copilot.js';
import { Gemini } from './gemini/gemini.js';
import { Qwen } from './gemini/qwen.js';
import { Opencode } from './opencode/opencode.js';
import { Pi } from './pi/pi.js';
import type { Reading, Recorder, SessionReader } from './reader.js';
import { readAiSdk, readAnthropic, readLangChain, readOpenai } from './requests/conversations.js';
import type { SessionFormat } from './session.js';
import { sessionFrom } from './telling/told.js';

const conversations: Readonly<Record<string, SessionReader>> = {
  openai: readOpenai,
  anthropic: readAnthropic,
  'ai-sdk': readAiSdk,
  langchain: readLangChain,
};

type AgentFormat = Exclude<SessionFormat, 'openai' | 'anthropic' | 'ai-sdk' | 'langchain'>;

const recorders: Readonly<Record<AgentFormat, (reading: Reading) => Recorder>> = {
  'claude-code': (reading) => new ClaudeCode(reading),
  cline: (reading) => new Cline(reading),
  codex: (reading) => new Codex(reading),
  continue: (reading) => new Continue(reading),
  copilot: (reading) => new Copilot(reading),
  gemini: (reading) => new Gemini(reading),
  opencode: (reading) => new Opencode(reading),
  pi: (reading) => new Pi(reading),
  qwen: (reading) => new Qwen(reading),
};

/** Makes what takes the records of an agent's file; undefined if the format is not that of an agent. */
export function recorderOf(format: string | undefined): ((reading: Reading) => Recorder) | undefined {
  return format !== undefined && Object.hasOwn(recorders, format)
    ? recorders[format as AgentFormat]
    : undefined;
}

/** Undefined if there is no such format. */
export function readerOf(format: string | undefined): SessionReader | undefined {
  if (format !== undefined && Object.hasOwn(conversations, format)) return conversations[format];
  const start = recorderOf(format);
  return start && ((records, reading) => oneSession(records, reading, start(reading)));
}

/** The file of an agent holds one session. */
async function* oneSession(
  records: Parameters<SessionReader>[0],
  reading: Reading,
  recorder: Recorder,
): ReturnType<SessionReader> {
  for await (const record of records) recorder.add(record);
  yield sessionFrom(recorder.told(), reading);
}
