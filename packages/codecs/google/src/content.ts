/**
 * The contents of a request to Gemini's `generateContent`: the system instruction, which SDKs take in their `config`, and the contents. It can be
 * given to `@google/genai` as it is.
 */
export interface GoogleConversation {
  systemInstruction?: SystemInstruction;
  contents: GoogleContent[];
}

/** A request as the codec reads it. */
export interface GoogleRequest {
  /** Only `validate` reads it: from Gemini 3 on, calls need a signature. */
  readonly model?: string | undefined;
  readonly systemInstruction?: SystemInstruction | undefined;
  readonly contents: readonly GoogleContent[];
}

/** A text, a part, a list of these, or a whole content. */
export type SystemInstruction = string | GoogleContent | GooglePart | (string | GooglePart)[];

/** One message. Fields that are not listed here are carried through. */
export interface GoogleContent {
  /** @default 'user' */
  role?: string;
  parts?: GooglePart[];
}

/** A part with one kind of data. Fields that are not listed here are carried through. */
export interface GooglePart {
  text?: string;
  /** True if the model reasons in this part. */
  thought?: boolean;
  /** What the model thought before this part, encrypted; base64. */
  thoughtSignature?: string;
  functionCall?: GoogleFunctionCall;
  functionResponse?: GoogleFunctionResponse;
  inlineData?: GoogleBlob;
  fileData?: GoogleFileData;
  executableCode?: { code?: string; id?: string };
  codeExecutionResult?: { output?: string; id?: string };
  toolCall?: { id?: string; args?: Record<string, unknown> };
  toolResponse?: { id?: string; response?: Record<string, unknown> };
  partMetadata?: Record<string, unknown>;
}

interface GoogleFunctionCall {
  id?: string;
  name?: string;
  args?: Record<string, unknown>;
}

interface GoogleFunctionResponse {
  id?: string;
  name?: string;
  response?: Record<string, unknown>;
  parts?: { inlineData?: GoogleBlob; fileData?: GoogleFileData }[];
}

/** `data` is base64. */
interface GoogleBlob {
  data?: string;
  mimeType?: string;
  displayName?: string;
}

interface GoogleFileData {
  fileUri?: string;
  mimeType?: string;
  displayName?: string;
}
