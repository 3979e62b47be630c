import type { Fields } from '@ctx/core/codec';

/** A request that is answered with the provider's error. */
export class Refusal extends Error {
  /** What is wrong: `invalid` breaks a rule of the conversation, `overflow` is too long, `other` is everything else. */
  readonly kind: 'invalid' | 'overflow' | 'other';
  readonly status: number;
  readonly body: Fields;
  readonly headers: Record<string, string>;

  constructor(
    kind: Refusal['kind'],
    status: number,
    message: string,
    body: Fields,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}
