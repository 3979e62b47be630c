/** Letters, digits and `_`, apart from the letters of scripts without spaces: Thai, Lao, Burmese, Khmer, Chinese and Japanese. */
const letter = String.raw`[\w\u00c0-\u060b\u060d-\u061a\u0620-\u0963\u0966-\u0dff\u10a0-\u177f\u1800-\u1fff\u2c00-\u2dff\ua4d0-\ud7ff]`;

/** The kinds of tokens, the first that fits. Each takes linear time, because no repetition contains what may follow it. */
const alternatives = [
  // A quote.
  /"[^"\n]+"/,
  /`[^`\n]+`/,
  /“[^“”\n]+”/,
  /„[^„“”\n]+[“”]/,
  /«[^«»\n]+»/,
  // An escape in a string literal, the colour of a terminal, or the beginning of a closing tag.
  /\\(?:[nrt]|u[\dA-Fa-f]{4})|\[\d[\d;]*[mK]|<\//,
  // A path of Windows.
  /[A-Z]:\\[\w.\\-]+/,
  // A number, a date, a time, a version, and what begins with them.
  new RegExp(String.raw`\d(?:[-./@]?${letter}|[:,年月]\d)*`),
  // A word, a compound, a path or a URL.
  new RegExp(
    String.raw`(?:\.{0,2}\/|[@~]\/?)?${letter}+(?::\/\/[^\s"'<>(){}[\]|^\\]+|(?:(?:[-./@+]+|::)${letter}+)*)`,
  ),
  // Text in a script without spaces, as much as is divided at once.
  /(?:[\u0e00-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3040-\ua4cf\uf900-\ufaff\uff66-\uff9f]|[\ud840-\ud87f][\udc00-\udfff]){1,128}/,
  // A mark that ends a sentence.
  /[.!?;:,\n。！？]/,
];

/** Matches the tokens of a text. */
export const tokenPattern = new RegExp(alternatives.map(({ source }) => source).join('|'), 'g');
