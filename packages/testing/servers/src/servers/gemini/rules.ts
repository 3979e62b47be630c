import type { Fields } from '@ctx/core/codec';
import { Refusal } from '../dialect.js';
import {
  anyOf,
  flag,
  list,
  type Misfit,
  misfitOf,
  object,
  oneOf,
  record,
  type Shape,
  text,
} from '../shape.js';

const blob = object({}, { mimeType: text, data: text, displayName: text });
const part = object(
  {},
  {
    text,
    thought: flag,
    thoughtSignature: text,
    inlineData: blob,
    fileData: object({}, { mimeType: text, fileUri: text, displayName: text }),
    functionCall: object(
      {},
      { id: text, name: text, args: record, partialArgs: list(record), willContinue: flag },
    ),
    functionResponse: object(
      {},
      { id: text, name: text, response: record, parts: list(record), scheduling: text, willContinue: flag },
    ),
    ...anyOf('executableCode codeExecutionResult toolCall toolResponse audioTranscription videoMetadata'),
    ...anyOf('mediaResolution partMetadata mediaProcessing speechMetadata'),
  },
);
const content = object({}, { role: oneOf('user', 'model', 'function'), parts: list(part) });
/** Its role is not looked at. */
const systemInstruction = object({}, { role: text, parts: list(part) });
const tool = object(
  {},
  {
    functionDeclarations: list(
      object(
        { name: text },
        {
          description: text,
          ...anyOf('parameters parametersJsonSchema response responseJsonSchema behavior'),
        },
      ),
    ),
    ...anyOf('googleSearch googleSearchRetrieval codeExecution urlContext computerUse fileSearch'),
    ...anyOf('googleMaps mcpServers'),
  },
);

/** The body of `:generateContent` and `:streamGenerateContent`, with fields in camelCase as the SDKs send them. */
const generateRequest: Shape = object(
  { contents: list(content, 1) },
  {
    systemInstruction,
    tools: list(tool),
    model: text,
    generationConfig: record,
    ...anyOf('toolConfig safetySettings cachedContent labels serviceTier store'),
  },
);

export function errorBody(code: number, message: string, status: string): Fields {
  return { error: { code, message, status } };
}

/** Google's error for a request that breaks a rule. */
export function invalid(message: string): Refusal {
  return new Refusal('invalid', 400, message, errorBody(400, message, 'INVALID_ARGUMENT'));
}

const unfitting = ({ place, problem }: Misfit): Refusal =>
  invalid(`Invalid JSON payload received. ${place} ${problem}.`);

/** The signatures that stand for one which the client does not have. */
const noSignature = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

export const partsOf = ({ parts = [] }: Fields): Fields[] => parts as Fields[];
const callsIn = (content: Fields | undefined) =>
  content === undefined ? [] : partsOf(content).filter(({ functionCall }) => functionCall !== undefined);
export const responsesIn = (content: Fields | undefined): Fields[] =>
  content === undefined
    ? []
    : partsOf(content).filter(({ functionResponse }) => functionResponse !== undefined);

/** Refuses what Google refuses in a request to generate content; `signed` are the thought signatures of earlier answers. */
export function checkGenerate(request: Fields, model: string, signed: ReadonlySet<unknown>): void {
  const misfit = misfitOf(generateRequest, request);
  if (misfit !== undefined) throw unfitting(misfit);
  const contents = request.contents as Fields[];
  for (const [index, content] of contents.entries()) {
    checkParts(content, index);
    checkTurns(contents, index);
  }
  if (contents.at(-1)?.role === 'model')
    throw invalid('Please ensure that multiturn requests end with a user turn or a function response turn.');
  checkSignatures(contents, isSigned(model), signed);
}

/** Models that sign their calls, and want the signatures back. */
export const isSigned = (model: string): boolean => /gemini-([3-9]|\d\d)/.test(model);

const dataless = ['thought', 'thoughtSignature', 'partMetadata', 'videoMetadata', 'mediaResolution'];

function checkParts(content: Fields, index: number): void {
  const parts = partsOf(content);
  if (parts.length === 0)
    throw invalid(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`);
  for (const [at, part] of parts.entries()) {
    if (part.text === '' || Object.keys(part).every((key) => dataless.includes(key)))
      throw invalid(
        `* GenerateContentRequest.contents[${index}].parts[${at}].data: required oneof field 'data' must have one initialized field\n`,
      );
    if (part.functionCall !== undefined && !(part.functionCall as Fields).name)
      throw invalid(
        `* GenerateContentRequest.contents[${index}].parts[${at}].function_call.name: Name cannot be empty.\n`,
      );
    if (part.functionResponse !== undefined && !(part.functionResponse as Fields).name)
      throw invalid(
        `* GenerateContentRequest.contents[${index}].parts[${at}].function_response.name: Name cannot be empty.\n`,
      );
  }
}

function checkTurns(contents: readonly Fields[], index: number): void {
  const [before, content, after] = [contents[index - 1], contents[index], contents[index + 1]];
  const calls = callsIn(content);
  if (calls.length > 0) {
    if (before === undefined || before.role === 'model')
      throw invalid(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    if (responsesIn(after).length !== calls.length) throw invalid(unequal);
  }
  if (responsesIn(content).length > 0 && callsIn(before).length === 0)
    throw invalid('Please ensure that function response turn comes immediately after a function call turn.');
}

const unequal =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

/** In the current turn, the first call of each step needs the signature that the model gave it. */
function checkSignatures(contents: readonly Fields[], isNeeded: boolean, signed: ReadonlySet<unknown>): void {
  const start = contents.findLastIndex(
    (content) => content.role !== 'model' && responsesIn(content).length === 0,
  );
  for (const [index, content] of contents.entries()) {
    for (const { thoughtSignature } of partsOf(content)) {
      const isKnown = signed.has(thoughtSignature) || noSignature.includes(String(thoughtSignature));
      if (thoughtSignature !== undefined && !isKnown) throw invalid('Thought signature is not valid.');
    }
    const [first] = callsIn(content);
    if (!isNeeded || index <= start || first === undefined || first.thoughtSignature !== undefined) continue;
    const { name } = first.functionCall as Fields;
    throw invalid(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${String(name)}\` , position ${index + 1}.`,
    );
  }
}
