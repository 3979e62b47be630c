/** px that a letter of 11 px takes on average, and the room on either side of a text. */
const letter = 6.6;
const room = 8;
const height = 20;

const widthOf = (text) => Math.round(text.length * letter + 2 * room);

/** Draws what a badge says, as SVG in two halves: what it is about, and what is so. */
export function badge(about, value) {
  const [left, right] = [widthOf(about), widthOf(value)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + right} ${height}" width="${left + right}" height="${height}" role="img" aria-label="${about}: ${value}">
  <clipPath id="edge"><rect width="${left + right}" height="${height}" rx="3"/></clipPath>
  <g clip-path="url(#edge)">
    <rect width="${left}" height="${height}" fill="#444d56"/>
    <rect x="${left}" width="${right}" height="${height}" fill="#0969da"/>
  </g>
  <g fill="#ffffff" font-family="Verdana, 'DejaVu Sans', sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${about}</text>
    <text x="${left + right / 2}" y="14">${value}</text>
  </g>
</svg>
`;
}
