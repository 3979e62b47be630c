/** The outcomes of reads, under the names that dashboards use. */
export interface ReadCounts {
  /** Files that were refused for any reason, without those that are missing or can't be read. */
  readonly file_read_rejected_count: number;
  /** Files that were read with a notice. */
  readonly file_read_warned_count: number;
  /** Calls in which the files together exceeded a limit. */
  readonly batch_read_rejected_count: number;
  readonly file_read_count: number;
  /** Average tokens of a file that was read. */
  readonly avg_file_tokens: number;
  /** The most tokens that the files of one call had together. */
  readonly max_file_tokens_per_read: number;
}

export const noReads: ReadCounts = Object.freeze({
  file_read_rejected_count: 0,
  file_read_warned_count: 0,
  batch_read_rejected_count: 0,
  file_read_count: 0,
  avg_file_tokens: 0,
  max_file_tokens_per_read: 0,
});

/** The counts of both together. */
export function addReads(a: ReadCounts, b: ReadCounts): ReadCounts {
  const files = a.file_read_count + b.file_read_count;
  const tokens = a.file_read_count * a.avg_file_tokens + b.file_read_count * b.avg_file_tokens;
  return {
    file_read_rejected_count: a.file_read_rejected_count + b.file_read_rejected_count,
    file_read_warned_count: a.file_read_warned_count + b.file_read_warned_count,
    batch_read_rejected_count: a.batch_read_rejected_count + b.batch_read_rejected_count,
    file_read_count: files,
    avg_file_tokens: files === 0 ? 0 : tokens / files,
    max_file_tokens_per_read: Math.max(a.max_file_tokens_per_read, b.max_file_tokens_per_read),
  };
}
