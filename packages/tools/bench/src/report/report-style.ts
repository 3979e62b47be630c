/** The page's style sheet. Colours that carry a meaning are variables, so that they follow the scheme. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --page: #f7f8fa; --surface: #ffffff; --sunken: #f1f3f6; --line: #d9dee6; --line-strong: #8a94a3;
  --ink: #1b2330; --ink-soft: #566173; --accent: #2457a6; --accent-soft: #e8effa; --best: #0f6b4f;
  --best-soft: #e4f4ee; --focus: #b4318b; --limit: #b3261e; --grid: #e6e9ef;
  --kept: #4f79b3;
  --role-system: #2f3b4e; --role-user: #c0561f; --role-assistant: #5c6a7f; --role-tool: #8b95a4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151b; --surface: #181d25; --sunken: #202731; --line: #323b48; --line-strong: #78849a;
    --ink: #e9edf3; --ink-soft: #a9b4c4; --accent: #8fb8f5; --accent-soft: #223046; --best: #6ed3ad;
    --best-soft: #17342b; --focus: #ff8ad4; --limit: #ff9089; --grid: #2a323e;
    --kept: #7ba6de;
    --role-system: #dfe6f0; --role-user: #f09a66; --role-assistant: #8c99ad; --role-tool: #647187;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.wrap { max-width: 84rem; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2.5rem); }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; }
h2 { margin: 0 0 .375rem; font-size: 1.3125rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 1rem; line-height: 1.4; font-weight: 650; }
.tag { font-size: .8125rem; line-height: 1.4; font-weight: 600; color: var(--ink-soft); }
p { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.skip {
  position: absolute; left: 1rem; top: -6rem; z-index: 10; padding: .625rem 1rem; background: var(--surface);
  border: 1px solid var(--line-strong); border-radius: .375rem;
}
.skip:focus { top: 1rem; }
.top { background: var(--surface); border-bottom: 1px solid var(--line); padding: 2rem 0 1.25rem; }
.facts { margin-top: .375rem; color: var(--ink-soft); font-size: .9375rem; font-variant-numeric: tabular-nums; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1rem 0 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .25rem 0; font-size: .9375rem; }
main { padding-bottom: 5rem !important; }
section { padding-top: 3rem; }
.lead, .note { color: var(--ink-soft); max-width: 56rem; text-wrap: pretty; }
.note { font-size: .875rem; }
.empty {
  margin-top: 1rem; padding: 1rem 1.25rem; border: 1px dashed var(--line-strong); border-radius: .5rem;
  background: var(--surface); color: var(--ink-soft);
}
.card {
  margin-top: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: .625rem;
  padding: 1.25rem; min-width: 0;
}
.visually-hidden {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}

.scroll { overflow-x: auto; max-width: 100%; position: relative; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; font-weight: 650; padding: 0 0 .625rem; }
caption .note { display: block; font-weight: 400; }
th, td { padding: .4375rem .5rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
thead th { border-bottom-color: var(--line-strong); padding: 0; vertical-align: bottom; font-weight: 600; }
.head { display: flex; align-items: center; }
.figure .head { justify-content: flex-end; }
tbody tr:last-child > * { border-bottom: 0; }
tbody tr:hover > * { background: var(--sunken); }
tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 11rem; max-width: min(18rem, 44vw); font-weight: 550; position: sticky; left: 0; background: var(--surface); }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
.error { color: var(--ink-soft); font-size: .8125rem; font-weight: 400; }
.best { font-weight: 700; color: var(--best); }
.best-sign { display: inline-block; width: 1.25em; padding-left: .25em; text-align: left; }
.sort {
  font: inherit; font-size: .8125rem; color: var(--ink-soft); background: none; border: 0; cursor: pointer;
  padding: .5rem .125rem .5rem .5rem; display: flex; gap: .25rem; align-items: baseline; text-align: inherit; max-width: 8rem; white-space: normal;
}
.sort:hover { color: var(--ink); background: var(--sunken); }
.sort:focus-visible { outline-offset: -3px; }
[aria-sort] .sort { color: var(--ink); }
.sort-sign { width: 1em; flex: none; text-align: center; }
.what {
  font: 600 .6875rem/1 system-ui, sans-serif; flex: none; width: 1.5rem; height: 1.5rem; padding: 0; border: 0; border-radius: 50%;
  background: none; color: var(--accent); cursor: help; display: inline-grid; place-items: center;
}
.what::after { content: ""; position: absolute; width: 1rem; height: 1rem; border: 1px solid currentColor; border-radius: 50%; }
.what:hover { background: var(--accent-soft); }
.figure .what { margin-right: .5rem; }
.tip {
  position: fixed; z-index: 20; max-width: min(24rem, calc(100vw - 1rem)); padding: .625rem .75rem; background: var(--ink);
  color: var(--surface); border-radius: .375rem; font-size: .875rem; line-height: 1.45; box-shadow: 0 4px 20px rgb(0 0 0 / .3);
}
.tip b::first-letter { text-transform: uppercase; }
.tip b::after { content: ":"; }
.tip[hidden] { display: none; }
.headline { margin-top: 1rem; font-size: 1.25rem; line-height: 1.4; font-weight: 600; max-width: 60rem; text-wrap: pretty; overflow-wrap: anywhere; }
.found { margin-top: .5rem; max-width: 60rem; text-wrap: pretty; overflow-wrap: anywhere; }
.controls.above { margin-bottom: 1rem; }

.controls { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; align-items: start; }
.field { display: flex; flex-direction: column; gap: .25rem; min-width: 0; max-width: 100%; }
.field label, legend { font-size: .8125rem; font-weight: 600; color: var(--ink-soft); padding: 0; }
select {
  font: inherit; font-size: .9375rem; color: var(--ink); background: var(--surface); padding: .4375rem .625rem;
  border: 1px solid var(--line-strong); border-radius: .375rem; max-width: 100%; min-width: 9rem;
}

.plot { display: block; max-width: none; overflow: visible; }
.plot { font: 400 12px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; font-variant-numeric: tabular-nums; }
.plot text { fill: var(--ink-soft); }
.text {
  margin: 0; padding: .625rem .75rem; max-height: 13rem; overflow: auto; background: var(--surface);
  border: 1px solid var(--line); border-radius: .375rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 400 .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
details { margin-top: 1rem; }
summary { cursor: pointer; font-size: .9375rem; color: var(--accent); width: max-content; max-width: 100%; padding: .25rem 0; }
details .scroll { margin-top: .5rem; }
@media (max-width: 67.99rem) {
  .text { max-height: 9rem; }
}
@media (max-width: 40rem) {
  h1 { font-size: 1.4375rem; }
  h2 { font-size: 1.1875rem; }
  section { padding-top: 2.25rem; }
  .card { padding: 1rem; }
  .top { padding-top: 1.5rem; }
  .headline { font-size: 1.125rem; }
  .figures table, .figures caption, .figures thead, .figures tbody { display: block; }
  .figures tr { display: flex; flex-wrap: wrap; gap: 0 .875rem; padding: .4375rem 0; border-bottom: 1px solid var(--line); }
  .figures th, .figures td { display: block; border: 0; padding: 0; white-space: normal; text-align: left; max-width: none; }
  .figures thead tr { gap: 0; border-bottom-color: var(--line-strong); }
  .figures tbody th { flex: 1 0 100%; position: static; }
  .figures td::before { content: attr(data-label) " "; color: var(--ink-soft); font-size: .8125rem; font-weight: 400; }
  .figures .sort { padding: .375rem .125rem .375rem 0; }
  .figures .what { margin-right: .5rem; }
  .figures .best-sign { width: auto; }
  .figures .best-sign:empty { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
  .sort, .skip { transition: background-color .12s, color .12s, top .12s; }
}
`;
