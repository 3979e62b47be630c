import {
  type CompressionStrategy,
  type DependencyContainer,
  inject,
  injectable,
  optionsToken,
  type Plan,
  type PlanContext,
  parseOptions,
  registerStrategy,
} from '@ctx/core';
import { agentOf } from './agents.js';
import { Clearing } from './clearing.js';
import { clearDuplicates } from './duplicates.js';
import { truncateGiants } from './giants.js';
import { optionsSchema, type ReadTool, type ToolResultsInput, type ToolResultsOptions } from './options.js';
import { clearOutdatedReads, type ReadRules, readsOf } from './outdated-reads.js';
import { clearOutdatedTerminal } from './outdated-terminal.js';
import { placeholders, snowPlaceholders } from './placeholders.js';
import { clearSuperseded } from './superseded.js';
import { usesOf } from './use.js';

/**
 * Clears what tools returned and is out of date, and leaves every message in its place: file reads that were repeated
 * since, old terminal output, results that came twice, reads of files that were changed since; and cuts the middle out of
 * giant results. Errors stay. It clears all it finds at once, whatever the target, so that a prompt cache is broken rarely.
 * Methods of Snow.
 */
@injectable()
export class ToolResultsStrategy implements CompressionStrategy {
  static readonly strategyName = 'tool-results';
  static readonly optionsSchema = optionsSchema;
  readonly name = ToolResultsStrategy.strategyName;
  readonly emits = ['replace'];
  readonly partial = true;

  constructor(@inject(optionsToken('tool-results')) readonly options: ToolResultsOptions) {}

  plan(context: PlanContext): Plan {
    const { reads, terminal, duplicates, superseded, giants, errorPrefixes, clearAtLeast } = this.options;
    const agent = agentOf(this.options.agent);
    const clearing = new Clearing(context);
    const uses = usesOf(context);
    const readRules = this.#readRules();
    const found = readsOf(uses, readRules);
    const { root } = this.options;
    const { cleared } = readRules;

    if (superseded !== false) {
      const { tools = agent.writes, placeholder = agent.placeholders.superseded } = superseded;
      clearSuperseded({ uses, reads: found.reads }, { tools, placeholder, errorPrefixes, root }, clearing);
    }
    if (terminal !== false) {
      const { tools = agent.terminal, placeholder = agent.placeholders.terminal } = terminal;
      clearOutdatedTerminal(uses, { ...terminal, tools, placeholder, errorPrefixes, cleared }, clearing);
    }
    if (duplicates !== false) {
      const leaves = new Set(duplicates.includeReads ? [] : found.reads.map(({ use }) => use));
      const { placeholder = agent.placeholders.duplicates } = duplicates;
      clearDuplicates(uses, { placeholder, errorPrefixes, leaves, cleared }, clearing);
    }
    const paths = reads === false ? {} : clearOutdatedReads(found, readRules, clearing);
    if (giants !== false) truncateGiants(uses, giants, clearing);

    const { counts, freed, edits } = clearing;
    const notes = { ...counts, paths, unextracted: found.unextracted, freed };
    return edits.length > 0 && freed >= clearAtLeast
      ? { edits, notes }
      : {
          edits: [],
          reason:
            edits.length === 0 ? 'No tool result is out of date' : `Only ${freed} tokens could be cleared`,
        };
  }

  #readRules(): ReadRules {
    const { reads, duplicates, superseded, terminal, errorPrefixes, root } = this.options;
    const agent = agentOf(this.options.agent);
    const options = reads === false ? { keep: 0, rangeAware: false } : reads;
    const { tools = agent.reads as readonly ReadTool[], placeholder = agent.placeholders.reads } = options;
    const configured = [reads, duplicates, superseded, terminal, ...tools].map((rule) =>
      rule === false ? undefined : rule.placeholder,
    );
    const cleared = new Set([
      ...Object.values(placeholders),
      ...Object.values(snowPlaceholders),
      ...configured,
    ]);
    return { ...options, tools, placeholder, errorPrefixes, root, cleared };
  }
}

/**
 * The strategy with options of one's own.
 * @throws ConfigError `config-invalid`
 */
export function toolResults(options: ToolResultsInput = {}): ToolResultsStrategy {
  return new ToolResultsStrategy(parseOptions(ToolResultsStrategy.strategyName, optionsSchema, options));
}

/** Makes the strategy available by its name, `tool-results`. */
export function register(container: DependencyContainer): void {
  registerStrategy(container, ToolResultsStrategy);
}
