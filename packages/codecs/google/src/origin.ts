import type { GoogleContent, GoogleRequest } from './content.js';

/** A content, or a system instruction in any of its forms. */
export type Native = GoogleContent | NonNullable<GoogleRequest['systemInstruction']>;

/** The value on `Message.native`. */
export interface Origin {
  readonly message: Native;
  readonly system?: true;
  /** Positions of the message's parts, if the other parts belong to another message. */
  readonly parts?: readonly number[];
  /** The ids of the calls that the parts make or answer; an empty one for any other part. Missing if no part needs one. */
  readonly ids?: readonly string[];
  /** True if the content before it was the model's too: the history had them so. */
  readonly continues?: true;
}
