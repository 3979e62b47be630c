/** Brackets that are open at once. What people write has some dozens; a parser's stack bears a few thousand. */
const mostOpen = 500;

/**
 * Whether more brackets are open at once than any code has. A parser takes time in proportion to the square of their number,
 * or overflows its stack, which no later parse would survive. Strings and comments are not told apart.
 */
export function isNestedTooDeep(text: string): boolean {
  let open = 0;
  let angles = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 40: // (
      case 91: // [
      case 123: // {
        open += 1;
        break;
      case 41: // )
      case 93: // ]
      case 125: // }
        if (open > 0) open -= 1;
        angles = 0;
        break;
      case 60: // <
        angles += 1;
        break;
      case 62: // >
        if (angles > 0) angles -= 1;
        break;
      case 59: // ; ends what could be a comparison
        angles = 0;
        break;
    }
    if (open > mostOpen || angles > mostOpen) return true;
  }
  return false;
}
