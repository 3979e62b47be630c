/** As plain JSON, for a snapshot. */
export interface OverpaidState {
  /** Tokens at the full input price. */
  readonly overpaid: number;
  readonly paidRequests: number;
}

const nothing: OverpaidState = { overpaid: 0, paidRequests: 0 };

/** What requests since the last compression have cost more than compressed ones would have. */
export class Overpaid {
  state: OverpaidState = nothing;

  add(tokens: number): void {
    const { overpaid, paidRequests } = this.state;
    this.state = { overpaid: overpaid + tokens, paidRequests: paidRequests + 1 };
  }

  /** A compression was just paid for, or would not pay. */
  forget(): void {
    this.state = nothing;
  }
}
