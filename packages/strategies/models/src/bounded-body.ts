/**
 * Reads the text of a body, up to a number of bytes, and does not wait for the rest.
 * @throws the error with which the stream fails
 */
export async function boundedText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (body === null) return { text: '', isWhole: true };
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const pieces: string[] = [];
  try {
    for (let left = maxBytes; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(decoder.decode(value.subarray(0, left), { stream: true }));
      left -= value.length;
      if (left < 0) return { text: pieces.join(''), isWhole: false };
    }
    return { text: pieces.join('') + decoder.decode(), isWhole: true };
  } finally {
    await reader.cancel().catch(() => {});
  }
}
