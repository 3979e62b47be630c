import { type Message, type Part, partsOf, type ToolOutput } from '@ctx/core';

/** A part of a message, and its replacement. */
export interface PartEdit {
  readonly message: number;
  readonly part: number;
  readonly original: Part;
  readonly replaced: Part;
}

/** One edit for every part that core lets an edit replace. */
export function editsOf(messages: readonly Message[]): PartEdit[] {
  return messages.flatMap((entry, message) =>
    partsOf(entry).flatMap((original, part) => {
      const replaced = replacement(original);
      return replaced === undefined ? [] : [{ message, part, original, replaced }];
    }),
  );
}

/** Whether the part was text or a result before, which every form can say. */
export const isOfText = ({ original }: PartEdit): boolean =>
  original.type === 'text' || original.type === 'tool-result';

function replacement(part: Part): Part | undefined {
  switch (part.type) {
    case 'text':
      return { ...part, text: '[shortened]' };
    case 'image':
    case 'file':
      return { type: 'text', text: '[removed]' };
    case 'tool-result':
      return { ...part, output: shorter(part.output) };
    case 'tool-call':
      return { ...part, input: { shortened: true } };
    case 'reasoning':
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

/** The output as core shortens it: a list stays a list, any other form becomes text. */
function shorter(output: ToolOutput): ToolOutput {
  const value = '[cleared]';
  if (typeof output === 'string') return value;
  return output.type === 'content'
    ? { type: 'content', value: [{ type: 'text', text: value }] }
    : { type: 'text', value };
}

/** The messages with one part replaced. */
export function apply(messages: readonly Message[], { message, part, replaced }: PartEdit): Message[] {
  return messages.map((old, index) => {
    if (index !== message) return old;
    if (typeof old.content === 'string' && replaced.type === 'text')
      return { ...old, content: replaced.text } as Message;
    return { ...old, content: partsOf(old).map((one, at) => (at === part ? replaced : one)) } as Message;
  });
}
