/** The section of an extracted summary that a line belongs to. */
export type Section = 'earlier' | 'asked' | 'done' | 'found' | 'files' | 'ran' | 'seen';

export const headings: Readonly<Record<Section, string>> = {
  earlier: 'From the summary before',
  asked: 'What the user said',
  done: 'What was done and decided',
  found: 'What tools returned',
  files: 'Files',
  ran: 'Commands',
  seen: 'What went wrong',
};
export const sections = Object.keys(headings) as Section[];

/** The lines of an extracted summary with their sections. A line that was not extracted has the section `earlier`. */
export function linesOfSummary(text: string): { readonly section: Section; readonly line: string }[] {
  const lines: { section: Section; line: string }[] = [];
  let section: Section = 'earlier';
  for (const line of text.split('\n')) {
    const heading = /^#{2,6}\s(.*)$/.exec(line)?.[1]?.trim();
    if (heading !== undefined) section = sections.find((one) => headings[one] === heading) ?? 'earlier';
    const last = lines.at(-1);
    if (heading !== undefined || line.trim() === '') continue;
    if (/^ {2}\S?/.test(line) && last?.line.startsWith('- (#')) last.line += `\n${line}`;
    else lines.push({ section: line.startsWith('- (#') ? section : 'earlier', line });
  }
  return lines;
}
