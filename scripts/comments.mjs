/** The block comments of a text, each with its place. What looks like one inside a string counts as one. */
export function blockComments(text) {
  const comments = [];
  for (let start = text.indexOf('/*'); start >= 0; start = text.indexOf('/*', start)) {
    const close = text.indexOf('*/', start + 2);
    if (close < 0) break;
    comments.push({ start, text: text.slice(start, close + 2) });
    start = close + 2;
  }
  return comments;
}

/** A text without its block comments. */
export function withoutComments(text) {
  let end = 0;
  const pieces = blockComments(text).map((comment) => {
    const piece = text.slice(end, comment.start);
    end = comment.start + comment.text.length;
    return piece;
  });
  return pieces.join('') + text.slice(end);
}

/** What a docstring says, without the signs that frame it. */
export function proseOf(comment) {
  const lines = comment.slice(2, -2).split('\n');
  return lines.map((line) => line.trim().replace(/^\*+/, '').trim()).join(' ');
}
