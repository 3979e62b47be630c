import { type ContextManager, messageText } from '@ctx/core';

const handle = /#m\d+(?::\d+(?:-\d+)?|-#m\d+)?/g;

/** The handles that a view shows and nobody said: those of excerpts, shortened parts and the marker. */
export function handlesShown(manager: Pick<ContextManager, 'transcript' | 'view'>): string[] {
  const said = new Set(manager.transcript.map(({ message }) => message));
  const spoken = new Set([...said].flatMap((message) => messageText(message).match(handle) ?? []));
  const made = manager.view().filter((message) => !said.has(message));
  const shown = made.flatMap((message) => messageText(message).match(handle) ?? []);
  return [...new Set(shown)].filter((ref) => !spoken.has(ref));
}

/** What is wrong with the handles of a manager's view: each must be answered with what was said. Needs an archive. */
export async function handleProblems(manager: ContextManager): Promise<string[]> {
  const problems: string[] = [];
  const { transcript } = manager;
  for (const ref of handlesShown(manager)) {
    const [first = 0, last = first] = [...ref.matchAll(/m(\d+)/g)].map(([, number]) => Number(number));
    try {
      const passages = await manager.read(ref);
      const right = passages.every(({ message }) => message >= first && message <= last);
      const said = transcript
        .slice(first - 1, last)
        .map(({ message }) => messageText(message))
        .join('\n');
      const isSaid = passages.some(({ text, kind }) => kind === 'call' || said.includes(text.trim()));
      if (!right || !isSaid) problems.push(`${ref} is answered with something else`);
    } catch (error) {
      problems.push(`${ref} is not answered: ${error}`);
    }
  }
  return problems;
}
