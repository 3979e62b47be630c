/** The picture of the README: a bar for each candidate, with its points in the exam. */

/** What one part of the drawing takes, in px. */
const width = 760;
const row = 34;
const top = 84;
const labels = 250;
const scale = (width - labels - 110) / 100;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function bar({ label, value, text, isOurs }, at) {
  const y = top + at * row;
  const length = (value * scale).toFixed(1);
  return `  <text class="${isOurs ? 'ours' : 'label'}" x="${labels - 12}" y="${y + 16}" text-anchor="end">${escaped(label)}</text>
  <rect class="${isOurs ? 'bar-ours' : 'bar'}" x="${labels}" y="${y}" width="${length}" height="22" rx="3"/>
  <text class="${isOurs ? 'ours' : 'label'}" x="${(labels + 8 + value * scale).toFixed(1)}" y="${y + 16}">${text}</text>`;
}

/**
 * Draws bars as SVG, readable in light and dark: it has a background of its own, and follows the colour scheme of the reader.
 * `bars` are `{ label, value, text, isOurs }`, with values from 0 to 100 and what is written beside them.
 */
export function picture({ title, subtitle, bars }) {
  const height = top + bars.length * row + 14;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
  <style>
    text { font: 15px system-ui, -apple-system, 'Segoe UI', sans-serif; }
    .card { fill: #ffffff; stroke: #d0d7de; }
    .title { font-size: 18px; font-weight: 600; fill: #1f2328; }
    .label { fill: #59636e; }
    .ours { fill: #1f2328; font-weight: 600; }
    .bar { fill: #afb8c1; }
    .bar-ours { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d; }
      .title, .ours { fill: #f0f6fc; }
      .label { fill: #9198a1; }
      .bar { fill: #3d444d; }
      .bar-ours { fill: #4493f8; }
    }
  </style>
  <rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
  <text class="title" x="24" y="36">${escaped(title)}</text>
  <text class="label" x="24" y="60">${escaped(subtitle)}</text>
${bars.map(bar).join('\n')}
</svg>
`;
}
