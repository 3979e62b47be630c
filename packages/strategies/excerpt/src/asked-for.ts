import { argumentsOf } from './call-title.js';
import type { Section } from './sections.js';

/** UTF-16 units of the shortest command or file name that is looked for in what the user said. A limit. */
const shortestName = 6;

/**
 * Says of a call whether the user told the agent to make it: whether its command, or the name of the file that it reads, is in what a person
 * said. Its result is as good as the user's own words: `Work on ISSUE-7. Run tracker show ISSUE-7.`
 */
export function askedForBy(
  sections: readonly Section[],
): (section: Section, file: string | undefined) => boolean {
  // A text that is said again and again, such as a checkpoint, is looked through once.
  const texts = sections
    .flatMap(({ kind, isBrought, blocks }) => (kind === 'user' && isBrought !== true ? blocks : []))
    .flatMap(({ text }) => text.split('\n'));
  const said = [...new Set(texts)].join('\n');
  const known = new Map<Section, boolean>();
  return (section, file) => {
    const { call } = section;
    const command = (call && argumentsOf(call).main)?.trim() ?? '';
    const name = file?.split(/[\\/]/).at(-1) ?? command;
    const isAsked = known.get(section) ?? (name.length >= shortestName && said.includes(name));
    known.set(section, isAsked);
    return isAsked;
  };
}
