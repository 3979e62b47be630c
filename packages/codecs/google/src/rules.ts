import { type Fields, type Finding, isFields, type Rules } from '@ctx/core/codec';

/** A well-formed request, in the form for rules. */
interface CheckedRequest {
  readonly model: string;
  readonly contents: readonly CheckedContent[];
}

export interface CheckedContent {
  readonly isModel: boolean;
  readonly parts: readonly Fields[];
  readonly calls: readonly Fields[];
  readonly responses: readonly Fields[];
}

/** What Gemini's API demands of contents. The quotations are its errors. */
export const rules: Rules<CheckedRequest> = {
  /** "Please ensure that multiturn requests begin with a user turn"; it can't be an answer to calls that are not there. */
  'first-content-user': ({ contents: [first] }) =>
    first !== undefined && (first.isModel || first.responses.length > 0)
      ? [{ index: 0, detail: 'The first content is not what a user says.' }]
      : [],

  /** "contents.parts must not be empty." */
  'parts-not-empty': ({ contents }) =>
    each(contents, ({ parts }) => (parts.length === 0 ? ['The content has no parts.'] : [])),

  /** "required oneof field 'data' must have one initialized field". A signature may come alone, with an empty text. */
  'part-not-empty': ({ contents }) =>
    each(contents, ({ parts }) => parts.filter(isEmpty).map(() => 'A part is empty.')),

  /** "function call turn comes immediately after a user turn or after a function response turn." */
  'function-call-after-user': ({ contents }) =>
    each(contents, ({ calls }, index) =>
      calls.length > 0 && (contents[index - 1]?.isModel ?? true)
        ? ['Calls come neither after what a user says nor after responses.']
        : [],
    ),

  /** "function response turn comes immediately after a function call turn." */
  'function-response-after-call': ({ contents }) =>
    each(contents, ({ responses }, index) =>
      responses.length > 0 && (contents[index - 1]?.calls.length ?? 0) === 0
        ? ['Responses come after a content without calls.']
        : [],
    ),

  /** "the number of function response parts is equal to the number of function call parts of the function call turn." */
  'function-responses-match': ({ contents }) =>
    each(contents, ({ calls }, index) => {
      const count = contents[index + 1]?.responses.length ?? 0;
      return calls.length > 0 && count !== calls.length
        ? [`${calls.length} calls have ${count} responses in the next content.`]
        : [];
    }),

  /** A response names the function of a call that it answers. */
  'function-response-name': ({ contents }) =>
    each(contents, ({ calls, responses }, index) => {
      const open = (contents[index - 1]?.calls ?? []).map(({ name }) => name);
      return responses.flatMap(({ name }) => {
        const at = open.indexOf(name);
        if (at >= 0) open.splice(at, 1);
        return at >= 0 || calls.length > 0 ? [] : [`No call before it is of "${String(name)}".`];
      });
    }),

  /** "Invalid value at 'function_call.args' (type.googleapis.com/google.protobuf.Struct)" */
  'function-fields-object': ({ contents }) =>
    each(contents, ({ calls, responses }) => [
      ...calls
        .filter(({ args }) => isNoObject(args))
        .map(({ name }) => `The arguments for "${String(name)}" are not an object.`),
      ...responses
        .filter(({ response }) => isNoObject(response))
        .map(({ name }) => `The response of "${String(name)}" is not an object.`),
    ]),

  /** Calls are the model's, responses the user's. */
  'function-part-role': ({ contents }) =>
    each(contents, ({ isModel, calls, responses }) =>
      (isModel ? responses : calls).map(
        ({ name }) => `A ${isModel ? 'response' : 'call'} of "${String(name)}" has the wrong role.`,
      ),
    ),

  /**
   * "Function call is missing a thought_signature in functionCall parts." From Gemini 3 on, for the first call of each content since the user
   * spoke last. The check needs the `model` of the request.
   */
  'thought-signature': ({ model, contents }) => {
    if (!needsSignatures(model)) return [];
    const turn = contents.findLastIndex(
      ({ isModel, parts, responses }) => !isModel && responses.length < parts.length,
    );
    return each(contents, ({ isModel, parts }, index) => {
      const first =
        isModel && index > turn ? parts.find(({ functionCall }) => isFields(functionCall)) : undefined;
      const isSigned = typeof first?.thoughtSignature === 'string' && first.thoughtSignature !== '';
      return first === undefined || isSigned ? [] : ['The first call has no thoughtSignature.'];
    });
  },
};

function each(
  contents: readonly CheckedContent[],
  problems: (content: CheckedContent, index: number) => readonly string[],
): Finding[] {
  return contents.flatMap((content, index) => problems(content, index).map((detail) => ({ index, detail })));
}

const noData = [
  'thought',
  'thoughtSignature',
  'partMetadata',
  'videoMetadata',
  'mediaResolution',
  'mediaProcessing',
];

function isEmpty(part: Fields): boolean {
  const data = Object.keys(part).filter(
    (field) => !noData.includes(field) && part[field] !== undefined && part[field] !== null,
  );
  return data.length === 0 || (part.text === '' && part.thoughtSignature === undefined);
}

function isNoObject(value: unknown): boolean {
  return value !== undefined && value !== null && !isFields(value);
}

/** True from Gemini 3 on. */
function needsSignatures(model: string): boolean {
  const [, major] = /(?:^|\/)gemini-(\d+)/.exec(model) ?? [];
  return Number(major) >= 3;
}
