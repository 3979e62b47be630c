import { anyOf, count, flag, list, object, oneOf, record, type Shape, text } from '../shape.js';

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
    ...anyOf('executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'audioTranscription'),
    ...anyOf('videoMetadata', 'mediaResolution', 'partMetadata', 'mediaProcessing', 'speechMetadata'),
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
          ...anyOf('parameters', 'parametersJsonSchema', 'response', 'responseJsonSchema', 'behavior'),
        },
      ),
    ),
    ...anyOf('googleSearch', 'googleSearchRetrieval', 'codeExecution', 'urlContext', 'computerUse'),
    ...anyOf('fileSearch', 'googleMaps', 'mcpServers'),
  },
);

/** The body of `:generateContent` and `:streamGenerateContent`, with fields in camelCase as the SDKs send them. */
export const generateRequest: Shape = object(
  { contents: list(content, 1) },
  {
    systemInstruction,
    tools: list(tool),
    model: text,
    generationConfig: record,
    ...anyOf('toolConfig', 'safetySettings', 'cachedContent', 'labels', 'serviceTier', 'store'),
  },
);

/** The body of `:countTokens`. */
export const countRequest: Shape = object(
  {},
  { contents: list(content), generateContentRequest: generateRequest, totalTokens: count },
);
