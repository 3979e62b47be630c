import { escapeXml } from './render.js';

/** The known facts about a file that is too large; `lines` only if they were counted. */
interface LargeFile {
  readonly estimatedTokens: number;
  readonly lines?: number | undefined;
}

/** Number of lines that have about `maxTokens` tokens; 0 if a single line has more. Undefined if the number of lines is unknown. */
export function chunkLines({ estimatedTokens, lines }: LargeFile, maxTokens: number): number | undefined {
  if (lines === undefined) return undefined;
  const share = maxTokens / estimatedTokens;
  return share < 1 ? Math.floor(share * lines) : lines;
}

/** How to read a file that has too many tokens, as the text of a tool result. */
export function chunkAdvice(file: LargeFile, maxTokens: number): string {
  const { estimatedTokens, lines } = file;
  return [
    `File has too many tokens: ~${estimatedTokens} (max ${maxTokens}).`,
    `Suggestions:\n${rangeAdvice(chunkLines(file, maxTokens), maxTokens)}`,
    '2. Or search for specific content using search_files tool instead',
    ...(lines === undefined ? [] : [`Total lines in file: ${lines}`]),
  ].join('\n\n');
}

function rangeAdvice(chunk: number | undefined, maxTokens: number): string {
  if (chunk === 0) return sliceAdvice(maxTokens);
  if (chunk === undefined) return '1. Read specific sections using line_range';
  return `1. Read specific sections using line_range:
   - First ${chunk} lines: <line_range>1-${chunk}</line_range>
   - Middle section: <line_range>${chunk + 1}-${chunk * 2}</line_range>`;
}

/** The advice if a single line is too long. It assumes three characters per token, because minified code has more tokens than prose. */
function sliceAdvice(maxTokens: number): string {
  const slice = Math.max(1, Math.floor(maxTokens * 3));
  return `1. Its lines are too long for line_range. Read slices of at most ${slice} characters instead:
   - First slice: characters 1-${slice}
   - Second slice: characters ${slice + 1}-${slice * 2}`;
}

/** How to read a file that is too large in bytes. Unknown facts are skipped. */
export function sizeAdvice(
  { path, sizeInMB, ...file }: LargeFile & { readonly path: string; readonly sizeInMB: number },
  limits: { readonly singleFileMaxMB: number; readonly singleFileMaxTokens: number },
): string {
  const chunk = chunkLines(file, limits.singleFileMaxTokens);
  const ranges = `1. Use line_range to read specific sections:
   <read_file>
     <args>
       <file>
         <path>${escapeXml(path)}</path>
         <line_range>1-${Math.min(500, chunk ?? 500)}</line_range>
       </file>
     </args>
   </read_file>`;
  const info = [
    ...(file.lines === undefined ? [] : [`- Total lines: ${file.lines}`]),
    `- Estimated tokens: ~${file.estimatedTokens}`,
    ...(chunk === undefined || chunk === 0 ? [] : [`- Suggested chunk size: ${chunk} lines per read`]),
  ];
  return `File too large: ${sizeInMB.toFixed(2)}MB (max ${limits.singleFileMaxMB}MB)

This file exceeds the maximum allowed size for reading. To read this file:

${chunk === 0 ? sliceAdvice(limits.singleFileMaxTokens) : ranges}

2. Or use search_files to find specific content

File info:
${info.join('\n')}`;
}
