const failure =
  /\b(?:errors?|fail(?:ed|ures?|s|ing)?|fatal|panic(?:ked)?|exception|traceback|assertion|undefined (?:reference|symbol)|not found|no such file|denied|refused|timed out|segmentation fault|aborted|killed|unexpected|expected|cannot)\b|[✗✘✕❌]|\bE\d{3,5}\b|\w(?:Error|Exception)\b/i;
const success = /\b(?:0|no|without) (?:errors?|failures?|failed)\b/i;

/** True for a line that reports a failure, such as `error[E0308]: mismatched types`. */
export function reportsFailure(line: string): boolean {
  return failure.test(line) && !success.test(line);
}
