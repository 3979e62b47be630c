/** Stands in a native conversation for a text that is found nowhere else in it. */
export const unique = '§';
/** The same in base64, where a text is given as data. */
export const uniqueData = '¶';

/** A text that is unique: `zq` and six digits, which base64, a URL, an id and JSON may hold. */
const marks = /zq\d{6}/g;
/** Core's, and that of the assistant in Gemini's form. */
const plainRoles: readonly unknown[] = ['system', 'user', 'assistant', 'tool', 'model'];

/** The same conversation with a text of its own wherever `unique` or `uniqueData` stand. */
export function numbered<T>(template: T): T {
  let count = 0;
  const mark = () => `zq${String(count++).padStart(6, '0')}`;
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(unique, mark).replaceAll(uniqueData, () => btoa(mark()));
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]));
  };
  return filled(template) as T;
}

/**
 * Everything that a JSON value says, and the URL objects in it, whatever its form: each unique text in it, and for other leaves their
 * field and value. What only tells forms apart, such as `type` or `thought: true`, is none of it.
 */
export function valuesOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return valuesOfText(value, key);
  if (key === 'thought' && value === true) return [];
  if (typeof value === 'number' || value === true) return [`${plain(key)}=${value}`];
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, key));
  if (value instanceof URL) return valuesOfText(value.href, key);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => valuesOf(inner, name));
}

function valuesOfText(text: string, key: string): string[] {
  const lines = text.split('\n');
  // A provider may join texts, with a line break between them.
  if (lines.length > 1) return lines.flatMap((line) => valuesOfText(line, key));
  const inner = /^[[{"]/.test(text) || text === 'null' ? parsed(text) : undefined;
  if (inner !== undefined) return valuesOf(inner, key);
  const found = [...text.matchAll(marks), ...decoded(text, key).matchAll(marks)].map(([mark]) => mark);
  if (found.length > 0) return [...found, ...mediaTypeIn(text)];
  if (key === 'type' || key === 'source_type' || (key === 'role' && plainRoles.includes(text))) return [];
  if (key === 'status' && text === 'error') return ['iserror=true'];
  // An empty text says nothing, and a text is plain, whether or not it says so.
  return text === '' || text === 'text/plain' ? [] : [`${plain(key)}=${text}`];
}

/** A data URL says what elsewhere is a field of its own. */
function mediaTypeIn(text: string): string[] {
  const mediaType = /^data:([^;,]+)/i.exec(text)?.[1];
  return mediaType === undefined || mediaType.match(marks) !== null
    ? []
    : valuesOfText(mediaType, 'mediaType');
}

/** Undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string, key: string): string {
  const data = /^data:[^,]*;base64,(.*)$/s.exec(text)?.[1] ?? (key === 'data' || key === 'image' ? text : '');
  try {
    return atob(data);
  } catch {
    return '';
  }
}

/** `is_error` and `isError` are one field, as are `media_type` and `mimeType`; content that is a text may be a list with that text. */
function plain(key: string): string {
  return key === 'content' ? 'text' : key.replaceAll('_', '').toLowerCase().replace(/^mime/, 'media');
}

/** True for a text that is nowhere else, so that it is there or is not. */
export function isUnique(value: string): boolean {
  return value.startsWith('zq');
}
