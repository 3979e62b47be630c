/** Folders from the file system's root on that paths must share so that naming them once is worth a line. */
const leastDepth = 3;
/** Folders of a path that are looked at. A limit. */
const mostDepth = 16;
/** What stands around a path in a heading. */
const around = /[\s'"`(),;=:|&<>]+/;

/** The folder that most absolute paths in these texts are in, without a slash at its end; '' if there is none. */
export function rootFolderOf(texts: readonly string[]): string {
  const below = new Map<string, number>();
  let all = 0;
  for (const text of texts) {
    const first = text.split(around).find((word) => word.length > 1 && word.startsWith('/'));
    if (first === undefined) continue;
    all += 1;
    const folders = first.split('/', mostDepth);
    for (let depth = leastDepth; depth < folders.length; depth += 1) {
      const folder = folders.slice(0, depth + 1).join('/');
      below.set(folder, (below.get(folder) ?? 0) + 1);
    }
  }
  let [root, most] = ['', 0];
  for (const [folder, times] of below)
    if (times > 1 && times >= all / 2 && folder.length * times > most)
      [root, most] = [folder, folder.length * times];
  return root;
}

/** A text with its paths written from the root folder on. */
export function withinRoot(text: string, root: string): string {
  if (root === '' || !text.includes(root)) return text;
  return text.replaceAll(`cd ${root} && `, '').replaceAll(`${root}/`, '');
}

/** The line that says so. */
export function rootLine(root: string): string {
  return `paths below ${root}/`;
}
