import type { Answer } from '../conversation/dialogue.js';
import { type Fields, isFields, listIn, nameIn } from '../fields.js';

/** Parts of Gemini's API as parts of a message. Results are skipped: `answersIn` gives them. */
export function partsFrom(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.flatMap((part: unknown) =>
    isFields(part) && isFields(part.functionResponse) ? [] : [partFrom(part)],
  );
}

function partFrom(part: unknown): unknown {
  if (!isFields(part)) return part;
  const { text, thought, functionCall, inlineData } = part;
  if (typeof text === 'string') return { type: thought === true ? 'reasoning' : 'text', text };
  if (isFields(functionCall)) return callFrom(functionCall);
  return isFields(inlineData) ? mediaFrom(inlineData) : { type: 'opaque', value: part };
}

export function callFrom({ id, name, args }: Fields): unknown {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: args ?? {} };
}

function mediaFrom({ data, mimeType: mediaType }: Fields): unknown {
  const isImage = typeof mediaType === 'string' && mediaType.startsWith('image/');
  return isImage ? { type: 'image', image: data, mediaType } : { type: 'file', data, mediaType };
}

/** The function responses among the parts. */
export function answersIn(content: unknown, time: unknown): Answer[] {
  if (!Array.isArray(content)) return [];
  const media = content.filter((part) => isFields(part) && isFields(part.inlineData)).map(partFrom);
  const responses = listIn(listIn(content).map(({ functionResponse }) => functionResponse));
  return responses.map(({ id, name, response }) => ({
    callId: id,
    toolName: name,
    time,
    ...outputOf(response, responses.length === 1 ? media : []),
  }));
}

/** A text if the response has only an `output` or an `error`, otherwise JSON. */
function outputOf(response: unknown, media: readonly unknown[]): Pick<Answer, 'output' | 'isError'> {
  const { output, error, ...rest } = isFields(response) ? response : {};
  const failed = error !== undefined && { isError: true };
  const text = output ?? error;
  const isText = typeof text === 'string' && Object.keys(rest).length === 0;
  if (isText && media.length === 0) return { output: text, ...failed };
  if (isText) return { output: { type: 'content', value: [{ type: 'text', text }, ...media] }, ...failed };
  return { output: { type: 'json', value: response ?? null }, ...failed };
}

/** Thoughts, as Gemini CLI shows them, as one reasoning part; none without text. */
export function thoughtsFrom(thoughts: unknown): unknown[] {
  const texts = listIn(thoughts).map((thought) => {
    const subject = nameIn(thought, 'subject');
    const description = nameIn(thought, 'description') ?? '';
    return subject === undefined ? description : `**${subject}**\n${description}`;
  });
  const text = texts.filter((one) => one !== '').join('\n\n');
  return text === '' ? [] : [{ type: 'reasoning', text }];
}
