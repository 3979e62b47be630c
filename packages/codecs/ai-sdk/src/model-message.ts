/**
 * A message as `generateText`, `streamText` and `prepareStep` take it, in the forms of versions 5 to 7 of the AI SDK. The `ModelMessage` of
 * each version is one.
 */
export type AnyModelMessage =
  | SystemModelMessage
  | UserModelMessage
  | AssistantModelMessage
  | ToolModelMessage;

/** What a provider reads besides a message or part, such as where to set a cache breakpoint. */
type ProviderOptions = Readonly<Record<string, object>>;

interface Optioned {
  readonly providerOptions?: ProviderOptions | undefined;
}

export interface SystemModelMessage extends Optioned {
  readonly role: 'system';
  readonly content: string;
}

export interface UserModelMessage extends Optioned {
  readonly role: 'user';
  readonly content: string | readonly (TextPart | ImagePart | FilePart)[];
}

interface AssistantModelMessage extends Optioned {
  readonly role: 'assistant';
  readonly content: string | readonly AssistantPart[];
}

export interface ToolModelMessage extends Optioned {
  readonly role: 'tool';
  readonly content: readonly (ToolResultPart | ToolApprovalResponse)[];
}

export type AssistantPart =
  | TextPart
  | FilePart
  | ReasoningPart
  | ReasoningFilePart
  | CustomPart
  | ToolCallPart
  | ToolResultPart
  | ToolApprovalRequest;

/** Base64 data, a data URL, a URL, or bytes. */
type DataContent = string | Uint8Array | ArrayBuffer | URL;

/** What version 7 has in place of bare data. */
type TaggedData =
  | { readonly type: 'data'; readonly data: string | Uint8Array | ArrayBuffer }
  | { readonly type: 'url'; readonly url: URL; readonly originalUrl?: string | undefined }
  | { readonly type: 'reference'; readonly reference: ProviderReference }
  | { readonly type: 'text'; readonly text: string };

/** The ids that providers have for an uploaded file. */
type ProviderReference = Readonly<Record<string, string>>;

export interface TextPart extends Optioned {
  readonly type: 'text';
  readonly text: string;
}

interface ImagePart extends Optioned {
  readonly type: 'image';
  readonly image: DataContent | ProviderReference;
  readonly mediaType?: string | undefined;
}

export interface FilePart extends Optioned {
  readonly type: 'file';
  readonly data: DataContent | TaggedData | ProviderReference;
  readonly mediaType: string;
  readonly filename?: string | undefined;
}

interface ReasoningPart extends Optioned {
  readonly type: 'reasoning';
  readonly text: string;
}

interface ReasoningFilePart extends Optioned {
  readonly type: 'reasoning-file';
  readonly data: DataContent | TaggedData;
  readonly mediaType: string;
}

interface CustomPart extends Optioned {
  readonly type: 'custom';
  readonly kind: string;
}

export interface ToolCallPart extends Optioned {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** The provider runs it, and its result stands in the same message. */
  readonly providerExecuted?: boolean | undefined;
}

interface ToolResultPart extends Optioned {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolResultOutput;
}

type ToolResultOutput =
  | (Optioned & { readonly type: 'text' | 'error-text'; readonly value: string })
  | (Optioned & { readonly type: 'json' | 'error-json'; readonly value: unknown })
  | (Optioned & { readonly type: 'execution-denied'; readonly reason?: string | undefined })
  | (Optioned & { readonly type: 'content'; readonly value: readonly ToolOutputPart[] });

type ToolOutputPart =
  | TextPart
  | (Optioned & {
      readonly type: 'media' | 'image-data' | 'file-data';
      readonly data: string;
      readonly mediaType: string;
      readonly filename?: string | undefined;
    })
  | (Optioned & {
      readonly type: 'file';
      readonly data: TaggedData;
      readonly mediaType: string;
      readonly filename?: string | undefined;
    })
  | (Optioned & {
      readonly type: 'image-url' | 'file-url';
      readonly url: string;
      readonly mediaType?: string | undefined;
    })
  | (Optioned & {
      readonly type: 'file-id' | 'image-file-id';
      readonly fileId: string | Readonly<Record<string, string>>;
    })
  | (Optioned & {
      readonly type: 'file-reference' | 'image-file-reference';
      readonly providerReference: ProviderReference;
    })
  | (Optioned & { readonly type: 'custom' });

interface ToolApprovalRequest {
  readonly type: 'tool-approval-request';
  readonly approvalId: string;
  readonly toolCallId: string;
}

interface ToolApprovalResponse extends Optioned {
  readonly type: 'tool-approval-response';
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string | undefined;
  readonly providerExecuted?: boolean | undefined;
}
