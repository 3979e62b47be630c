import type { Fields } from '@ctx/core/codec';
import { invalid } from '../dialect.js';
import { misfitOf, shapesIn } from '../shape.js';

/** The body of `:generateContent` and `:streamGenerateContent`, with fields in camelCase as the SDKs send them. */
const generateRequest = shapesIn(`
  call     = {id?: string, name?: string, args?: object, partialArgs?: [object], willContinue?: boolean}
  response = {id?: string, name?: string, response?: object, parts?: [object], scheduling?: string,
              willContinue?: boolean}
  part     = {text?: string, thought?: boolean, thoughtSignature?: string,
              inlineData?: {mimeType?: string, data?: string, displayName?: string},
              fileData?: {mimeType?: string, fileUri?: string, displayName?: string}, functionCall?: call,
              functionResponse?: response, executableCode?, codeExecutionResult?, toolCall?, toolResponse?,
              audioTranscription?, videoMetadata?, mediaResolution?, partMetadata?, mediaProcessing?,
              speechMetadata?}
  function = {name: string, description?: string, parameters?, parametersJsonSchema?, response?,
              responseJsonSchema?, behavior?}
  tool     = {functionDeclarations?: [function], googleSearch?, googleSearchRetrieval?, codeExecution?,
              urlContext?, computerUse?, fileSearch?, googleMaps?, mcpServers?}
  request  = {contents: [{role?: 'user' | 'model' | 'function', parts?: [part]}]+,
              systemInstruction?: {role?: string, parts?: [part]}, tools?: [tool], model?: string,
              generationConfig?: object, toolConfig?, safetySettings?, cachedContent?, labels?, serviceTier?,
              store?}
`)('request');

/** The signatures that stand for one which the client does not have. */
const noSignature = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

export const partsOf = ({ parts = [] }: Fields): Fields[] => parts as Fields[];
const callsIn = (content: Fields = {}) => partsOf(content).filter(({ functionCall }) => functionCall);
export const responsesIn = (content: Fields = {}): Fields[] =>
  partsOf(content).filter(({ functionResponse }) => functionResponse);

/** Refuses what Google refuses in a request to generate content; `signed` are the thought signatures of earlier answers. */
export function checkGenerate(request: Fields, model: string, signed: ReadonlySet<unknown>): void {
  const misfit = misfitOf(generateRequest, request);
  if (misfit !== undefined)
    throw invalid(`Invalid JSON payload received. ${misfit.place} ${misfit.problem}.`);
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
  const wrong = (place: string, problem: string) =>
    invalid(`* GenerateContentRequest.contents[${index}].parts${place}: ${problem}\n`);
  const parts = partsOf(content);
  if (parts.length === 0) throw wrong('', 'contents.parts must not be empty.');
  for (const [at, part] of parts.entries()) {
    if (part.text === '' || Object.keys(part).every((key) => dataless.includes(key)))
      throw wrong(`[${at}].data`, "required oneof field 'data' must have one initialized field");
    const { functionCall: call, functionResponse: response } = part as Record<string, Fields | undefined>;
    if (call && !call.name) throw wrong(`[${at}].function_call.name`, 'Name cannot be empty.');
    if (response && !response.name) throw wrong(`[${at}].function_response.name`, 'Name cannot be empty.');
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
    if (responsesIn(after).length !== calls.length)
      throw invalid(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
  }
  if (responsesIn(content).length > 0 && callsIn(before).length === 0)
    throw invalid('Please ensure that function response turn comes immediately after a function call turn.');
}

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
