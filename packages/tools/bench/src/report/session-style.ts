/** The part of the style sheet that steps through a session. */
export const sessionStyle = `
input[type="search"], .push, .more {
  font: inherit; font-size: .9375rem; color: var(--ink); background: var(--surface); padding: .4375rem .625rem;
  border: 1px solid var(--line-strong); border-radius: .375rem; max-width: 100%;
}
.push, .more { cursor: pointer; }
.push:hover, .more:hover, .hit:hover { background: var(--sunken); }
.controls > .finder { flex: 1 1 20rem; min-width: 0; }
.search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
.search .field { flex: 1 1 14rem; }
.hits { list-style: none; margin: .5rem 0 0; padding: 0; max-height: 16rem; overflow: auto; }
.hits:empty { display: none; }
.hit { font: inherit; font-size: .875rem; text-align: left; width: 100%; background: none; border: 0; padding: .375rem .5rem; color: var(--ink); cursor: pointer; display: grid; gap: .125rem; overflow-wrap: anywhere; }
mark { background: var(--accent-soft); color: var(--ink); font-weight: 650; }
.strip-place { margin-top: 1.25rem; min-height: 150px; cursor: pointer; }
.strip { position: relative; }
.needle { position: absolute; left: -1px; top: 18px; bottom: 24px; width: 2px; background: var(--ink); pointer-events: none; }
.stepper { margin-top: .75rem; display: grid; gap: .625rem; }
.stepper-line { display: flex; gap: .75rem; align-items: center; font-size: .9375rem; }
.stepper-line input { flex: 1; min-width: 0; accent-color: var(--accent); height: 1.75rem; }
.stepper-line output { font-variant-numeric: tabular-nums; white-space: nowrap; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
.step-panel { margin-top: 1.25rem; display: grid; gap: 1.25rem; min-width: 0; grid-template-columns: minmax(0, 1fr); }
.step-facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem 1.25rem; margin: 0; }
.step-facts dt { font-size: .8125rem; font-weight: 600; color: var(--ink-soft); display: flex; align-items: center; min-height: 1.5rem; }
.step-facts dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.block { margin: 0; min-width: 0; }
.block h3 { margin-bottom: .375rem; font-size: .9375rem; }
.block.missing { border-left: 4px solid var(--limit); padding-left: .875rem; }
.atoms { margin: .25rem 0 0; padding: 0; list-style: none; display: grid; gap: .5rem; font-size: .875rem; overflow-wrap: anywhere; }
code { font: 400 .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.said-line { display: block; color: var(--ink-soft); }
.link { font: inherit; color: var(--accent); background: none; border: 0; padding: .125rem 0; min-height: 1.5rem; text-decoration: underline; cursor: pointer; }
.message-row, .left-out { margin: 0; border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.125rem; }
.message-row > summary, .left-out > summary {
  display: flex; gap: .625rem; align-items: baseline; width: 100%; color: var(--ink); padding: .375rem 0; font-size: .875rem;
}
.message-row > summary::before, .left-out > summary::before { content: "▸"; color: var(--ink-soft); flex: none; }
.message-row[open] > summary::before, .left-out[open] > summary::before { content: "▾"; }
.message-row > summary:focus-visible, .left-out > summary:focus-visible { outline-offset: -3px; }
.left-out > summary { color: var(--ink-soft); font-style: italic; }
.left-out > .message-row { margin-left: 1.25rem; }
.role { width: .625rem; height: .625rem; border-radius: 2px; flex: none; align-self: center; }
.role-system { background: var(--role-system); } .role-user { background: var(--role-user); }
.role-assistant { background: var(--role-assistant); } .role-tool { background: var(--role-tool); }
.row-label { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.row-tag { font-size: .75rem; font-weight: 650; border: 1px solid var(--line-strong); border-radius: 1rem; padding: 0 .5rem; flex: none; }
.row-tokens { font-variant-numeric: tabular-nums; color: var(--ink-soft); flex: none; }
.message-row > .text { max-height: 26rem; margin-bottom: .625rem; }
.message-row > details { margin: 0 0 .625rem; }
.more { margin-bottom: .5rem; }
`;
