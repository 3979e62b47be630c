/**
 * Returns a function that gives every spelling of a path the same form: relative to the root if it is inside, with `/`
 * between segments, and without `.`, `..` or a slash at the end. A path outside the root keeps its own root. A value
 * that is not a path becomes ''. Relative paths start at the root. Each path is normalised once.
 * @param root absolute path of the project, POSIX or Windows; without it, absolute paths stay absolute
 */
export function pathNormalizer(root = ''): (path: string) => string {
  const base = parse(root);
  const known = new Map<string, string>();
  return (path) => {
    let normal = known.get(path);
    if (normal === undefined) {
      normal = normalize(path, base);
      known.set(path, normal);
    }
    return normal;
  };
}

interface ParsedPath {
  /** '' for a relative path, `/`, `//`, or a drive such as `f:/`. */
  readonly anchor: string;
  readonly segments: readonly string[];
}

function normalize(path: unknown, base: ParsedPath): string {
  if (typeof path !== 'string' || path.trim() === '' || path.includes('\0')) return '';
  const own = parse(path);
  const anchored =
    own.anchor === '' && base.anchor !== ''
      ? { anchor: base.anchor, segments: resolved([...base.segments, ...own.segments], true) }
      : own;
  const inside =
    anchored.anchor === base.anchor &&
    base.segments.every((segment, index) => segment === anchored.segments[index]);
  if (inside && base.anchor !== '') return anchored.segments.slice(base.segments.length).join('/') || '.';
  return anchored.anchor + anchored.segments.join('/') || '.';
}

function parse(path: string): ParsedPath {
  const unified = path.replaceAll('\\', '/');
  const drive = /^([a-z]):\//i.exec(unified)?.[1];
  const anchor =
    drive === undefined ? (/^\/\/(?=[^/])|^\//.exec(unified)?.[0] ?? '') : `${drive.toLowerCase()}:/`;
  return { anchor, segments: resolved(unified.slice(anchor.length).split('/'), anchor !== '') };
}

/** Removes empty segments, `.`, and each `..` together with the segment before it. A `..` at the anchor stays at the anchor. */
function resolved(segments: readonly string[], anchored: boolean): string[] {
  const out: string[] = [];
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') out.push(segment);
    else if (out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (!anchored) out.push('..');
  }
  return out;
}
