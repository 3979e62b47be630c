/** "GIF89a", one pixel by one, black and white; then the start of a comment. */
const header = [
  0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x21, 0xfe,
];

/** The image, a white pixel, and the end of the file. */
const pixel = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0, 0x3b];

/** Longer comments are split into blocks of this many bytes. Source: GIF89a, "Comment Extension". */
const blockSize = 255;

/**
 * A white image of one pixel that holds a text in its comment. The output of a computer call has to be a screenshot; this one is what is
 * left of it when an edit takes it away. The model sees a blank image, and the text is not lost.
 */
export function blankScreenshot(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const comment: number[] = [];
  for (let at = 0; at < bytes.length; at += blockSize) {
    const block = bytes.subarray(at, at + blockSize);
    comment.push(block.length, ...block);
  }
  return `data:image/gif;base64,${btoa(binary([...header, ...comment, 0, ...pixel]))}`;
}

/** The text in the comment of such an image; undefined for any other. */
export function textOfBlank(url: string): string | undefined {
  const data = /^data:image\/gif;base64,(.*)$/s.exec(url)?.[1];
  if (data === undefined || !data.startsWith(btoa(binary(header)))) return undefined;
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const text: number[] = [];
  let at = header.length;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) {
    text.push(...bytes.subarray(at + 1, at + 1 + size));
    at += 1 + size;
  }
  return new TextDecoder().decode(Uint8Array.from(text));
}

function binary(bytes: readonly number[]): string {
  return bytes.map((byte) => String.fromCharCode(byte)).join('');
}
