/** As plain JSON, for a snapshot. */
export interface OverpaidState {
  /** Tokens at the full input price. */
  readonly overpaid?: number | undefined;
  readonly paidRequests?: number | undefined;
}

/** What the requests since the last compression have cost more than compressed ones would have. */
export class Overpaid {
  /** Tokens at the full input price. */
  tokens = 0;
  requests = 0;

  add(tokens: number): void {
    this.tokens += tokens;
    this.requests += 1;
  }

  /** Begins again from zero, because a compression was just paid for, or would not pay. */
  forget(): void {
    this.tokens = 0;
    this.requests = 0;
  }

  get state(): OverpaidState {
    return { overpaid: this.tokens, paidRequests: this.requests };
  }

  resume({ overpaid = 0, paidRequests = Number.MAX_SAFE_INTEGER }: OverpaidState): void {
    this.tokens = overpaid;
    // Snapshots of before do not say how many.
    this.requests = paidRequests;
  }
}
