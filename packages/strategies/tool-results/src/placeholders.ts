/** The texts that replace cleared results, unless the options give others. */
export const placeholders = {
  reads: '[An older read of this file was cleared: see its newest read]',
  terminal: '[The output of this command is out of date and was cleared]',
  duplicates: '[Same result as that of the same call further down]',
  superseded: '[The file was changed after this read]',
} as const;

/** The placeholders for `agent: 'snow'`: Snow's exact texts where it has any. */
export const snowPlaceholders = {
  ...placeholders,
  reads: '[该文件的历史读取内容已压缩,请参看最新读取结果]',
  terminal: '此命令返回内容已过时',
} as const;
