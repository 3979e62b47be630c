/**
 * A pipeline that writes a summary and never fails: condense, smart truncation, a sliding window of 20, 3, then 1 message. If a stage
 * fails or falls short, the next one runs, and core's last resort follows them all.
 */
export const ladder: readonly string[] = ['condense', 'smart-truncation', 'sliding-window'];
