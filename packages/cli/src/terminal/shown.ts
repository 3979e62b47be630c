/** Line feeds and tabs stay; everything else that a terminal could take for a command, or that turns text around, goes. */
const unseen = /[^\P{C}\n\t]/gu;

/** A text of a session, safe to print. */
export function shownText(text: string): string {
  return text.replace(unseen, ' ');
}

/** The same in one line. */
export function shownLine(text: string): string {
  return shownText(text).replace(/\s+/g, ' ').trim();
}

/** `48,643` */
export function figure(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `12 %`, and `< 1 %` for what is there but rounds to nothing. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '< 1 %';
  return `${Math.round(share * 100)} %`;
}

/** `1 message`, `2 messages` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}
