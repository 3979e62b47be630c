import type { Plan, PlanContext, Steps } from '@ctx/core';
import { agentOf } from './agents.js';
import { Clearing } from './clearing.js';
import { clearDuplicates } from './duplicates.js';
import { cutGiants } from './giants.js';
import type { ReadTool, ToolResultsOptions } from './options.js';
import { clearOutdatedReads, type ReadRules, readsOf } from './outdated-reads.js';
import { clearOutdatedTerminal } from './outdated-terminal.js';
import { placeholders, snowPlaceholders } from './placeholders.js';
import { clearSuperseded } from './superseded-results.js';
import { usesOf } from './use.js';

/** The plan of `tool-results`. */
export function* planToolResults(context: PlanContext, options: ToolResultsOptions): Steps<Plan> {
  const { reads, terminal, duplicates, superseded, giants, errorPrefixes, clearAtLeast, root } = options;
  const agent = agentOf(options.agent);
  const clearing = new Clearing(context);
  const uses = yield* usesOf(context);
  const readRules = readRulesOf(options);
  const found = yield* readsOf(uses, readRules);
  const { cleared } = readRules;

  if (superseded !== false) {
    const { tools = agent.writes, placeholder = agent.placeholders.superseded } = superseded;
    const rules = { tools, placeholder, errorPrefixes, cleared, root };
    yield* clearSuperseded({ uses, reads: found.reads }, rules, clearing);
  }
  if (terminal !== false) {
    const { tools = agent.terminal, placeholder = agent.placeholders.terminal } = terminal;
    yield* clearOutdatedTerminal(uses, { ...terminal, tools, placeholder, errorPrefixes, cleared }, clearing);
  }
  if (duplicates !== false) {
    const leaves = new Set(duplicates.includeReads ? [] : found.reads.map(({ use }) => use));
    const { placeholder = agent.placeholders.duplicates } = duplicates;
    yield* clearDuplicates(uses, { placeholder, errorPrefixes, leaves, cleared }, clearing);
  }
  const paths = reads === false ? {} : yield* clearOutdatedReads(found, readRules, clearing);
  if (giants !== false) yield* cutGiants(uses, giants, clearing);

  const { counts, freed, edits } = clearing;
  const notes = { ...counts, paths, unextracted: found.unextracted, freed };
  if (edits.length > 0 && freed >= clearAtLeast) return { edits, notes };
  const reason =
    edits.length === 0 ? 'No tool result is out of date' : `Only ${freed} tokens could be cleared`;
  return { edits: [], reason };
}

function readRulesOf(options: ToolResultsOptions): ReadRules {
  const { reads, duplicates, superseded, terminal, errorPrefixes, root } = options;
  const agent = agentOf(options.agent);
  const own = reads === false ? { keep: 0, rangeAware: false } : reads;
  const { tools = agent.reads as readonly ReadTool[], placeholder = agent.placeholders.reads } = own;
  const configured = [reads, duplicates, superseded, terminal, ...tools].map((rule) =>
    rule === false ? undefined : rule.placeholder,
  );
  const cleared = new Set([
    ...Object.values(placeholders),
    ...Object.values(snowPlaceholders),
    ...configured,
  ]);
  return { ...own, tools, placeholder, errorPrefixes, root, cleared };
}
