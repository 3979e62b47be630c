import { type Fields, isFields, known, listIn, type Names, nameIn, usageIn } from '../fields.js';
import type { Answer } from '../telling/dialogue.js';

/** Types of parts that go to the model. */
const toldTypes: ReadonlySet<unknown> = new Set(['text', 'reasoning', 'tool', 'file', 'compaction']);

/** False for a part about the session, such as a snapshot of the files, and for a text that the model never gets. */
export function isTold({ type, ignored }: Fields): boolean {
  return toldTypes.has(type) && ignored !== true;
}

/** The parts of each request: usually a message is one, but each `step-start` begins one. */
export function stepsIn(parts: readonly Fields[]): Fields[][] {
  const steps: Fields[][] = [];
  for (const part of parts) {
    const last = steps.at(-1);
    if (last === undefined || (part.type === 'step-start' && last.some(isTold))) steps.push([part]);
    else last.push(part);
  }
  return steps;
}

/** The parts as those of a message. */
export function saidParts(parts: readonly Fields[]): unknown[] {
  return parts.filter(isTold).flatMap((part): unknown[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part.text === '' ? [] : [{ type: part.type, text: part.text }];
      case 'tool':
        return [
          {
            type: 'tool-call',
            toolCallId: part.callID,
            toolName: part.tool,
            input: stateOf(part).input ?? {},
          },
        ];
      case 'file':
        return [mediaPart(part)];
      default:
        return [];
    }
  });
}

/** The result of a call; undefined if it has none yet. */
export function outputIn(part: Fields): Answer | undefined {
  const { status, output, error, attachments, time } = stateOf(part);
  const answer = { callId: part.callID, toolName: part.tool, time: isFields(time) ? time.end : undefined };
  if (status === 'error') return { ...answer, output: error ?? '', isError: true };
  if (status !== 'completed') return undefined;
  const media = listIn(attachments).map(mediaPart);
  if (media.length === 0) return { ...answer, output: output ?? '' };
  return { ...answer, output: { type: 'content', value: [{ type: 'text', text: output }, ...media] } };
}

/** What a request took: what the step says, otherwise what the message says. */
export function usageOf(info: Fields, parts: readonly Fields[], names: Names) {
  const step = parts.find(({ type, tokens }) => type === 'step-finish' && isFields(tokens));
  const tokens = step?.tokens ?? info.tokens;
  const usage = isFields(tokens) ? { ...tokens, ...(isFields(tokens.cache) && tokens.cache) } : undefined;
  return usageIn(usage, usageFields, names, isFields(info.error));
}

const usageFields = {
  input: ['input', 'read', 'write'],
  output: ['output', 'reasoning'],
  cacheRead: 'read',
  cacheWrite: 'write',
};

function stateOf({ state }: Fields): Fields {
  return isFields(state) ? state : {};
}

function mediaPart(part: Fields): unknown {
  const { url, mime: mediaType } = part;
  if (typeof mediaType === 'string' && mediaType.startsWith('image/'))
    return { type: 'image', image: url, mediaType };
  return known({ type: 'file', data: url, mediaType, filename: nameIn(part, 'filename') });
}
