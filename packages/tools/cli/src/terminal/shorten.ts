import stringWidth from 'fast-string-width';

/** The share of a shortened text that stays at its beginning: what it is called. Its end, where a path has its file, gets the rest. */
const headShare = 0.4;

/** A text cut in its middle to a number of columns. */
export function shortened(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const characters = [...text];
  const headColumns = Math.floor((columns - 1) * headShare);
  const head = taken(characters, headColumns);
  const tail = taken(characters.reverse(), columns - 1 - stringWidth(head));
  return `${head}…${[...tail].reverse().join('')}`;
}

function taken(characters: readonly string[], columns: number): string {
  let text = '';
  let width = 0;
  for (const character of characters) {
    width += stringWidth(character);
    if (width > columns) break;
    text += character;
  }
  return text;
}
