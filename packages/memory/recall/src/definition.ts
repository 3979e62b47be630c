/** The tool's name. Models know the word, and it is the same in every form. */
export const recallName = 'recall';

/** What the tool is for, as the model reads it. It is sent with each request. */
export const recallDescription = `Reads what you no longer see of this conversation: earlier messages, calls and results, word for word. \
Use it when you need an exact name, value, path, error text or decision from before; do not guess it. \
Look for it with query, best by the names as they were written, or read a handle that you see with ref: #m41, or lines of it, #m41:120-180. \
With both, that message is searched.`;

/** The kinds of text that a model may ask for. */
export const askedKinds = ['user', 'assistant', 'call', 'result', 'summary'] as const;

/** The tool's arguments, as JSON schema. */
export interface RecallParameters {
  readonly type: 'object';
  readonly properties: Readonly<
    Record<
      'query' | 'ref' | 'path' | 'kind' | 'maxTokens',
      {
        readonly type: 'string' | 'integer';
        readonly description: string;
        readonly enum?: readonly string[];
      }
    >
  >;
}

export const recallParameters: RecallParameters = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for.' },
    ref: { type: 'string', description: '#m41 or #m41:120-180' },
    path: { type: 'string', description: 'Only what is about this file or folder.' },
    kind: { type: 'string', enum: askedKinds, description: 'Only texts of this kind.' },
    maxTokens: { type: 'integer', description: 'Largest answer.' },
  },
};
