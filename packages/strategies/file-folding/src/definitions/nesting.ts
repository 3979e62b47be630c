/** The most brackets that may be open at once. Code by people has a few dozen; the stack of a parser holds a few thousand. */
const mostOpen = 500;

/**
 * Whether more brackets are open at once than in any real code. The time of a parser grows with the square of their number, or its stack
 * overflows, after which no other text can be parsed. Also counts brackets in strings and comments.
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
