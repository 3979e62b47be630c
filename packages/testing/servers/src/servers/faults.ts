/** What a server does in place of an answer, or with it. */
export type ServerFault =
  /** An error in the provider's words; `retryAfter` in seconds. */
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: number }
  /** A page, as a proxy or a captive portal shows it. Default status 502. */
  | { readonly type: 'html'; readonly status?: number }
  /** Status 307 to another address. */
  | { readonly type: 'redirect'; readonly to: string }
  /** Nothing more after so many bytes of the answer; the connection stays open. Default 0, not even a status. */
  | { readonly type: 'stall'; readonly afterBytes?: number }
  /** The connection breaks after so many bytes of the answer. Default 0, not even a status. */
  | { readonly type: 'drop'; readonly afterBytes?: number };

export const page =
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';
