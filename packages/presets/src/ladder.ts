/**
 * A pipeline that writes a summary and never fails: condense, smart truncation, a sliding window of 20, 3, then 1 message. Whatever
 * becomes of a stage, the next one runs, and core's last resort stands behind them.
 */
export const ladder: readonly string[] = ['condense', 'smart-truncation', 'sliding-window'];
